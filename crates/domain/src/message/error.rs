//! The errors of the use cases of messages.

use crate::{
    access::{AccessError, PermissionDenied},
    error::StoreError,
    idempotency::{IdempotentError, KeyRefusal},
};

/// The error of appending messages to a conversation.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// The credential lacks a permission.
    #[error(transparent)]
    Denied(#[from] PermissionDenied),
    /// The conversation does not exist.
    #[error("there is no such conversation")]
    NoConversation,
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
    /// The credential lacks a permission.
    #[error(transparent)]
    Denied(#[from] PermissionDenied),
    /// The conversation does not exist.
    #[error("there is no such conversation")]
    NoConversation,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AccessError> for ReadMessagesError {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::Denied(denied) => Self::Denied(denied),
            AccessError::Store(error) => Self::Store(error),
        }
    }
}
