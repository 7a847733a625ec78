//! The commands of the command line.

mod approval;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod choice;
pub(crate) mod completions;
pub(crate) mod compliance;
pub(crate) mod config;
pub(crate) mod credential;
pub(crate) mod doctor;
pub(crate) mod feed;
pub(crate) mod health;
pub(crate) mod import;
pub(crate) mod man;
pub(crate) mod migrate;
pub(crate) mod openapi;
pub(crate) mod privacy;
pub(crate) mod redact;
mod retry;
pub(crate) mod serve;
pub(crate) mod tenant;
pub(crate) mod vocabulary;

use std::io::Write;

use anyhow::Context;
use parlance_domain::error::StoreError;

/// An error with its own exit code. Each line of its message becomes a line on the standard error stream.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct ExitError {
    pub(crate) code: u8,
    pub(crate) message: String,
}

/// The exit code for invalid settings, and for arguments that are valid alone but not in combination.
pub(crate) const EXIT_INVALID_ARGUMENTS: u8 = 2;

impl ExitError {
    /// The error for invalid settings or unusable files, with one line for each.
    pub(crate) fn invalid_settings<T: ToString>(invalid: &[T]) -> Self {
        let lines: Vec<_> = invalid.iter().map(ToString::to_string).collect();
        Self { code: EXIT_INVALID_ARGUMENTS, message: lines.join("\n") }
    }
}

/// Prints the output of a command.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("failed to write the output")
}

/// Converts an error of the database for an operator, who may see its causes.
pub(crate) fn database_error(error: StoreError) -> anyhow::Error {
    anyhow::Error::from(error).context("database_url")
}
