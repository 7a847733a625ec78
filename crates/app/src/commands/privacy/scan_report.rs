//! The output of a scan, which is printed while it goes on.

use std::{
    io::{self, BufWriter, Stdout, Write},
    path::Path,
};

use parlance_domain::quoting::EscapedText;
use serde_json::json;

use super::value_search::Finding;
use crate::commands::ExitError;

/// The exit code if a file could not be read.
const UNREAD: u8 = 2;

/// The exit code if a value was found.
const FOUND: u8 = 1;

/// Prints findings, and counts what was read.
pub(super) struct ScanReport {
    out: BufWriter<Stdout>,
    is_json: bool,
    findings: u64,
    files: u64,
    bytes: u64,
    /// Directories of the settings that do not exist.
    absent: Vec<String>,
    /// The reasons why something was not searched, each a line on the standard error stream.
    unread: Vec<String>,
}

impl ScanReport {
    pub(super) fn new(is_json: bool) -> Self {
        let out = BufWriter::new(io::stdout());
        Self { out, is_json, findings: 0, files: 0, bytes: 0, absent: Vec::new(), unread: Vec::new() }
    }

    /// Counts a file whose bytes were searched.
    pub(super) fn read(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
    }

    /// Prints that a directory of the settings does not exist: nothing was stored in it, or its path is wrong.
    pub(super) fn absent(&mut self, path: &Path) -> io::Result<()> {
        let name = path.to_string_lossy();
        if self.is_json {
            self.absent.push(name.into_owned());
            return Ok(());
        }
        writeln!(self.out, "does not exist: {}", EscapedText(&name))
    }

    /// Prints a finding. `is_decoded` says that the offset counts the bytes after decompression.
    pub(super) fn found(&mut self, path: &Path, is_decoded: bool, finding: Finding) -> io::Result<()> {
        let Finding { offset, value, form } = finding;
        let path = path.to_string_lossy();
        self.findings += 1;
        if self.is_json {
            let start = if self.findings == 1 { "{\"findings\":[" } else { "," };
            let finding = json!({
                "file": path, "offset": offset, "decompressed": is_decoded, "value": value, "form": form.as_str(),
            });
            return write!(self.out, "{start}{finding}");
        }
        let (form, note) = (form.as_str(), if is_decoded { "  decompressed" } else { "" });
        writeln!(self.out, "{}  offset {offset}  value {value}  {form}{note}", EscapedText(&path))
    }

    /// Notes that something that the settings name was not searched.
    pub(super) fn unread(&mut self, reason: &str) {
        self.unread.push(format!("not searched: {reason}"));
    }

    /// Notes a file that cannot be read to its end.
    pub(super) fn unreadable(&mut self, path: &Path, error: &io::Error) -> io::Result<()> {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let name = path.to_string_lossy();
        // The error of a decoder may contain bytes of the file.
        self.unread.push(format!("not searched to its end: {}: {}", EscapedText(&name), error.kind()));
        Ok(())
    }

    /// Prints the counts, and fails if something was found or not read.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        let Self { findings, files, bytes, .. } = self;
        if self.is_json {
            let start = if findings == 0 { "{\"findings\":[" } else { "" };
            let (absent, unread) = (json!(self.absent), json!(self.unread));
            let counts = format!("\"files\":{files},\"bytes\":{bytes}");
            writeln!(self.out, "{start}],{counts},\"absent\":{absent},\"notSearched\":{unread}}}")?;
        } else {
            writeln!(self.out, "searched: files {files}, bytes {bytes}; found: {findings}")?;
        }
        self.out.flush()?;
        if !self.unread.is_empty() {
            return Err(ExitError { code: UNREAD, message: self.unread.join("\n") }.into());
        }
        if findings > 0 {
            let message = format!("values were found: {findings}");
            return Err(ExitError { code: FOUND, message }.into());
        }
        Ok(())
    }
}
