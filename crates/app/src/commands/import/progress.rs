//! The progress of an import: a bar on a terminal, else a line every few seconds.

use std::{
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const BAR: &str = "{prefix}  {wide_bar} {percent} %  {msg}  {eta} left";
const BAR_WITHOUT_SIZE: &str = "{prefix}  {spinner} {bytes}  {msg}";

/// The time between two lines where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Shows the progress of each file.
pub(super) struct Progress {
    is_terminal: bool,
    started_at: Instant,
    last_shown_at: Instant,
    bar: ProgressBar,
    file: CurrentFile,
}

/// The file that is imported.
struct CurrentFile {
    name: String,
    size: Option<u64>,
    started_at: Instant,
    bytes: u64,
    messages: u64,
}

impl CurrentFile {
    fn new(name: &str, size: Option<u64>) -> Self {
        Self { name: name.to_owned(), size, started_at: Instant::now(), bytes: 0, messages: 0 }
    }

    fn messages_per_second(&self) -> f64 {
        // A double holds every realistic count exactly.
        #[expect(clippy::cast_precision_loss, reason = "a rate is approximate")]
        let messages = self.messages as f64;
        messages / self.started_at.elapsed().as_secs_f64().max(0.001)
    }

    /// The part of the file that is imported, and the seconds that are left.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn estimate(&self) -> Option<(f64, f64)> {
        let size = self.size.filter(|size| *size > 0)?;
        let part = (self.bytes as f64 / size as f64).min(1.0);
        let elapsed = self.started_at.elapsed().as_secs_f64();
        Some((part * 100.0, if part > 0.0 { elapsed / part - elapsed } else { 0.0 }))
    }

    fn describe(&self) -> String {
        let rate = self.messages_per_second();
        let (name, messages) = (&self.name, self.messages);
        let counted = format!("{messages} messages, {rate:.0} a second");
        match self.estimate() {
            Some((percent, left)) => format!("{name}: {percent:.0} %, {counted}, {left:.0} s left"),
            None => format!("{name}: {counted}"),
        }
    }
}

impl Progress {
    pub(super) fn start() -> Self {
        let now = Instant::now();
        Self {
            is_terminal: std::io::stderr().is_terminal(),
            started_at: now,
            last_shown_at: now,
            bar: ProgressBar::hidden(),
            file: CurrentFile::new("", None),
        }
    }

    /// The time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.started_at.elapsed()
    }

    pub(super) fn begin_file(&mut self, name: &str, size: Option<u64>) {
        self.file = CurrentFile::new(name, size);
        if self.is_terminal {
            self.bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::stderr());
            let template = if size.is_some() { BAR } else { BAR_WITHOUT_SIZE };
            self.bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
            self.bar.set_prefix(name.to_owned());
            self.bar.enable_steady_tick(Duration::from_millis(250));
        }
    }

    pub(super) fn add_messages(&mut self, count: u64) {
        self.file.messages += count;
    }

    /// Shows that this many more bytes of the file are imported.
    pub(super) fn add_bytes(&mut self, bytes: u64) {
        self.file.bytes += bytes;
        if self.is_terminal {
            let (messages, rate) = (self.file.messages, self.file.messages_per_second());
            self.bar.set_message(format!("{messages} messages  {rate:.0}/s"));
            self.bar.set_position(self.file.bytes);
        } else if self.last_shown_at.elapsed() >= LINE_INTERVAL {
            self.last_shown_at = Instant::now();
            self.print(&self.file.describe());
        }
    }

    pub(super) fn end_file(&mut self) {
        self.bar.finish_and_clear();
    }

    /// Prints a line above the bar.
    pub(super) fn print(&self, line: &str) {
        // If the error stream is closed, the import continues.
        self.bar.suspend(|| {
            let _ = writeln!(std::io::stderr(), "{line}");
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_part_of_the_file_and_the_rate() {
        let mut file = CurrentFile::new("a.csv", Some(200));
        (file.bytes, file.messages) = (50, 0);
        let line = file.describe();
        assert!(line.starts_with("a.csv: 25 %, 0 messages, 0 a second, "), "{line}");
        file.size = None;
        assert_eq!(file.describe(), "a.csv: 0 messages, 0 a second");
    }
}
