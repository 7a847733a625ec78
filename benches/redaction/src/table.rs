//! The result tables, in Markdown.

use crate::messages::Messages;
use crate::timing::{GROWTH_FACTOR, HOSTILE_BYTES, HostileTiming, MessageTiming, ROUNDS, Rounds};
use std::io::{self, Write};

/// Writes the description of the messages and the method.
pub(crate) fn write_introduction(messages: &Messages, out: &mut impl Write) -> io::Result<()> {
    let (count, bytes) = (messages.all().len(), messages.bytes());
    let average = bytes as f64 / count.max(1) as f64;
    writeln!(
        out,
        "{count} messages, {bytes} bytes, {average:.1} bytes on average.\n\n\
         CPU time of one thread (`/proc/thread-self/schedstat`): median, minimum and maximum of {ROUNDS} rounds. Each \
         round times every target. MB is 10^6 bytes. Each target is built once and called once per message. Each call \
         creates the masked text. Slow targets are timed on every nth message. The other crates have no model for \
         names and places.\n"
    )
}

/// Writes the message table.
pub(crate) fn write_message_table(rows: &[MessageTiming], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "| Target | MB/s | min – max | µs per message | min – max | timed messages | values per 1000 messages |\n\
         |---|--:|--:|--:|--:|--:|--:|"
    )?;
    for row in rows {
        let (speed, speed_range) = cells(&row.speed, 1);
        let (message, message_range) = cells(&row.message, 3);
        let found = 1e3 * row.found as f64 / row.messages as f64;
        writeln!(
            out,
            "| {} | {speed} | {speed_range} | {message} | {message_range} | {} | {found:.0} |",
            row.name, row.messages
        )?;
    }
    out.flush()
}

/// Writes the hostile text table.
pub(crate) fn write_hostile_table(rows: &[HostileTiming], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "\nHostile texts of {} MB in one call, all entities active. The growth is the time ratio for {GROWTH_FACTOR} \
         times the text: {GROWTH_FACTOR} if time is linear, up to 6 if the longer text exceeds the CPU cache.\n\n\
         | Text | MB/s | min – max | growth for {GROWTH_FACTOR} times the text | min – max |\n|---|--:|--:|--:|--:|",
        HOSTILE_BYTES / 1_000_000
    )?;
    for row in rows {
        let (speed, speed_range) = cells(&row.speed, 1);
        let (growth, growth_range) = cells(&row.growth, 2);
        writeln!(out, "| {} | {speed} | {speed_range} | {growth} | {growth_range} |", row.name)?;
    }
    out.flush()
}

fn cells(rounds: &Rounds, decimals: usize) -> (String, String) {
    let (median, min, max) = (rounds.median(), rounds.min(), rounds.max());
    (format!("{median:.decimals$}"), format!("{min:.decimals$} – {max:.decimals$}"))
}
