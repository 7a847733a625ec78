//! The tables, in Markdown.

use crate::messages::Messages;
use crate::timing::{GROWTH, HOSTILE, OnHostile, OnMessages, ROUNDS, Rounds};
use std::io::{self, Write};

/// What the numbers are and how they came about.
pub(crate) fn introduce(messages: &Messages, out: &mut impl Write) -> io::Result<()> {
    let (count, bytes) = (messages.all().len(), messages.bytes());
    let average = bytes as f64 / count.max(1) as f64;
    writeln!(
        out,
        "{count} messages, {bytes} bytes, {average:.1} bytes on average.\n\n\
         Processor time of one thread (`/proc/thread-self/schedstat`), median of {ROUNDS} rounds in which the set-ups \
         take turns, with the least and the most; MB is 10^6 bytes. Each set-up is built once and called once a \
         message; each call makes the masked text. A set-up that is slow is timed on every nth message. Neither crate \
         beside the engine is given a model for names and places.\n"
    )
}

/// The table of the set-ups.
pub(crate) fn of_messages(rows: &[OnMessages], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "| Set-up | MB/s | from – to | µs a message | from – to | messages timed | values found in 1000 |\n\
         |---|--:|--:|--:|--:|--:|--:|"
    )?;
    for row in rows {
        let (speed, speeds) = cells(&row.speed, 1);
        let (message, span) = cells(&row.message, 3);
        let found = 1e3 * row.found as f64 / row.messages as f64;
        writeln!(out, "| {} | {speed} | {speeds} | {message} | {span} | {} | {found:.0} |", row.name, row.messages)?;
    }
    out.flush()
}

/// The table of the hostile texts.
pub(crate) fn of_hostile(rows: &[OnHostile], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "\nHostile texts of {} MB in one call, every entity on; beside it how many times longer {GROWTH} times the \
         text takes ({GROWTH} where time is linear; up to 6 where the longer one outgrows the processor's cache).\n\n\
         | Text | MB/s | from – to | time for {GROWTH} times the text | from – to |\n|---|--:|--:|--:|--:|",
        HOSTILE / 1_000_000
    )?;
    for row in rows {
        let (speed, speeds) = cells(&row.speed, 1);
        let (growth, growths) = cells(&row.growth, 2);
        writeln!(out, "| {} | {speed} | {speeds} | {growth} | {growths} |", row.name)?;
    }
    out.flush()
}

fn cells(rounds: &Rounds, places: usize) -> (String, String) {
    let (median, least, most) = (rounds.median(), rounds.least(), rounds.most());
    (format!("{median:.places$}"), format!("{least:.places$} – {most:.places$}"))
}
