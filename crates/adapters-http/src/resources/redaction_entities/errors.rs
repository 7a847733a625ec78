//! The responses to the errors of the operations on redaction entities.

use parlance_domain::{backtest::InvalidBacktest, redaction::SwitchError};

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

impl From<InvalidBacktest> for ApiError {
    fn from(error: InvalidBacktest) -> Self {
        const KIND: RefusalKind = RefusalKind::RuleViolation;
        match error {
            InvalidBacktest::Entities(violation) => Self::refused_at(KIND, "/entities", violation.rule(), &error),
            InvalidBacktest::Period => Self::refused_at(RefusalKind::RuleViolation, "/until", "period", &error),
            InvalidBacktest::Samples(violation) => Self::refused_at(KIND, "/sample", violation.rule(), &error),
        }
    }
}

/// The catalogue has no entity with the label in the path.
pub(super) fn unknown_entity() -> ApiError {
    ApiError::not_found(ENTITY, &"there is no such redaction entity")
}
