//! What each command of the command line does.

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

/// A failure with an exit code of its own.
#[derive(Debug, thiserror::Error)]
#[error("{line}")]
pub(crate) struct Exit {
    pub(crate) code: u8,
    pub(crate) line: String,
}

/// The exit code of an argument that is wrong, where only the whole of the arguments shows it.
pub(crate) const WRONG_ARGUMENT: u8 = 2;

/// Prints what a command has to say.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("the output cannot be written")
}

/// An error of the domain as a line for operators, who may see what went wrong in a store.
pub(crate) fn in_words(error: Error) -> anyhow::Error {
    match error {
        Error::Store(error) => anyhow::Error::from(error).context("database_url"),
        Error::Missing(resource @ Resource::Credential) => anyhow!("there is no such {resource} in use"),
        Error::Missing(resource) => anyhow!("there is no such {resource}"),
        other @ (Error::Unauthenticated
        | Error::Denied(_)
        | Error::Switch(_)
        | Error::Conflict(_)
        | Error::Full(_)
        | Error::KeyReused
        | Error::TooFast { .. }
        | Error::HeldBack { .. }) => anyhow!("{other}"),
    }
}
