//! The responses to the errors of the operations on conversations.

use parlance_domain::{
    conversation::{FindConversationError, ListConversationsError, UpsertError, UpsertRefusal},
    privacy::EraseError,
};

use crate::{
    errors::api_error::{ApiError, RefusalKind},
    extract::query::invalid_parameter,
};

impl From<UpsertError> for ApiError {
    fn from(error: UpsertError) -> Self {
        match error {
            UpsertError::Refused(refusal) => refusal.into(),
            UpsertError::Identifiers(sensitive) => sensitive.into(),
            UpsertError::Erased => Self::refused_at(RefusalKind::Conflict, "/externalId", "erased", &error),
            UpsertError::Key(refusal) => refusal.into(),
            UpsertError::Store(error) => error.into(),
        }
    }
}

impl From<UpsertRefusal> for ApiError {
    fn from(refusal: UpsertRefusal) -> Self {
        match refusal {
            UpsertRefusal::UnknownId => Self::not_found("/id", &refusal),
            UpsertRefusal::IdInUse | UpsertRefusal::IdMismatch => {
                Self::refused_at(RefusalKind::Conflict, "/id", "id_of_external_id", &refusal)
            }
        }
    }
}

impl From<FindConversationError> for ApiError {
    fn from(error: FindConversationError) -> Self {
        match error {
            FindConversationError::NotFound => Self::not_found("path:conversationId", &error),
            FindConversationError::Store(error) => error.into(),
        }
    }
}

impl From<EraseError> for ApiError {
    fn from(error: EraseError) -> Self {
        match error {
            EraseError::NotFound => Self::not_found("path:conversationId", &error),
            EraseError::Held => Self::refused_at(RefusalKind::Conflict, "path:conversationId", "held", &error),
            EraseError::Store(error) => error.into(),
        }
    }
}

impl From<ListConversationsError> for ApiError {
    fn from(error: ListConversationsError) -> Self {
        match error {
            ListConversationsError::ForeignCursor => invalid_parameter("cursor", "cursor", error.to_string()),
            ListConversationsError::Store(error) => error.into(),
        }
    }
}
