//! The responses to the errors of the operations on retention rules.

use parlance_domain::privacy::RetentionError;

use crate::errors::api_error::{ApiError, RefusalKind};

impl From<RetentionError> for ApiError {
    fn from(error: RetentionError) -> Self {
        match error {
            RetentionError::PreviewRequired => {
                Self::refused_at(RefusalKind::Conflict, "/previewToken", "preview_required", &error)
            }
            RetentionError::Store(error) => error.into(),
        }
    }
}
