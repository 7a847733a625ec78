//! The registry of all connections of one listener: limits, and the sweep that enforces deadlines.

use std::sync::{
    Arc, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
};

use parlance_domain::{access::ApiId, sync};
use tokio::time::{MissedTickBehavior, interval};

use super::{
    cut_reason::CutReason,
    deadline::{CUT_GRACE_TICKS, TICK, ticks_to_duration, timeout_reason},
    limits::{ConnectionLimits, PIPELINED_PER_CONNECTION_PER_TICK, PIPELINED_PER_TICK},
    replies::GuardReplies,
    state::{ConnectionState, Phase},
    table::{ConnectionEntry, ConnectionTable},
};

/// All connections of one listener. Clones share the registry.
#[derive(Clone)]
pub struct ConnectionRegistry(Arc<Shared>);

struct Shared {
    limits: ConnectionLimits,
    replies: GuardReplies,
    now: AtomicU32,
    /// Pipelined requests without a credential that may still begin in this tick.
    pipelined_budget: AtomicU32,
    draining: AtomicBool,
    refused: AtomicU64,
    cuts: [AtomicU64; CutReason::ALL.len()],
    table: Mutex<ConnectionTable>,
}

/// Counts of open, refused and cut connections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionCounts {
    /// Open connections.
    pub open: usize,
    /// Open connections whose request is not answered yet.
    pub in_request: usize,
    /// Connections that were refused at a limit.
    pub refused: u64,
    /// Connections that the guard cut, by reason.
    pub cut: Vec<(CutReason, u64)>,
}

impl ConnectionRegistry {
    /// An empty registry with these limits.
    #[must_use]
    pub fn new(limits: ConnectionLimits, replies: GuardReplies) -> Self {
        Self(Arc::new(Shared {
            limits,
            replies,
            now: AtomicU32::new(0),
            pipelined_budget: AtomicU32::new(PIPELINED_PER_TICK),
            draining: AtomicBool::new(false),
            refused: AtomicU64::new(0),
            cuts: Default::default(),
            table: Mutex::default(),
        }))
    }

    /// The limits of the connections.
    #[must_use]
    pub fn limits(&self) -> &ConnectionLimits {
        &self.0.limits
    }

    pub(super) fn replies(&self) -> &GuardReplies {
        &self.0.replies
    }

    pub(super) fn now(&self) -> u32 {
        self.0.now.load(Relaxed)
    }

    pub(super) fn table(&self) -> MutexGuard<'_, ConnectionTable> {
        sync::lock(&self.0.table)
    }

    /// Sweeps the connections once per tick, in an endless loop. Runs on any runtime, exactly once per
    /// registry.
    pub async fn run_sweeps(self) {
        let mut clock = interval(TICK);
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        clock.tick().await;
        loop {
            clock.tick().await;
            self.sweep();
        }
    }

    /// Ends idle connections now, and every other connection after its current response.
    pub fn drain(&self) {
        self.0.draining.store(true, Relaxed);
        self.end_idle();
    }

    /// Cuts every connection immediately, including those with a request or response in progress.
    pub fn end_all(&self) {
        for entry in self.table().entries.values() {
            self.cut(&entry.state, CutReason::Stopped);
        }
    }

    /// Whether the registry is draining.
    pub(super) fn is_draining(&self) -> bool {
        self.0.draining.load(Relaxed)
    }

    /// The counts of connections.
    #[must_use]
    pub fn counts(&self) -> ConnectionCounts {
        let cut = CutReason::ALL.into_iter().zip(&self.0.cuts).map(|(reason, count)| (reason, count.load(Relaxed)));
        let table = self.table();
        let in_request = table.entries.values().filter(|entry| entry.state.phase() == Phase::Request).count();
        let refused = self.0.refused.load(Relaxed);
        ConnectionCounts { open: table.entries.len(), in_request, refused, cut: cut.collect() }
    }

    pub(super) fn count_refused(&self) {
        self.0.refused.fetch_add(1, Relaxed);
    }

    pub(super) fn cut(&self, state: &ConnectionState, reason: CutReason) {
        if !state.record_cut(reason) {
            return;
        }
        if let Some((_, count)) = CutReason::ALL.iter().zip(&self.0.cuts).find(|(candidate, _)| **candidate == reason) {
            count.fetch_add(1, Relaxed);
        }
    }

    /// Counts a connection for this credential. If the cap of the credential is reached, other connections of the
    /// credential are evicted.
    ///
    /// Returns whether the connection is within the cap.
    pub(super) fn attribute(&self, id: u64, credential: &ApiId) -> bool {
        let mut table = self.table();
        let cap = self.limits().max_per_credential;
        if table.by_credential.get(credential).is_some_and(|count| *count >= cap) {
            let evicted = self
                .evict(&mut table, cap, |entry| entry.credential.as_ref() == Some(credential) && entry.state.id != id);
            if evicted.is_none() {
                self.count_refused();
                return false;
            }
        }
        table.attribute(id, credential);
        true
    }

    /// Returns whether a connection may begin a pipelined request in this tick. Otherwise the task of the connection is
    /// woken at the next tick.
    pub(super) fn try_begin_pipelined(&self, state: &ConnectionState) -> bool {
        if state.is_authenticated() {
            return true;
        }
        let decrement = |budget: u32| budget.checked_sub(1);
        let allowed = state.count_pipelined() <= PIPELINED_PER_CONNECTION_PER_TICK
            && self.0.pipelined_budget.fetch_update(Relaxed, Relaxed, decrement).is_ok();
        if !allowed {
            state.defer_pipelined();
        }
        allowed
    }

    pub(super) fn remove(&self, id: u64) {
        let mut table = self.table();
        table.release(id);
        table.entries.remove(&id);
    }

    /// Advances by one tick: cuts overdue connections, and wakes those that wait to begin a pipelined request.
    pub(super) fn sweep(&self) {
        let now = self.0.now.fetch_add(1, Relaxed) + 1;
        let limits = *self.limits();
        self.0.pipelined_budget.store(PIPELINED_PER_TICK, Relaxed);
        for entry in self.table().entries.values_mut() {
            entry.state.begin_tick();
            if let Some(reason) = expiry_reason(entry, now, &limits) {
                self.cut(&entry.state, reason);
            }
        }
        if self.is_draining() {
            self.end_idle();
        }
    }

    fn end_idle(&self) {
        for entry in self.table().entries.values() {
            if matches!(entry.state.phase(), Phase::Idle | Phase::Opening) && !entry.state.is_blocked() {
                self.cut(&entry.state, CutReason::Draining);
            }
        }
    }
}

/// The reason to cut a connection now, if any. While a response waits for the client, an idle or closing connection has
/// only the write deadline.
fn expiry_reason(entry: &mut ConnectionEntry, now: u32, limits: &ConnectionLimits) -> Option<CutReason> {
    let state = &entry.state;
    let (blocked, (phase, since)) = (state.is_blocked(), state.phase_and_since());
    if entry.progress.record_tick(blocked, state.written(), limits) {
        return Some(CutReason::SlowReader);
    }
    if state.cut_reason().is_some() && !blocked {
        entry.cut_ticks += 1;
        return (entry.cut_ticks >= CUT_GRACE_TICKS).then_some(CutReason::LingerTimeout);
    }
    if blocked && matches!(phase, Phase::Idle | Phase::Closing) {
        return None;
    }
    timeout_reason(phase, ticks_to_duration(now.saturating_sub(since)), state.is_body_incomplete(), limits)
}
