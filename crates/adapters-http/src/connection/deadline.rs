//! Deadlines of a connection: pure rules over its phase and its write progress.

use std::time::Duration;

use super::{
    cut_reason::CutReason,
    limits::{ConnectionLimits, LINGER},
    state::Phase,
};

/// Interval of the sweep over all connections. A deadline is enforced at most one tick late.
pub(super) const TICK: Duration = Duration::from_millis(200);

/// Ticks for which a connection without a request counts as new: between 0.2 and 0.4 seconds.
pub(super) const NEW_TICKS: u32 = 1;

/// Ticks without progress after which a client counts as slow: one second.
pub(super) const SLOW_CLIENT_TICKS: u32 = 5;

/// Ticks after which a client with an incomplete body counts as slow: five seconds.
pub(super) const SLOW_BODY_TICKS: u32 = 25;

/// Ticks after which a connection that was cut is closed immediately: two seconds.
pub(super) const CUT_GRACE_TICKS: u32 = 10;

/// The duration of this number of ticks.
pub(super) fn ticks_to_duration(count: u32) -> Duration {
    TICK.saturating_mul(count)
}

/// The reason to cut a connection that has been in this phase for `waited`; `None` before the deadline.
pub(super) fn timeout_reason(
    phase: Phase,
    waited: Duration,
    body_incomplete: bool,
    limits: &ConnectionLimits,
) -> Option<CutReason> {
    let (limit, reason) = match phase {
        Phase::Opening | Phase::Head => (limits.head_timeout, CutReason::HeadTimeout),
        Phase::Idle => (limits.idle_timeout, CutReason::IdleTimeout),
        // The application itself refuses a late body. This limit covers bodies that the application does not read.
        Phase::Request if body_incomplete => (limits.body_timeout.saturating_add(LINGER), CutReason::BodyTimeout),
        Phase::Request => return None,
        Phase::Closing => (LINGER, CutReason::LingerTimeout),
    };
    (waited >= limit).then_some(reason)
}

/// The rate at which a client reads, measured only while output waits for the client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct WriteProgress {
    blocked_ticks: u32,
    window_start_bytes: u64,
    stalled_ticks: u32,
    last_written: u64,
}

impl WriteProgress {
    /// Records one tick. Returns whether the client read below the minimum rate over the write timeout.
    pub(super) fn record_tick(&mut self, blocked: bool, written: u64, limits: &ConnectionLimits) -> bool {
        let stalled = blocked && written == self.last_written;
        self.stalled_ticks = if stalled { self.stalled_ticks + 1 } else { 0 };
        self.last_written = written;
        if !blocked {
            return false;
        }
        if self.blocked_ticks == 0 {
            self.window_start_bytes = written;
        }
        self.blocked_ticks += 1;
        let blocked_for = ticks_to_duration(self.blocked_ticks);
        if blocked_for < limits.write_timeout {
            return false;
        }
        let taken = written.saturating_sub(self.window_start_bytes);
        self.blocked_ticks = 0;
        u128::from(taken) * 1_000 < u128::from(limits.min_write_rate) * blocked_for.as_millis()
    }

    /// Whether the client has read none of the waiting output for at least this many ticks.
    pub(super) fn is_stalled_for(&self, ticks: u32) -> bool {
        self.stalled_ticks >= ticks
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) const LIMITS: ConnectionLimits = ConnectionLimits {
        head_timeout: Duration::from_secs(5),
        idle_timeout: Duration::from_secs(75),
        body_timeout: Duration::from_secs(10),
        write_timeout: Duration::from_secs(10),
        min_write_rate: 1_024,
        max_connections: 4,
        max_per_address: Some(3),
        max_per_credential: 2,
    };

    fn timeout_after(phase: Phase, seconds: u64) -> Option<CutReason> {
        timeout_reason(phase, Duration::from_secs(seconds), false, &LIMITS)
    }

    #[test]
    fn every_head_has_the_same_deadline() {
        for phase in [Phase::Opening, Phase::Head] {
            assert_eq!((timeout_after(phase, 4), timeout_after(phase, 5)), (None, Some(CutReason::HeadTimeout)));
        }
    }

    #[test]
    fn a_connection_may_be_idle_for_longer_than_a_head_may_take() {
        assert_eq!(
            (timeout_after(Phase::Idle, 74), timeout_after(Phase::Idle, 75)),
            (None, Some(CutReason::IdleTimeout))
        );
    }

    #[test]
    fn a_body_has_a_deadline_and_a_response_has_none() {
        assert_eq!(timeout_after(Phase::Request, 3_600), None);
        let body = |seconds| timeout_reason(Phase::Request, Duration::from_secs(seconds), true, &LIMITS);
        assert_eq!((body(10), body(11)), (None, Some(CutReason::BodyTimeout)));
    }

    /// Whether a client that reads `bytes` per tick is cut off within `count` ticks.
    fn is_cut_off(bytes: u64, blocked: impl Fn(u32) -> bool, count: u32) -> bool {
        let mut progress = WriteProgress::default();
        (1..=count).any(|tick| progress.record_tick(blocked(tick), bytes * u64::from(tick), &LIMITS))
    }

    #[test]
    fn a_client_below_the_minimum_rate_is_cut_off_after_the_write_timeout() {
        assert!(!is_cut_off(100, |_| true, 49), "49 ticks are less than ten seconds");
        assert!(is_cut_off(100, |_| true, 50));
    }

    #[test]
    fn a_client_above_the_minimum_rate_is_never_cut_off() {
        assert!(!is_cut_off(210, |_| true, 10_000));
    }

    #[test]
    fn time_without_pending_output_does_not_count() {
        assert!(!is_cut_off(0, |_| false, 10_000));
        assert!(!is_cut_off(100, |tick| tick % 2 == 0, 99));
    }
}
