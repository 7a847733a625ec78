//! The errors of the use cases of vocabularies.

use super::Capacity;
use crate::{
    error::StoreError,
    idempotency::{IdempotentError, KeyRefusal},
};

/// The error of creating an entry.
#[derive(Debug, thiserror::Error)]
pub enum CreateEntryError {
    /// Another entry has this phrase.
    #[error("another entry has this phrase")]
    PhraseTaken,
    /// The vocabulary has the maximum number of entries.
    #[error("must have at most {} entries, and the vocabulary is full", .0.entries())]
    Full(Capacity),
    /// The idempotency key is refused.
    #[error(transparent)]
    Key(#[from] KeyRefusal),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl IdempotentError for CreateEntryError {
    fn key_refusal(&self) -> Option<KeyRefusal> {
        if let Self::Key(refusal) = self { Some(*refusal) } else { None }
    }
}

/// The error of finding or removing one entry.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    /// The entry does not exist.
    #[error("there is no such vocabulary entry")]
    NotFound,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
