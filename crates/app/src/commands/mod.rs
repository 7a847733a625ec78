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

use anyhow::{Context, anyhow};
use parlance_domain::error::{Error, Resource};

/// An error with its own exit code.
#[derive(Debug, thiserror::Error)]
#[error("{line}")]
pub(crate) struct ExitError {
    pub(crate) code: u8,
    pub(crate) line: String,
}

/// The exit code of invalid arguments that only a check of all arguments together finds.
pub(crate) const INVALID_ARGUMENTS: u8 = 2;

/// Prints the output of a command.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("failed to write the output")
}

/// Converts an error of the domain into a line for operators. They may see the causes of a store error.
pub(crate) fn operator_error(error: Error) -> anyhow::Error {
    match error {
        Error::Store(error) => anyhow::Error::from(error).context("database_url"),
        Error::Missing(resource @ Resource::Credential) => anyhow!("there is no such {resource} in use"),
        Error::Missing(resource) => anyhow!("there is no such {resource}"),
        other @ (Error::Unauthenticated
        | Error::Denied(_)
        | Error::Switch(_)
        | Error::Conflict(_)
        | Error::VocabularyFull(_)
        | Error::KeyReused
        | Error::RateLimited { .. }
        | Error::AuthThrottled { .. }) => anyhow!("{other}"),
    }
}
