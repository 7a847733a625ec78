//! The errors of the use cases of conversations.

use super::{UpsertRefusal, field_redaction::FieldRefusal};
use crate::{
    error::StoreError,
    idempotency::{IdempotentError, KeyRefusal},
    redaction::SensitiveIdentifiers,
};

/// The error of creating or updating a conversation.
#[derive(Debug, thiserror::Error)]
pub enum UpsertError {
    /// The request has an id that is not the conversation's.
    #[error(transparent)]
    Refused(#[from] UpsertRefusal),
    /// Identifiers of the request contain card data, and the policy refuses them.
    #[error(transparent)]
    Identifiers(#[from] SensitiveIdentifiers),
    /// The conversation with this external identifier was erased.
    #[error(
        "the conversation with this externalId was erased, or its customer is being erased: use another externalId, or wait until the erasure is completed"
    )]
    Erased,
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

impl From<FieldRefusal> for UpsertError {
    fn from(refusal: FieldRefusal) -> Self {
        match refusal {
            FieldRefusal::Identifiers(sensitive) => sensitive.into(),
            FieldRefusal::Store(error) => error.into(),
        }
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

/// The error of listing conversations by criteria.
#[derive(Debug, thiserror::Error)]
pub enum ListConversationsError {
    /// The cursor belongs to another list: its tenant or its criteria differ.
    #[error("must be a nextCursor of a page with the same criteria")]
    ForeignCursor,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
