//! A run of a privacy request that ended with an error, and whether it ends the request.

use super::{FailureReason, WaitReason};
use crate::{error::StoreError, limits::PRIVACY_REQUEST_MAX_FAILED_RUNS};

/// A run that ended with an error.
#[derive(Debug)]
pub(super) struct FailedRun {
    pub(super) error: StoreError,
    /// What the request waits for until a run succeeds.
    pub(super) waits_for: WaitReason,
}

impl From<StoreError> for FailedRun {
    fn from(error: StoreError) -> Self {
        Self { error, waits_for: WaitReason::Service }
    }
}

impl FailedRun {
    /// A run whose removal of derived data failed.
    pub(super) fn of_derived_data(error: StoreError, waits_for: WaitReason) -> Self {
        Self { error, waits_for }
    }

    /// Why the request fails after this run and `earlier` failed ones directly before it; `None` if it is to be run again.
    /// The store of derived data is mended by its operator, so its errors never end a request.
    pub(super) fn failure(&self, earlier: u32) -> Option<FailureReason> {
        let is_last = earlier.saturating_add(1) >= PRIVACY_REQUEST_MAX_FAILED_RUNS;
        let is_final = is_last && self.waits_for == WaitReason::Service;
        FailureReason::of_error(self.error.kind()).filter(|_| is_final)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::StoreErrorKind;

    fn failed(kind: StoreErrorKind) -> FailedRun {
        FailedRun::from(StoreError::new(kind, "a cause"))
    }

    #[test]
    fn only_a_permanent_error_of_the_last_allowed_run_ends_a_request() {
        let last = PRIVACY_REQUEST_MAX_FAILED_RUNS - 1;
        assert_eq!(failed(StoreErrorKind::Corrupt).failure(last), Some(FailureReason::InvalidData));
        assert_eq!(failed(StoreErrorKind::Unexpected).failure(last), Some(FailureReason::InternalError));
        assert_eq!(failed(StoreErrorKind::Corrupt).failure(last - 1), None);
        for kind in [StoreErrorKind::Unavailable, StoreErrorKind::TenantErased] {
            assert_eq!(failed(kind).failure(u32::MAX), None);
        }
    }

    #[test]
    fn an_error_of_the_feeds_ends_no_request() {
        let error = StoreError::new(StoreErrorKind::Unexpected, "access denied");
        assert_eq!(FailedRun::of_derived_data(error, WaitReason::Feeds).failure(u32::MAX), None);
    }
}
