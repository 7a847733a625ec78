//! A run of a privacy request that ended with an error, and whether it ends the request.

use super::{FailureReason, WaitReason};
use crate::{error::StoreError, limits::PRIVACY_REQUEST_MAX_FAILED_RUNS};

/// A run that ended with an error.
#[derive(Debug)]
pub(super) struct FailedRun {
    pub(super) error: StoreError,
    /// What the request waits for until a run succeeds.
    pub(super) waits_for: WaitReason,
    can_end_request: bool,
}

impl From<StoreError> for FailedRun {
    fn from(error: StoreError) -> Self {
        Self { error, waits_for: WaitReason::Service, can_end_request: true }
    }
}

impl FailedRun {
    /// A run whose removal of derived data failed. Its operator mends the store of that data.
    pub(super) fn of_derived_data(error: StoreError, waits_for: WaitReason) -> Self {
        Self { error, waits_for, can_end_request: false }
    }

    /// A run that failed after everything of the customer was erased or collected. The request is not called failed then: what
    /// is missing is its end, such as the receipt.
    pub(super) fn after_removal(error: StoreError) -> Self {
        Self { can_end_request: false, ..Self::from(error) }
    }

    /// Why the request fails after this run and `earlier` ones directly before it that ended with a permanent error; `None` if
    /// it is to be run again.
    pub(super) fn failure(&self, earlier: u32) -> Option<FailureReason> {
        let is_last = earlier.saturating_add(1) >= PRIVACY_REQUEST_MAX_FAILED_RUNS;
        FailureReason::of_error(self.error.kind()).filter(|_| is_last && self.can_end_request)
    }
}

/// The number of runs in succession that ended with a permanent error, after one more that ended with this error. An error that
/// can pass begins the count anew.
#[must_use]
pub fn failed_runs_after(failed_runs: u32, error: &StoreError) -> u32 {
    FailureReason::of_error(error.kind()).map_or(0, |_| failed_runs.saturating_add(1))
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
    fn an_error_that_can_pass_begins_the_count_of_permanent_ones_anew() {
        let count = |failed_runs, kind| failed_runs_after(failed_runs, &StoreError::new(kind, "a cause"));
        assert_eq!((count(0, StoreErrorKind::Corrupt), count(3, StoreErrorKind::Unexpected)), (1, 4));
        assert_eq!(count(7, StoreErrorKind::Unavailable), 0);
    }

    #[test]
    fn an_error_of_the_feeds_or_after_the_removal_ends_no_request() {
        let error = || StoreError::new(StoreErrorKind::Unexpected, "access denied");
        assert_eq!(FailedRun::of_derived_data(error(), WaitReason::Feeds).failure(u32::MAX), None);
        assert_eq!(FailedRun::after_removal(error()).failure(u32::MAX), None);
    }
}
