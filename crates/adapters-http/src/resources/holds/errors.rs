//! The responses to the errors of the operations on holds.

use parlance_domain::privacy::HoldError;

use crate::errors::api_error::ApiError;

impl From<HoldError> for ApiError {
    fn from(error: HoldError) -> Self {
        match error {
            HoldError::NotFound => Self::not_found("path:holdId", &error),
            HoldError::NoConversation => Self::not_found("/conversationId", &error),
            HoldError::Store(error) => error.into(),
        }
    }
}
