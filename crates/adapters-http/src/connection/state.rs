//! The state of one connection, shared by its stream, its requests and the registry.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use futures_util::task::AtomicWaker;

use super::cut_reason::CutReason;

/// The phase of a connection in its exchange of requests and responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The connection is accepted. Its TLS handshake or its first head is not complete.
    Opening,
    /// Between a response and the first byte of the next head.
    Idle,
    /// A head other than the first is arriving.
    Head,
    /// The application processes a request, or the response is not complete.
    Request,
    /// No further request is read. The client has a short time to notice.
    Closing,
}

impl Phase {
    const ALL: [Self; 5] = [Self::Opening, Self::Idle, Self::Head, Self::Request, Self::Closing];

    fn from_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::Closing)
    }
}

/// State of the interim response `100 Continue`, which the application requests when it begins to read a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContinueState {
    NotExpected,
    Expected,
    Requested,
}

fn pack(phase: Phase, now: u32) -> u64 {
    (u64::from(phase as u8) << 32) | u64::from(now)
}

/// The state of one connection. Times are ticks of the registry.
#[derive(Debug)]
pub(super) struct ConnectionState {
    pub(super) id: u64,
    /// The connection was accepted beyond a cap. The connection serves one request, for a health
    /// path.
    pub(super) health_only: bool,
    /// The phase in the upper half and its start tick in the lower half, so that both are read atomically.
    phase: AtomicU64,
    written: AtomicU64,
    blocked: AtomicBool,
    body_incomplete: AtomicBool,
    read_ahead: AtomicBool,
    client_done: AtomicBool,
    authenticated: AtomicBool,
    pipelined_deferred: AtomicBool,
    /// Pipelined requests that began or were deferred in this tick.
    pipelined: AtomicU32,
    interim: AtomicU8,
    cut_code: AtomicU8,
    waker: AtomicWaker,
}

impl ConnectionState {
    pub(super) fn new(id: u64, health_only: bool, now: u32) -> Self {
        Self {
            id,
            health_only,
            phase: AtomicU64::new(pack(Phase::Opening, now)),
            written: AtomicU64::new(0),
            blocked: AtomicBool::new(false),
            body_incomplete: AtomicBool::new(false),
            read_ahead: AtomicBool::new(false),
            client_done: AtomicBool::new(false),
            authenticated: AtomicBool::new(false),
            pipelined_deferred: AtomicBool::new(false),
            pipelined: AtomicU32::new(0),
            interim: AtomicU8::new(ContinueState::NotExpected as u8),
            cut_code: AtomicU8::new(0),
            waker: AtomicWaker::new(),
        }
    }

    /// The phase and its start tick.
    pub(super) fn phase_and_since(&self) -> (Phase, u32) {
        let packed = self.phase.load(Relaxed);
        let half = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).unwrap_or_default();
        (Phase::from_code(u8::try_from(half(packed >> 32)).unwrap_or(u8::MAX)), half(packed))
    }

    pub(super) fn phase(&self) -> Phase {
        self.phase_and_since().0
    }

    pub(super) fn enter(&self, phase: Phase, now: u32) {
        self.phase.store(pack(phase, now), Relaxed);
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

    /// Whether bytes of the next request wait until the current response is complete.
    pub(super) fn has_read_ahead(&self) -> bool {
        self.read_ahead.load(Relaxed)
    }

    pub(super) fn set_read_ahead(&self, read_ahead: bool) {
        self.read_ahead.store(read_ahead, Relaxed);
    }

    /// Whether the client has closed its sending side.
    pub(super) fn is_client_done(&self) -> bool {
        self.client_done.load(Relaxed)
    }

    /// Records that the client has closed its sending side, and wakes the task of the connection: a request that waits for
    /// something else is to end.
    pub(super) fn record_client_done(&self) {
        if !self.client_done.swap(true, Relaxed) {
            self.wake();
        }
    }

    /// Whether the current or last request had a valid credential.
    pub(super) fn is_authenticated(&self) -> bool {
        self.authenticated.load(Relaxed)
    }

    pub(super) fn set_authenticated(&self, authenticated: bool) {
        self.authenticated.store(authenticated, Relaxed);
    }

    /// Counts one more pipelined request. Returns how many began or were deferred in this tick.
    pub(super) fn count_pipelined(&self) -> u32 {
        self.pipelined.fetch_add(1, Relaxed) + 1
    }

    /// Defers the next pipelined request to the next tick.
    pub(super) fn defer_pipelined(&self) {
        self.pipelined_deferred.store(true, Relaxed);
    }

    /// Resets the count of pipelined requests, and wakes the task of the connection if a request was deferred.
    pub(super) fn begin_tick(&self) {
        self.pipelined.store(0, Relaxed);
        if self.pipelined_deferred.swap(false, Relaxed) {
            self.wake();
        }
    }

    pub(super) fn interim(&self) -> ContinueState {
        match self.interim.load(Relaxed) {
            code if code == ContinueState::Expected as u8 => ContinueState::Expected,
            code if code == ContinueState::Requested as u8 => ContinueState::Requested,
            _ => ContinueState::NotExpected,
        }
    }

    pub(super) fn set_interim(&self, interim: ContinueState) {
        self.interim.store(interim as u8, Relaxed);
    }

    /// The reason for which the connection was cut, if any.
    pub(super) fn cut_reason(&self) -> Option<CutReason> {
        CutReason::from_code(self.cut_code.load(Relaxed))
    }

    /// Records the cut reason and wakes the task of the connection. The first reason is kept, unless the new one is
    /// immediate.
    ///
    /// Returns whether this is the first recorded reason.
    pub(super) fn record_cut(&self, reason: CutReason) -> bool {
        let before = if reason.is_immediate() {
            self.cut_code.swap(reason.code(), Relaxed)
        } else {
            self.cut_code.compare_exchange(0, reason.code(), Relaxed, Relaxed).unwrap_or_else(|before| before)
        };
        if before != reason.code() {
            self.wake();
        }
        before == 0
    }

    /// Registers the waker of the task that polls the stream.
    pub(super) fn register_waker(&self, cx: &std::task::Context<'_>) {
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
    fn phases_round_trip_through_their_codes() {
        assert!(Phase::ALL.iter().all(|phase| Phase::from_code(*phase as u8) == *phase));
    }

    #[test]
    fn the_first_cut_reason_is_kept() {
        let state = ConnectionState::new(1, false, 0);
        assert!(state.record_cut(CutReason::HeadTimeout) && !state.record_cut(CutReason::IdleTimeout));
        assert_eq!(state.cut_reason(), Some(CutReason::HeadTimeout));
    }

    #[test]
    fn an_immediate_cut_reason_replaces_an_earlier_one() {
        let state = ConnectionState::new(1, false, 0);
        assert!(state.record_cut(CutReason::BodyTimeout) && !state.record_cut(CutReason::SlowReader));
        assert_eq!(state.cut_reason(), Some(CutReason::SlowReader));
    }

    #[test]
    fn a_phase_is_read_with_its_start_tick() {
        let state = ConnectionState::new(1, false, 7);
        assert_eq!(state.phase_and_since(), (Phase::Opening, 7));
        state.enter(Phase::Closing, u32::MAX);
        assert_eq!(state.phase_and_since(), (Phase::Closing, u32::MAX));
    }
}
