//! The responses to the errors of the operations on privacy requests.

use parlance_domain::privacy::PrivacyRequestError;

use crate::errors::api_error::{ApiError, RefusalKind};

impl From<PrivacyRequestError> for ApiError {
    fn from(error: PrivacyRequestError) -> Self {
        match error {
            PrivacyRequestError::NotFound | PrivacyRequestError::NoArchive | PrivacyRequestError::NoReceipt => {
                Self::not_found("path:requestId", &error)
            }
            PrivacyRequestError::NoIssue => Self::not_found("query:issue", &error),
            PrivacyRequestError::NotCompleted => {
                Self::refused_at(RefusalKind::Conflict, "path:requestId", "completed", &error)
            }
            PrivacyRequestError::Held => {
                Self::refused_at(RefusalKind::Conflict, "/subject/customerExternalId", "held", &error)
            }
            PrivacyRequestError::Store(error) => error.into(),
        }
    }
}
