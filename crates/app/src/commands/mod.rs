//! The commands of the command line.

pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod compliance;
pub(crate) mod credential;
pub(crate) mod doctor;
pub(crate) mod feed;
pub(crate) mod migrate;
pub(crate) mod openapi;
pub(crate) mod redact;
pub(crate) mod serve;
pub(crate) mod vocabulary;

use std::io::Write;

use anyhow::Context;
use parlance_domain::error::StoreError;

/// An error with its own exit code.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct ExitError {
    pub(crate) code: u8,
    pub(crate) message: String,
}

/// The exit code for arguments that are valid alone but not in combination.
pub(crate) const EXIT_INVALID_ARGUMENTS: u8 = 2;

/// Prints the output of a command.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("failed to write the output")
}

/// Converts an error of the database for an operator, who may see its causes.
pub(crate) fn database_error(error: StoreError) -> anyhow::Error {
    anyhow::Error::from(error).context("database_url")
}
