//! The progress of a delivery and the backoff between attempts.

use std::time::Duration;

use super::DeliveryErrorKind;
use crate::{
    limits::{DELIVERY_BACKOFF_INITIAL_SECONDS, DELIVERY_BACKOFF_MAX_SECONDS},
    time::Timestamp,
};

/// The progress of the delivery of a tenant's vocabulary.
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

/// The delay after this number of consecutive failures: one second after the first failure, doubled after each further
/// one, at most [`DELIVERY_BACKOFF_MAX_SECONDS`]. The maximum limits the delay once the component is available again.
#[must_use]
pub fn backoff(failures: u32) -> Duration {
    let doubled = 2_u64.saturating_pow(failures.saturating_sub(1));
    Duration::from_secs(DELIVERY_BACKOFF_INITIAL_SECONDS.saturating_mul(doubled).min(DELIVERY_BACKOFF_MAX_SECONDS))
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

    #[test]
    fn the_backoff_doubles_with_each_failure_up_to_a_maximum() {
        let seconds: Vec<_> = [1, 2, 3, 4, 5, 6, 60, u32::MAX].map(|failures| backoff(failures).as_secs()).into();
        assert_eq!(seconds, [1, 2, 4, 8, 15, 15, 15, 15]);
    }
}
