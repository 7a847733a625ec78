//! The circuit breaker: it stops calls to an analyzer that fails.

use std::time::Duration;

/// The number of failures in a row after which calls stop.
const MAX_FAILURES: u32 = 5;

/// How long calls stop before one is tried.
const OPEN_FOR: Duration = Duration::from_secs(5);

/// Whether calls are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakerState {
    /// Calls are made.
    Closed,
    /// One call is made, to find out whether the analyzer works again.
    HalfOpen,
    /// No calls are made.
    Open,
}

/// The breaker. Times are elapsed times of one clock.
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    failures: u32,
    open_until: Option<Duration>,
    has_trial: bool,
}

impl Breaker {
    pub(crate) fn state(&self) -> BreakerState {
        match (self.open_until, self.has_trial) {
            (None, _) => BreakerState::Closed,
            (Some(_), true) => BreakerState::HalfOpen,
            (Some(_), false) => BreakerState::Open,
        }
    }

    /// Whether a call may be made now. The outcome of an admitted call must be [recorded](Self::record).
    pub(crate) fn admit(&mut self, now: Duration) -> bool {
        let Some(open_until) = self.open_until else { return true };
        if self.has_trial || now < open_until {
            return false;
        }
        self.has_trial = true;
        true
    }

    /// Records the outcome of a call. Returns the new state if it changed.
    pub(crate) fn record(&mut self, is_success: bool, now: Duration) -> Option<BreakerState> {
        let before = self.open_until.is_some();
        if is_success {
            *self = Self::default();
        } else {
            self.failures = self.failures.saturating_add(1);
            self.has_trial = false;
            if self.failures >= MAX_FAILURES {
                self.open_until = Some(now + OPEN_FOR);
            }
        }
        (before != self.open_until.is_some()).then(|| self.state())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn open() -> Breaker {
        let mut breaker = Breaker::default();
        let changes: Vec<_> = (0..MAX_FAILURES).map(|_| breaker.record(false, at(0))).collect();
        assert_eq!(changes, [None, None, None, None, Some(BreakerState::Open)]);
        breaker
    }

    #[test]
    fn failures_in_a_row_stop_calls_for_a_time() {
        let mut breaker = open();
        assert!(!breaker.admit(at(0)) && !breaker.admit(at(4_999)));
        assert!(breaker.admit(OPEN_FOR));
    }

    #[test]
    fn a_success_between_failures_keeps_calls_going() {
        let mut breaker = Breaker::default();
        for _ in 0..10 {
            assert_eq!(breaker.record(false, at(0)), None);
            assert_eq!(breaker.record(true, at(0)), None);
        }
        assert!(breaker.admit(at(0)));
    }

    #[test]
    fn one_call_at_a_time_is_tried_afterwards() {
        let mut breaker = open();
        assert!(breaker.admit(OPEN_FOR) && !breaker.admit(OPEN_FOR));
        assert_eq!(breaker.state(), BreakerState::HalfOpen);
    }

    #[test]
    fn a_failed_trial_stops_calls_again_and_a_success_resumes_them() {
        let mut breaker = open();
        assert!(breaker.admit(OPEN_FOR));
        assert_eq!(breaker.record(false, OPEN_FOR), None);
        assert!(!breaker.admit(at(9_999)) && breaker.admit(OPEN_FOR * 2));
        assert_eq!(breaker.record(true, OPEN_FOR * 2), Some(BreakerState::Closed));
        assert!(breaker.admit(OPEN_FOR * 2) && breaker.admit(OPEN_FOR * 2));
    }
}
