//! The errors of an import.

use crate::{
    conversation::{UpsertError, UpsertRefusal},
    error::StoreError,
    message::AppendError,
    redaction::SensitiveIdentifiers,
};

/// Why a record is not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The record has an id that is not the conversation's.
    #[error(transparent)]
    Refused(#[from] UpsertRefusal),
    /// Identifiers of the record contain card data, and the policy refuses them.
    #[error(transparent)]
    Identifiers(#[from] SensitiveIdentifiers),
    /// The conversation of the record, or of its external identifier, was erased, or an erasure of its customer goes on.
    #[error(
        "the conversation was erased, or its customer is being erased: if it is the customer, import the line again after the erasure"
    )]
    Erased,
    /// A store failed. The import of the record can be repeated.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<UpsertError> for ImportError {
    fn from(error: UpsertError) -> Self {
        match error {
            UpsertError::Refused(refusal) => refusal.into(),
            UpsertError::Identifiers(sensitive) => sensitive.into(),
            UpsertError::Store(error) => error.into(),
            UpsertError::Erased => Self::Erased,
            UpsertError::Key(refusal) => unexpected(refusal),
        }
    }
}

impl From<AppendError> for ImportError {
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::Identifiers(sensitive) => sensitive.into(),
            AppendError::Store(error) => error.into(),
            AppendError::NoConversation => Self::Erased,
            AppendError::Key(refusal) => unexpected(refusal),
        }
    }
}

/// An import uses no idempotency key.
fn unexpected(error: impl std::error::Error + Send + Sync + 'static) -> ImportError {
    StoreError::new(crate::error::StoreErrorKind::Unexpected, error).into()
}
