//! The responses to the errors of the operations on vocabularies.

use parlance_domain::vocabulary::{CreateEntryError, EntryError};

use crate::errors::api_error::{ApiError, RefusalKind};

impl From<CreateEntryError> for ApiError {
    fn from(error: CreateEntryError) -> Self {
        match error {
            CreateEntryError::PhraseTaken => Self::refused_at(RefusalKind::Conflict, "/phrase", "unique", &error),
            CreateEntryError::Full(_) => Self::refused_at(RefusalKind::RuleViolation, "", "max_entries", &error),
            CreateEntryError::Key(refusal) => refusal.into(),
            CreateEntryError::Store(error) => error.into(),
        }
    }
}

impl From<EntryError> for ApiError {
    fn from(error: EntryError) -> Self {
        match error {
            EntryError::NotFound => Self::not_found("path:customVocabularyId", &error),
            EntryError::Store(error) => error.into(),
        }
    }
}
