//! What is known of one connection, shared by its stream, its requests and the registry.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use futures_util::task::AtomicWaker;

/// Where a connection is in its exchange of requests and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Accepted; neither the TLS handshake nor the first head is complete.
    Opening,
    /// Between an answer and the first byte of the next head.
    Idle,
    /// A head other than the first arrives.
    Head,
    /// A request is with the application, or its answer is not complete.
    Request,
    /// No further request is read; the client may take its time to notice for a moment.
    Closing,
}

impl Phase {
    const ALL: [Self; 5] = [Self::Opening, Self::Idle, Self::Head, Self::Request, Self::Closing];

    fn of_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::Closing)
    }
}

/// Why the guard ended a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CutReason {
    /// A head did not arrive in time.
    HeadTimeout,
    /// The client sent no further request in time.
    IdleTimeout,
    /// A body did not arrive in time.
    BodyTimeout,
    /// The client took its answers too slowly.
    SlowReader,
    /// The connection was being closed, and the client did not notice in time.
    LingerTimeout,
    /// A newer connection took its place under a cap.
    Evicted,
    /// The server stops, in order.
    Draining,
    /// The server stops at once.
    Stopped,
}

impl CutReason {
    /// Every reason.
    pub const ALL: [Self; 8] = [
        Self::HeadTimeout,
        Self::IdleTimeout,
        Self::BodyTimeout,
        Self::SlowReader,
        Self::LingerTimeout,
        Self::Evicted,
        Self::Draining,
        Self::Stopped,
    ];

    /// The reason as one word for metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HeadTimeout => "head_timeout",
            Self::IdleTimeout => "idle_timeout",
            Self::BodyTimeout => "body_timeout",
            Self::SlowReader => "slow_reader",
            Self::LingerTimeout => "linger_timeout",
            Self::Evicted => "evicted",
            Self::Draining => "draining",
            Self::Stopped => "stopped",
        }
    }

    /// Whether the connection ends at once, whatever is on its way. The others let an answer be sent first.
    pub(super) fn is_immediate(self) -> bool {
        matches!(self, Self::SlowReader | Self::LingerTimeout | Self::Evicted | Self::Stopped)
    }

    fn code(self) -> u8 {
        // Zero stands for no cut.
        Self::ALL.iter().position(|reason| *reason == self).and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(1)
    }

    fn of_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code.checked_sub(1)?)).copied()
    }
}

/// The interim response `100 Continue`, which the application triggers when it begins to read a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Continue {
    NotExpected,
    Expected,
    Requested,
}

fn packed(phase: Phase, now: u32) -> u64 {
    (u64::from(phase as u8) << 32) | u64::from(now)
}

/// What is known of one connection. Times are ticks of the registry.
#[derive(Debug)]
pub(super) struct ConnectionState {
    pub(super) id: u64,
    /// Accepted beyond the cap: only health is answered, once.
    pub(super) health_only: bool,
    /// The phase in the upper half, in the lower half the tick in which it began, so that both are read together.
    phase: AtomicU64,
    written: AtomicU64,
    blocked: AtomicBool,
    body_incomplete: AtomicBool,
    read_ahead: AtomicBool,
    authenticated: AtomicBool,
    waits_for_turn: AtomicBool,
    /// Pipelined requests that were begun or put off in this tick.
    pipelined: AtomicU32,
    interim: AtomicU8,
    cut: AtomicU8,
    waker: AtomicWaker,
}

impl ConnectionState {
    pub(super) fn new(id: u64, health_only: bool, now: u32) -> Self {
        Self {
            id,
            health_only,
            phase: AtomicU64::new(packed(Phase::Opening, now)),
            written: AtomicU64::new(0),
            blocked: AtomicBool::new(false),
            body_incomplete: AtomicBool::new(false),
            read_ahead: AtomicBool::new(false),
            authenticated: AtomicBool::new(false),
            waits_for_turn: AtomicBool::new(false),
            pipelined: AtomicU32::new(0),
            interim: AtomicU8::new(Continue::NotExpected as u8),
            cut: AtomicU8::new(0),
            waker: AtomicWaker::new(),
        }
    }

    /// The phase, and the tick in which it began.
    pub(super) fn phase_and_since(&self) -> (Phase, u32) {
        let packed = self.phase.load(Relaxed);
        let half = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).unwrap_or_default();
        (Phase::of_code(u8::try_from(half(packed >> 32)).unwrap_or(u8::MAX)), half(packed))
    }

    pub(super) fn phase(&self) -> Phase {
        self.phase_and_since().0
    }

    pub(super) fn enter(&self, phase: Phase, now: u32) {
        self.phase.store(packed(phase, now), Relaxed);
    }

    pub(super) fn written(&self) -> u64 {
        self.written.load(Relaxed)
    }

    pub(super) fn count_written(&self, bytes: usize) {
        self.written.fetch_add(u64::try_from(bytes).unwrap_or(u64::MAX), Relaxed);
    }

    /// Whether output waits for the client.
    pub(super) fn is_blocked(&self) -> bool {
        self.blocked.load(Relaxed)
    }

    pub(super) fn set_blocked(&self, blocked: bool) {
        self.blocked.store(blocked, Relaxed);
    }

    pub(super) fn is_body_incomplete(&self) -> bool {
        self.body_incomplete.load(Relaxed)
    }

    pub(super) fn set_body_incomplete(&self, incomplete: bool) {
        self.body_incomplete.store(incomplete, Relaxed);
    }

    /// Whether bytes of the next request wait for the present answer to be complete.
    pub(super) fn has_read_ahead(&self) -> bool {
        self.read_ahead.load(Relaxed)
    }

    pub(super) fn set_read_ahead(&self, read_ahead: bool) {
        self.read_ahead.store(read_ahead, Relaxed);
    }

    /// Whether its present or last request had a good credential.
    pub(super) fn is_authenticated(&self) -> bool {
        self.authenticated.load(Relaxed)
    }

    pub(super) fn set_authenticated(&self, authenticated: bool) {
        self.authenticated.store(authenticated, Relaxed);
    }

    /// Counts one more pipelined request, and gives how many were begun or put off in this tick.
    pub(super) fn count_pipelined(&self) -> u32 {
        self.pipelined.fetch_add(1, Relaxed) + 1
    }

    /// Its next request waits until it may be begun.
    pub(super) fn wait_for_turn(&self) {
        self.waits_for_turn.store(true, Relaxed);
    }

    /// Begins to count pipelined requests anew, and wakes its task where its next request waits.
    pub(super) fn begin_tick(&self) {
        self.pipelined.store(0, Relaxed);
        if self.waits_for_turn.swap(false, Relaxed) {
            self.wake();
        }
    }

    pub(super) fn interim(&self) -> Continue {
        match self.interim.load(Relaxed) {
            code if code == Continue::Expected as u8 => Continue::Expected,
            code if code == Continue::Requested as u8 => Continue::Requested,
            _ => Continue::NotExpected,
        }
    }

    pub(super) fn set_interim(&self, interim: Continue) {
        self.interim.store(interim as u8, Relaxed);
    }

    /// Why the connection is to end, if it is.
    pub(super) fn cut(&self) -> Option<CutReason> {
        CutReason::of_code(self.cut.load(Relaxed))
    }

    /// Records why the connection is to end, and wakes its task. The first reason stands, but for those that end it at once.
    ///
    /// Returns whether no reason was recorded before.
    pub(super) fn cut_for(&self, reason: CutReason) -> bool {
        let before = if reason.is_immediate() {
            self.cut.swap(reason.code(), Relaxed)
        } else {
            self.cut.compare_exchange(0, reason.code(), Relaxed, Relaxed).unwrap_or_else(|before| before)
        };
        if before != reason.code() {
            self.wake();
        }
        before == 0
    }

    /// Registers the task that polls the stream.
    pub(super) fn register(&self, cx: &std::task::Context<'_>) {
        self.waker.register(cx.waker());
    }

    pub(super) fn wake(&self) {
        self.waker.wake();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phase_and_reason_survives_its_code() {
        assert!(Phase::ALL.iter().all(|phase| Phase::of_code(*phase as u8) == *phase));
        assert!(CutReason::ALL.iter().all(|reason| CutReason::of_code(reason.code()) == Some(*reason)));
        assert_eq!(CutReason::of_code(0), None);
    }

    #[test]
    fn the_first_reason_to_end_a_connection_stands() {
        let state = ConnectionState::new(1, false, 0);
        assert!(state.cut_for(CutReason::HeadTimeout) && !state.cut_for(CutReason::IdleTimeout));
        assert_eq!(state.cut(), Some(CutReason::HeadTimeout));
    }

    #[test]
    fn a_reason_to_end_a_connection_at_once_outweighs_one_before() {
        let state = ConnectionState::new(1, false, 0);
        assert!(state.cut_for(CutReason::BodyTimeout) && !state.cut_for(CutReason::SlowReader));
        assert_eq!(state.cut(), Some(CutReason::SlowReader));
    }

    #[test]
    fn a_phase_is_read_with_its_beginning() {
        let state = ConnectionState::new(1, false, 7);
        assert_eq!(state.phase_and_since(), (Phase::Opening, 7));
        state.enter(Phase::Closing, u32::MAX);
        assert_eq!(state.phase_and_since(), (Phase::Closing, u32::MAX));
    }
}
