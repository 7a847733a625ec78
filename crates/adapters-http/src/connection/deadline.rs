//! When a connection has taken too long: pure rules over its phase and its progress.

use std::time::Duration;

use super::{
    limits::{ConnectionLimits, LINGER},
    state::{CutReason, Phase},
};

/// How often connections are held to their deadlines: deadlines are met that much late at most.
pub(super) const TICK: Duration = Duration::from_millis(200);

/// For how many ticks a connection is new that has sent nothing: between 0.2 and 0.4 seconds.
pub(super) const NEW_TICKS: u32 = 1;

/// After how many ticks without progress a client is one that keeps the server waiting: a second.
pub(super) const PATIENCE_TICKS: u32 = 5;

/// After how many ticks an incomplete body makes a connection one that keeps the server waiting: five seconds.
pub(super) const BODY_PATIENCE_TICKS: u32 = 25;

/// After how many ticks a connection that is to end is ended at once: two seconds.
pub(super) const CUT_PATIENCE_TICKS: u32 = 10;

/// How long so many ticks take.
pub(super) fn ticks(count: u32) -> Duration {
    TICK.saturating_mul(count)
}

/// Why a connection that has been in this phase for so long is to end, if it is.
pub(super) fn overdue(
    phase: Phase,
    waited: Duration,
    body_incomplete: bool,
    limits: &ConnectionLimits,
) -> Option<CutReason> {
    let (limit, reason) = match phase {
        Phase::Opening | Phase::Head => (limits.head, CutReason::HeadTimeout),
        Phase::Idle => (limits.idle, CutReason::IdleTimeout),
        // The application refuses a late body with an answer; this is for bodies that it does not read.
        Phase::Request if body_incomplete => (limits.body.saturating_add(LINGER), CutReason::BodyTimeout),
        Phase::Request => return None,
        Phase::Closing => (LINGER, CutReason::LingerTimeout),
    };
    (waited >= limit).then_some(reason)
}

/// How fast a client takes what it is sent, measured over the time in which output waits for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct WriteProgress {
    blocked_ticks: u32,
    mark: u64,
    stalled_ticks: u32,
    last: u64,
}

impl WriteProgress {
    /// Notes one tick. Returns whether the client has been too slow for as long as it may be.
    pub(super) fn note(&mut self, blocked: bool, written: u64, limits: &ConnectionLimits) -> bool {
        let stalled = blocked && written == self.last;
        self.stalled_ticks = if stalled { self.stalled_ticks + 1 } else { 0 };
        self.last = written;
        if !blocked {
            return false;
        }
        if self.blocked_ticks == 0 {
            self.mark = written;
        }
        self.blocked_ticks += 1;
        let blocked_for = ticks(self.blocked_ticks);
        if blocked_for < limits.write {
            return false;
        }
        let taken = written.saturating_sub(self.mark);
        self.blocked_ticks = 0;
        u128::from(taken) * 1_000 < u128::from(limits.write_floor) * blocked_for.as_millis()
    }

    /// Whether the client has taken nothing of what waits for it for so many ticks.
    pub(super) fn is_stalled_for(&self, ticks: u32) -> bool {
        self.stalled_ticks >= ticks
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) const LIMITS: ConnectionLimits = ConnectionLimits {
        head: Duration::from_secs(5),
        idle: Duration::from_secs(75),
        body: Duration::from_secs(10),
        write: Duration::from_secs(10),
        write_floor: 1_024,
        connections: 4,
        per_address: Some(3),
        per_credential: 2,
    };

    fn after(phase: Phase, seconds: u64) -> Option<CutReason> {
        overdue(phase, Duration::from_secs(seconds), false, &LIMITS)
    }

    #[test]
    fn every_head_has_the_same_deadline() {
        for phase in [Phase::Opening, Phase::Head] {
            assert_eq!((after(phase, 4), after(phase, 5)), (None, Some(CutReason::HeadTimeout)));
        }
    }

    #[test]
    fn a_connection_may_be_idle_for_longer_than_a_head_may_take() {
        assert_eq!((after(Phase::Idle, 74), after(Phase::Idle, 75)), (None, Some(CutReason::IdleTimeout)));
    }

    #[test]
    fn an_answer_may_take_its_time_and_a_body_may_not() {
        assert_eq!(after(Phase::Request, 3_600), None);
        let body = |seconds| overdue(Phase::Request, Duration::from_secs(seconds), true, &LIMITS);
        assert_eq!((body(10), body(11)), (None, Some(CutReason::BodyTimeout)));
    }

    /// Whether a client is cut off that takes so many bytes a tick, in so many ticks.
    fn too_slow(bytes: u64, blocked: impl Fn(u32) -> bool, count: u32) -> bool {
        let mut progress = WriteProgress::default();
        (1..=count).any(|tick| progress.note(blocked(tick), bytes * u64::from(tick), &LIMITS))
    }

    #[test]
    fn a_client_below_the_floor_is_too_slow_once_its_time_is_over() {
        assert!(!too_slow(100, |_| true, 49), "ten seconds are not over");
        assert!(too_slow(100, |_| true, 50));
    }

    #[test]
    fn a_client_above_the_floor_may_go_on_for_ever() {
        assert!(!too_slow(210, |_| true, 10_000));
    }

    #[test]
    fn time_in_which_nothing_waits_for_the_client_does_not_count() {
        assert!(!too_slow(0, |_| false, 10_000));
        assert!(!too_slow(100, |tick| tick % 2 == 0, 99));
    }
}
