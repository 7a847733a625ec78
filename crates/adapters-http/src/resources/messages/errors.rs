//! The responses to the errors of the operations on messages.

use parlance_domain::message::{AppendError, FindMessageError, ReadMessagesError};

use crate::errors::api_error::ApiError;

impl From<AppendError> for ApiError {
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::NoConversation => Self::not_found("path:conversationId", &error),
            AppendError::Identifiers(sensitive) => sensitive.into(),
            AppendError::Key(refusal) => refusal.into(),
            AppendError::Store(error) => error.into(),
        }
    }
}

/// Converts an error of reading messages. `pointer` is the part of the request that names the conversation.
pub(crate) fn read_error_at(pointer: &'static str) -> impl FnOnce(ReadMessagesError) -> ApiError {
    move |error| match error {
        ReadMessagesError::NoConversation => ApiError::not_found(pointer, &error),
        ReadMessagesError::Store(error) => error.into(),
    }
}

impl From<FindMessageError> for ApiError {
    fn from(error: FindMessageError) -> Self {
        match error {
            FindMessageError::NoConversation => Self::not_found("path:conversationId", &error),
            FindMessageError::NoMessage => Self::not_found("path:messageId", &error),
            FindMessageError::Store(error) => error.into(),
        }
    }
}
