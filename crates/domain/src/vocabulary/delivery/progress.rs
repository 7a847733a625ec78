//! How far the delivery of a vocabulary is, and when it is tried again.

use std::time::Duration;

use super::DeliveryFailure;
use crate::{
    limits::{DELIVERY_PAUSE_FIRST_SECONDS, DELIVERY_PAUSE_MAX_SECONDS},
    time::Timestamp,
};

/// How far the delivery of a tenant's vocabulary is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliveryProgress {
    /// The newest version: 0 before the first change.
    pub version: u64,
    /// Since when something is not delivered: the moment of the first change that is not. None where all is.
    pub pending_since: Option<Timestamp>,
    /// What was delivered last.
    pub delivered: Option<Delivered>,
    /// How many attempts have failed since one succeeded.
    pub failures: u32,
    /// The last failed attempt since one succeeded.
    pub last_failure: Option<Failure>,
    /// Before when it is not tried again.
    pub next_attempt: Option<Timestamp>,
}

/// A version that reached the transcription component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivered {
    /// The version.
    pub version: u64,
    /// When the component had it.
    pub at: Timestamp,
}

/// A failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// What kept the vocabulary from the component.
    pub kind: DeliveryFailure,
    /// When.
    pub at: Timestamp,
}

/// How long to wait after so many failures in a row: one second after the first, twice as long after each, and never
/// more than [`DELIVERY_PAUSE_MAX_SECONDS`], so that a component that is back need not wait long.
#[must_use]
pub fn pause(failures: u32) -> Duration {
    let doubled = 2_u64.saturating_pow(failures.saturating_sub(1));
    Duration::from_secs(DELIVERY_PAUSE_FIRST_SECONDS.saturating_mul(doubled).min(DELIVERY_PAUSE_MAX_SECONDS))
}

/// The latest moment for which a next attempt can have been noted, as seen at `now`: the longest pause ahead, and once more
/// as long for clocks that differ. One that is noted for later was noted by a clock that has been set back since.
#[must_use]
pub fn latest_next_attempt(now: Timestamp) -> Timestamp {
    now.plus_seconds(i64::try_from(DELIVERY_PAUSE_MAX_SECONDS.saturating_mul(2)).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_doubles_with_each_failure_up_to_a_bound() {
        let seconds: Vec<_> = [1, 2, 3, 4, 5, 6, 60, u32::MAX].map(|failures| pause(failures).as_secs()).into();
        assert_eq!(seconds, [1, 2, 4, 8, 15, 15, 15, 15]);
    }
}
