//! The errors of the use cases of messages.

use crate::{
    error::StoreError,
    idempotency::{IdempotentError, KeyRefusal},
    redaction::SensitiveIdentifiers,
};

/// The error of appending messages to a conversation.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// The conversation does not exist.
    #[error("there is no such conversation")]
    NoConversation,
    /// Identifiers of senders contain card data, and the policy refuses them.
    #[error(transparent)]
    Identifiers(#[from] SensitiveIdentifiers),
    /// The idempotency key is refused.
    #[error(transparent)]
    Key(#[from] KeyRefusal),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl IdempotentError for AppendError {
    fn key_refusal(&self) -> Option<KeyRefusal> {
        if let Self::Key(refusal) = self { Some(*refusal) } else { None }
    }
}

/// The error of reading the messages of a conversation, as a page or as a transcript.
#[derive(Debug, thiserror::Error)]
pub enum ReadMessagesError {
    /// The conversation does not exist.
    #[error("there is no such conversation")]
    NoConversation,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
