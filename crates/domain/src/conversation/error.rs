//! The errors of the use cases of conversations.

use super::UpsertRefusal;
use crate::{
    error::StoreError,
    idempotency::{IdempotentError, KeyRefusal},
};

/// The error of creating or updating a conversation.
#[derive(Debug, thiserror::Error)]
pub enum UpsertError {
    /// The request has an id that is not the conversation's.
    #[error(transparent)]
    Refused(#[from] UpsertRefusal),
    /// The idempotency key is refused.
    #[error(transparent)]
    Key(#[from] KeyRefusal),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl IdempotentError for UpsertError {
    fn key_refusal(&self) -> Option<KeyRefusal> {
        if let Self::Key(refusal) = self { Some(*refusal) } else { None }
    }
}

/// The error of finding a conversation by its id.
#[derive(Debug, thiserror::Error)]
pub enum FindConversationError {
    /// The conversation does not exist.
    #[error("there is no such conversation")]
    NotFound,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
