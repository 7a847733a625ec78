//! Why a privacy request failed.

use crate::error::StoreErrorKind;

/// Why a privacy request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureReason {
    /// A stored row breaks a rule of the service, and cannot be read.
    InvalidData,
    /// The database refused a statement for good, or the program has a defect.
    InternalError,
}

impl FailureReason {
    /// All reasons.
    pub const ALL: [Self; 2] = [Self::InvalidData, Self::InternalError];

    /// The name, as it is stored and given out.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidData => "invalid_data",
            Self::InternalError => "internal_error",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }

    /// The reason of a failure by a permanent error; `None` if a repetition can succeed. The requests of an erased tenant
    /// are deleted, so they need none.
    pub(super) fn of_error(kind: StoreErrorKind) -> Option<Self> {
        match kind {
            StoreErrorKind::Corrupt => Some(Self::InvalidData),
            StoreErrorKind::Unexpected => Some(Self::InternalError),
            StoreErrorKind::Unavailable | StoreErrorKind::TenantErased => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_parsed_from_their_names() {
        for reason in FailureReason::ALL {
            assert_eq!(FailureReason::parse(reason.as_str()), Some(reason));
        }
        assert_eq!(FailureReason::parse(""), None);
    }
}
