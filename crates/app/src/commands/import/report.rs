//! Counts what was imported, and prints refused lines to the standard error stream.

use std::fmt::Write;

use parlance_domain::import::{ImportOutcome, ImportedAs};

use super::{progress::Progress, unit::RefusedRecord};

/// The exit code if lines were refused.
const EXIT_REFUSED_LINES: u8 = 1;

/// The exit code if a file or the database failed.
pub(super) const EXIT_FAILED: u8 = 2;

/// The counts of an import.
#[derive(Debug, Default)]
struct Counts {
    created: u64,
    updated: u64,
    unchanged: u64,
    added: u64,
    present: u64,
    refused: u64,
    failed_files: u64,
}

/// The report of an import of some files.
pub(super) struct Report {
    dry_run: bool,
    counts: Counts,
    pub(super) progress: Progress,
}

impl Report {
    pub(super) fn start(dry_run: bool) -> Self {
        Self { dry_run, counts: Counts::default(), progress: Progress::start() }
    }

    /// Counts a record. `is_first` tells whether it is the first one of its conversation.
    pub(super) fn add(&mut self, outcome: ImportOutcome, is_first: bool) {
        let ImportOutcome { conversation, added, present } = outcome;
        let conversations = match conversation {
            ImportedAs::Created => &mut self.counts.created,
            ImportedAs::Updated => &mut self.counts.updated,
            ImportedAs::Unchanged => &mut self.counts.unchanged,
        };
        *conversations += u64::from(is_first);
        self.counts.added += added as u64;
        self.counts.present += present as u64;
        self.progress.add_messages((added + present) as u64);
    }

    /// Prints a refused record of a file, and counts its lines.
    pub(super) fn refuse(&mut self, file: &str, refused: &RefusedRecord) {
        self.counts.refused += refused.lines.count();
        self.progress.print(&describe(file, refused));
    }

    /// Prints the error of a file that was not read to its end.
    pub(super) fn add_failed_file(&mut self, error: &str) {
        self.counts.failed_files += 1;
        self.progress.print(error);
    }

    /// One line with all counts.
    pub(super) fn summary(&self) -> String {
        let Counts { created, updated, unchanged, added, present, refused, .. } = self.counts;
        let seconds = self.progress.elapsed().as_secs_f64();
        let verb = if self.dry_run { " to add" } else { " added" };
        format!(
            "{created} conversations{verb}, {updated} updated, {unchanged} unchanged; {added} messages{verb}, {present} \
             stored before; {refused} lines refused; {seconds:.1} s.\n"
        )
    }

    pub(super) fn exit_code(&self) -> u8 {
        match self.counts {
            Counts { failed_files: 1.., .. } => EXIT_FAILED,
            Counts { refused: 1.., .. } => EXIT_REFUSED_LINES,
            Counts { .. } => 0,
        }
    }

    /// Why the exit code is not 0.
    pub(super) fn failure(&self) -> String {
        let Counts { refused, failed_files, .. } = self.counts;
        if failed_files > 0 {
            let (were, them) = if failed_files == 1 { ("file was", "it") } else { ("files were", "them") };
            return format!("{failed_files} {were} not read to the end: correct the cause, and import {them} again");
        }
        let (were, them) = if refused == 1 { ("line was", "it") } else { ("lines were", "them") };
        format!("{refused} {were} refused: correct {them}, and import the file again; it adds only what is missing")
    }
}

/// A refused record as text: the file, the lines, and each error with its field and its rule.
fn describe(file: &str, RefusedRecord { lines, errors }: &RefusedRecord) -> String {
    let mut text = format!("{file}:{lines}:");
    for (index, error) in errors.iter().enumerate() {
        let separator = if index > 0 { ";" } else { "" };
        let space = if error.field.is_empty() { "" } else { " " };
        // Writing to a String cannot fail.
        let _ = write!(text, "{separator}{space}{} {} [{}]", error.field, error.message, error.rule);
    }
    text
}

#[cfg(test)]
mod tests {
    use parlance_adapters_http::records::RecordError;

    use super::{super::unit::LineNumbers, *};

    #[test]
    fn a_refused_line_is_described_with_its_file_its_number_its_fields_and_their_rules() {
        let error = |field: &str, rule| RecordError { field: field.to_owned(), rule, message: "is wrong".to_owned() };
        let errors = vec![error("/text", "required"), error("", "json")];
        let mut refused = RefusedRecord { lines: LineNumbers::one(7), errors };
        assert_eq!(describe("a.jsonl", &refused), "a.jsonl:7: /text is wrong [required]; is wrong [json]");
        refused.lines.last = 12;
        assert_eq!(describe("a.csv", &refused), "a.csv:7-12: /text is wrong [required]; is wrong [json]");
    }

    #[test]
    fn one_line_and_one_file_are_named_in_the_singular() {
        let failure = |refused, failed_files| {
            let mut report = Report::start(false);
            report.counts = Counts { refused, failed_files, ..Counts::default() };
            report.failure()
        };
        assert!(failure(1, 0).starts_with("1 line was refused: correct it, "));
        assert!(failure(2, 0).starts_with("2 lines were refused: correct them, "));
        assert!(failure(2, 1).starts_with("1 file was not read to the end: correct the cause, and import it again"));
        assert!(
            failure(0, 2).starts_with("2 files were not read to the end: correct the cause, and import them again")
        );
    }

    #[test]
    fn a_file_that_failed_outweighs_refused_lines() {
        let mut report = Report::start(false);
        assert_eq!(report.exit_code(), 0);
        report.counts.refused = 1;
        assert_eq!(report.exit_code(), EXIT_REFUSED_LINES);
        report.counts.failed_files = 1;
        assert_eq!(report.exit_code(), EXIT_FAILED);
    }
}
