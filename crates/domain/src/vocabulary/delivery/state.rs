//! The progress of a delivery as a value, and its transitions. This is the only place with the rules of a delivery:
//! stores compare and write values.

use super::DeliveryErrorKind;
use crate::{
    limits::{DELIVERY_BACKOFF_INITIAL_SECONDS, DELIVERY_BACKOFF_MAX_SECONDS},
    time::Timestamp,
};

/// The progress of the delivery of a tenant's vocabulary.
///
/// A transition returns the progress after it, or `None` if it does not apply and nothing is to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliveryProgress {
    /// The newest version: 0 before the first change.
    pub version: u64,
    /// The time of the first undelivered change; `None` if everything is delivered.
    pub pending_since: Option<Timestamp>,
    /// The last delivered version.
    pub delivered: Option<DeliveredVersion>,
    /// The number of consecutive failed attempts.
    pub failures: u32,
    /// The last failed attempt since the last success.
    pub last_failure: Option<AttemptFailure>,
    /// The earliest time of the next attempt.
    pub next_attempt: Option<Timestamp>,
}

/// A version that the transcription component has received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveredVersion {
    /// The version.
    pub version: u64,
    /// The time of the delivery.
    pub delivered_at: Timestamp,
}

/// A failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptFailure {
    /// The kind of the failure.
    pub kind: DeliveryErrorKind,
    /// The time of the failure.
    pub failed_at: Timestamp,
}

impl DeliveryProgress {
    /// The vocabulary was changed at `at`: it has a new version, and its delivery is pending. A change does not hasten
    /// the next attempt.
    #[must_use]
    pub fn after_change(self, at: Timestamp) -> Self {
        Self { version: self.version.saturating_add(1), pending_since: self.pending_since.or(Some(at)), ..self }
    }

    /// The component has received a version that was the newest at `read_at`. The recorded failures end. If the
    /// vocabulary was changed since, its delivery stays pending, from `read_at` on.
    ///
    /// `None` if this version or a later one is already recorded, or if the vocabulary was never changed.
    #[must_use]
    pub fn after_delivery(self, delivered: DeliveredVersion, read_at: Timestamp) -> Option<Self> {
        let is_newer = self.delivered.is_none_or(|last| last.version < delivered.version);
        let pending_since = (self.version > delivered.version).then_some(read_at);
        (self.version > 0 && is_newer).then_some(Self {
            version: self.version,
            pending_since,
            delivered: Some(delivered),
            ..Self::default()
        })
    }

    /// [`after_delivery`](Self::after_delivery) of an attempt that began when the delivery was pending since
    /// `attempted_since`.
    ///
    /// `None` also if it is pending since another time. An operator may then have queued the vocabulary anew, because
    /// the component has lost what it received in this attempt. If not, one more delivery does no harm.
    #[must_use]
    pub fn after_attempt(
        self,
        attempted_since: Timestamp,
        delivered: DeliveredVersion,
        read_at: Timestamp,
    ) -> Option<Self> {
        let is_same = self.pending_since == Some(attempted_since);
        self.after_delivery(delivered, read_at).filter(|_| is_same)
    }

    /// An attempt has failed. The next one waits for a second, and twice as long after each further failure, at most
    /// [`DELIVERY_BACKOFF_MAX_SECONDS`].
    ///
    /// `None` if no delivery is pending any more.
    #[must_use]
    pub fn after_failure(self, failure: AttemptFailure) -> Option<Self> {
        let failures = self.failures.saturating_add(1);
        let next_attempt = Some(failure.failed_at.plus_seconds(backoff_seconds(failures)));
        self.pending_since.map(|_| Self { failures, last_failure: Some(failure), next_attempt, ..self })
    }

    /// An operator has queued the vocabulary at `at`, as for a component that has lost it. The version stays. The
    /// delivered version and the recorded failures are forgotten, so that the next attempt does not wait. A delivery that
    /// was pending is so since one microsecond later, which tells an attempt that began before from later ones.
    ///
    /// `None` if the vocabulary was never changed.
    #[must_use]
    pub fn after_requeue(self, at: Timestamp) -> Option<Self> {
        let later = |since: Timestamp| Timestamp::from_micros(since.as_micros().saturating_add(1)).unwrap_or(since);
        let pending_since = Some(self.pending_since.map_or(at, later));
        (self.version > 0).then_some(Self { version: self.version, pending_since, ..Self::default() })
    }

    /// Whether a delivery is pending and may be attempted at `now`. A next attempt later than
    /// [`latest_next_attempt`] does not delay a delivery.
    #[must_use]
    pub fn is_due(&self, now: Timestamp) -> bool {
        let may_attempt = self.next_attempt.is_none_or(|next| next <= now || next > latest_next_attempt(now));
        self.pending_since.is_some() && may_attempt
    }

    /// What a [`DeliveryStore`](super::DeliveryStore) holds after a compare-and-set from `expected` to `next`; `None`
    /// if the comparison fails, as it does for a vocabulary that was never changed.
    ///
    /// A compare-and-set never writes the version, because only changes do. If `next` is pending, further changes give
    /// the same result before and after the transition. Then the stored version may be newer than the expected one, so
    /// that frequent changes cannot keep an outcome from being stored.
    #[must_use]
    pub fn compare_and_set(self, expected: &Self, next: &Self) -> Option<Self> {
        let Self { version, .. } = self;
        let is_raced = version > expected.version && next.pending_since.is_some();
        let matches_version = version > 0 && (version == expected.version || is_raced);
        (matches_version && self == Self { version, ..*expected }).then_some(Self { version, ..*next })
    }
}

/// The delay after this number of consecutive failures: one second after the first failure, doubled after each further
/// one, at most [`DELIVERY_BACKOFF_MAX_SECONDS`]. The maximum limits the delay once the component is available again.
fn backoff_seconds(failures: u32) -> i64 {
    let doubled = 2_u64.saturating_pow(failures.saturating_sub(1));
    let seconds = DELIVERY_BACKOFF_INITIAL_SECONDS.saturating_mul(doubled).min(DELIVERY_BACKOFF_MAX_SECONDS);
    i64::try_from(seconds).unwrap_or(i64::MAX)
}

/// The latest plausible time of a next attempt, as seen at `now`: twice the maximum backoff, to tolerate clock
/// differences. A later time was stored by a clock that has been set back since.
#[must_use]
pub fn latest_next_attempt(now: Timestamp) -> Timestamp {
    now.plus_seconds(i64::try_from(DELIVERY_BACKOFF_MAX_SECONDS.saturating_mul(2)).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_micros(second * 1_000_000).unwrap()
    }

    fn delivered(version: u64, second: i64) -> DeliveredVersion {
        DeliveredVersion { version, delivered_at: at(second) }
    }

    fn failure(second: i64) -> AttemptFailure {
        AttemptFailure { kind: DeliveryErrorKind::TimedOut, failed_at: at(second) }
    }

    /// Two changes, at seconds 10 and 11.
    fn changed() -> DeliveryProgress {
        DeliveryProgress::default().after_change(at(10)).after_change(at(11))
    }

    #[test]
    fn changes_increment_the_version_and_are_pending_since_the_first() {
        let expected = DeliveryProgress { version: 2, pending_since: Some(at(10)), ..DeliveryProgress::default() };
        assert_eq!(changed(), expected);
    }

    #[test]
    fn a_change_keeps_the_failures_and_the_next_attempt() {
        let failed = changed().after_failure(failure(12)).unwrap();
        assert_eq!(failed.after_change(at(13)), DeliveryProgress { version: 3, ..failed });
    }

    #[test]
    fn the_delivery_of_the_newest_version_ends_the_wait_and_the_failures() {
        let after = changed().after_failure(failure(12)).unwrap().after_delivery(delivered(2, 14), at(13));
        let delivered = Some(delivered(2, 14));
        assert_eq!(after, Some(DeliveryProgress { version: 2, delivered, ..DeliveryProgress::default() }));
    }

    #[test]
    fn the_delivery_of_a_version_that_was_changed_since_stays_pending_from_its_read_on() {
        let after = changed().after_delivery(delivered(1, 14), at(13)).unwrap();
        assert_eq!((after.pending_since, after.delivered), (Some(at(13)), Some(delivered(1, 14))));
    }

    #[test]
    fn the_same_or_an_older_delivered_version_never_replaces_a_newer_one() {
        let newest = changed().after_delivery(delivered(2, 14), at(13)).unwrap();
        for version in [0, 1, 2] {
            assert_eq!(newest.after_delivery(delivered(version, 16), at(15)), None);
        }
    }

    #[test]
    fn each_failure_is_counted_and_doubles_the_wait_up_to_a_maximum() {
        let seconds = [0, 1, 2, 3, 4, 5, 59, u32::MAX].map(|failures| {
            let after = DeliveryProgress { failures, ..changed() }.after_failure(failure(20)).unwrap();
            assert_eq!((after.failures, after.last_failure), (failures.saturating_add(1), Some(failure(20))));
            after.next_attempt.unwrap()
        });
        assert_eq!(seconds, [21, 22, 24, 28, 35, 35, 35, 35].map(at));
    }

    #[test]
    fn a_failure_changes_neither_the_version_nor_the_wait_nor_the_delivered_version() {
        let before = changed().after_delivery(delivered(1, 14), at(13)).unwrap();
        let after = before.after_failure(failure(15)).unwrap();
        let DeliveryProgress { failures, last_failure, next_attempt, .. } = after;
        assert_eq!(after, DeliveryProgress { failures, last_failure, next_attempt, ..before });
    }

    #[test]
    fn a_failure_is_not_recorded_when_nothing_is_pending() {
        let done = changed().after_delivery(delivered(2, 14), at(13)).unwrap();
        assert_eq!(
            (done.after_failure(failure(15)), DeliveryProgress::default().after_failure(failure(15))),
            (None, None)
        );
    }

    #[test]
    fn a_requeued_vocabulary_is_pending_again_at_the_same_version() {
        let done = changed().after_delivery(delivered(2, 14), at(13)).unwrap();
        let expected = DeliveryProgress { version: 2, pending_since: Some(at(20)), ..DeliveryProgress::default() };
        assert_eq!(done.after_requeue(at(20)), Some(expected));
        assert!(
            expected.after_delivery(delivered(2, 22), at(21)).is_some(),
            "the same version counts as delivered anew"
        );
    }

    #[test]
    fn a_requeue_ends_the_backoff_and_keeps_the_time_of_the_first_undelivered_change() {
        let failed = changed().after_failure(failure(12)).unwrap();
        let requeued = failed.after_requeue(at(20)).unwrap();
        assert_eq!(DeliveryProgress { pending_since: Some(at(10)), ..requeued }, changed());
        assert_eq!(at(10).until(requeued.pending_since.unwrap()).as_micros(), 1);
        assert_eq!(requeued.after_attempt(at(10), delivered(2, 22), at(21)), None, "an attempt from before");
    }

    #[test]
    fn a_vocabulary_that_was_never_changed_is_neither_delivered_nor_requeued() {
        let new = DeliveryProgress::default();
        assert_eq!((new.after_delivery(delivered(1, 14), at(13)), new.after_requeue(at(20))), (None, None));
    }

    #[test]
    fn a_failed_delivery_is_due_from_its_next_attempt_on() {
        let failed = changed().after_failure(failure(20)).unwrap();
        assert_eq!([20, 21, 22].map(|second| failed.is_due(at(second))), [false, true, true]);
    }

    #[test]
    fn a_next_attempt_that_no_clock_can_have_set_does_not_delay_a_delivery() {
        let failed = changed().after_failure(failure(100)).unwrap();
        assert_eq!([70, 71].map(|second| failed.is_due(at(second))), [true, false]);
    }

    #[test]
    fn nothing_is_due_when_nothing_is_pending() {
        let done = changed().after_delivery(delivered(2, 14), at(13)).unwrap();
        assert_eq!((done.is_due(at(99)), DeliveryProgress::default().is_due(at(99))), (false, false));
    }

    #[test]
    fn a_comparison_with_another_progress_fails() {
        let (stored, next) = (changed(), changed().after_failure(failure(12)).unwrap());
        assert_eq!(stored.compare_and_set(&changed(), &next), Some(next));
        assert_eq!(next.compare_and_set(&changed(), &next), None, "the failure is already recorded");
        assert_eq!(stored.compare_and_set(&changed().after_change(at(12)), &next), None, "the version is ahead");
        let new = DeliveryProgress::default();
        assert_eq!(new.compare_and_set(&new, &next), None, "nothing is stored yet");
    }

    #[test]
    fn a_change_since_the_read_keeps_a_delivery_from_being_complete() {
        let complete = changed().after_delivery(delivered(2, 14), at(13)).unwrap();
        assert_eq!(changed().after_change(at(13)).compare_and_set(&changed(), &complete), None);
    }

    #[test]
    fn a_transition_that_stays_pending_gives_the_same_result_before_and_after_a_change() {
        let before = changed();
        let (partial, failed) = (before.after_delivery(delivered(1, 14), at(13)), before.after_failure(failure(12)));
        for next in [partial, failed, failed.unwrap().after_requeue(at(20))].map(Option::unwrap) {
            let raced = before.after_change(at(15)).compare_and_set(&before, &next);
            assert_eq!(raced, Some(next.after_change(at(15))));
        }
    }
}
