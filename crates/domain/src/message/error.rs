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

/// The error of finding a message by its id.
#[derive(Debug, thiserror::Error)]
pub enum FindMessageError {
    /// The conversation does not exist.
    #[error("there is no such conversation")]
    NoConversation,
    /// The conversation exists, but not the message.
    #[error("there is no such message in the conversation")]
    NoMessage,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ReadMessagesError> for FindMessageError {
    fn from(error: ReadMessagesError) -> Self {
        match error {
            ReadMessagesError::NoConversation => Self::NoConversation,
            ReadMessagesError::Store(error) => error.into(),
        }
    }
}
