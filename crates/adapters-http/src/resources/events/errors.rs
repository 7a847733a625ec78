//! The responses to the errors of reading events.

use parlance_domain::event::{IssueAddressError, PollError, SpendAddressError};

use crate::errors::api_error::{ApiError, RefusalKind};

/// Converts an error whose cursor is at `pointer`.
pub(crate) fn poll_error_at(pointer: &'static str) -> impl Fn(PollError) -> ApiError {
    move |error| match error {
        PollError::Expired => ApiError::refused_at(RefusalKind::Gone, pointer, "cursor_expired", &error),
        PollError::Unknown => ApiError::refused_at(RefusalKind::Gone, pointer, "cursor_unknown", &error),
        PollError::Denied(denied) => denied.into(),
        PollError::Store(error) => error.into(),
    }
}

impl From<IssueAddressError> for ApiError {
    fn from(error: IssueAddressError) -> Self {
        match error {
            IssueAddressError::UnknownConversation => Self::not_found("/conversationId", &error),
            IssueAddressError::UnknownExternalId => Self::not_found("/externalId", &error),
            IssueAddressError::Denied(denied) => denied.into(),
            // Every caller of the interface has a credential.
            IssueAddressError::NoCredential => Self::InternalError,
            IssueAddressError::Store(error) => error.into(),
        }
    }
}

impl From<SpendAddressError> for ApiError {
    fn from(error: SpendAddressError) -> Self {
        match error {
            SpendAddressError::NotFound => unknown_address(),
            SpendAddressError::Store(error) => error.into(),
        }
    }
}

/// The 404 of an address that opens nothing.
pub(crate) fn unknown_address() -> ApiError {
    ApiError::not_found("path:streamId", &SpendAddressError::NotFound)
}
