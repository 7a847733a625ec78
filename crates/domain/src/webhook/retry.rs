//! When a delivery is tried again.

use crate::{
    limits::{WEBHOOK_FAILING_SECONDS, WEBHOOK_RETRY_SECONDS},
    time::{MICROS_PER_SECOND, Timestamp},
};

/// A random part of a delay, so that endpoints that failed together are not tried together: 0 to 1,000 thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Jitter(u16);

impl Jitter {
    /// This many thousandths, at most 1,000.
    #[must_use]
    pub fn from_thousandths(thousandths: u16) -> Self {
        Self(thousandths.min(1_000))
    }
}

/// The time of the next attempt after this many failures in succession: the delay of the list, and up to a tenth of it.
pub(super) fn next_attempt(failures: u32, now: Timestamp, jitter: Jitter) -> Timestamp {
    let index = usize::try_from(failures.saturating_sub(1)).unwrap_or(usize::MAX);
    let [.., longest] = WEBHOOK_RETRY_SECONDS;
    let seconds = WEBHOOK_RETRY_SECONDS.get(index).copied().unwrap_or(longest);
    let micros = seconds * MICROS_PER_SECOND;
    let delay = micros + micros / 10_000 * i64::from(jitter.0);
    Timestamp::from_micros(now.as_micros().saturating_add(delay)).unwrap_or(Timestamp::MAX)
}

/// Whether a delivery that fails since this time has failed for so long that its webhook is switched off.
pub(super) fn is_too_long(failing_since: Timestamp, now: Timestamp) -> bool {
    failing_since.plus_seconds(WEBHOOK_FAILING_SECONDS) <= now
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SECONDS_PER_DAY;

    fn delay(failures: u32, thousandths: u16) -> i64 {
        next_attempt(failures, Timestamp::EPOCH, Jitter::from_thousandths(thousandths)).as_micros() / MICROS_PER_SECOND
    }

    #[test]
    fn each_failure_waits_longer_up_to_ten_hours() {
        let delays = [1, 2, 3, 4, 5, 6, 7, 8, 100].map(|failures| delay(failures, 0));
        assert_eq!(delays, [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, 36_000, 36_000]);
    }

    #[test]
    fn jitter_adds_at_most_a_tenth() {
        assert_eq!((delay(2, 0), delay(2, 500), delay(2, 1_000), delay(2, u16::MAX)), (300, 315, 330, 330));
    }

    #[test]
    fn five_days_are_too_long() {
        let limit = Timestamp::EPOCH.plus_seconds(5 * SECONDS_PER_DAY);
        assert!(is_too_long(Timestamp::EPOCH, limit));
        assert!(!is_too_long(Timestamp::EPOCH, limit.plus_seconds(-1)));
    }
}
