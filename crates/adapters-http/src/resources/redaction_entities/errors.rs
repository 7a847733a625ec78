//! The responses to the errors of the operations on redaction entities.

use parlance_domain::redaction::SwitchError;

use crate::errors::api_error::{ApiError, RefusalKind};

/// The part of the request that names the entity.
const ENTITY: &str = "path:entityId";

impl From<SwitchError> for ApiError {
    fn from(error: SwitchError) -> Self {
        match error {
            SwitchError::Refused(refusal) => Self::refused_at(RefusalKind::Forbidden, ENTITY, "control", &refusal),
            SwitchError::Store(error) => error.into(),
        }
    }
}

/// The catalogue has no entity with the label in the path.
pub(super) fn unknown_entity() -> ApiError {
    ApiError::not_found(ENTITY, &"there is no such redaction entity")
}
