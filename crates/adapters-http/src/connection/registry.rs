//! All connections of one listener: their caps, and the sweep that holds each to its deadlines.

use std::{
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
};

use parlance_domain::access::{ApiId, network};
use tokio::time::{MissedTickBehavior, interval};

use super::{
    admission::Admitted,
    deadline::{CUT_PATIENCE_TICKS, TICK, overdue, ticks},
    limits::{ConnectionLimits, PIPELINED_OF_ONE_PER_TICK, PIPELINED_PER_TICK},
    replies::ReplyIds,
    state::{ConnectionState, CutReason, Phase},
    table::{Entry, Table},
};

/// All connections of one listener. Cloning shares them.
#[derive(Clone)]
pub struct ConnectionRegistry(Arc<Shared>);

struct Shared {
    limits: ConnectionLimits,
    replies: ReplyIds,
    now: AtomicU32,
    /// Pipelined requests of connections without a credential that may still be begun in this tick.
    pipelined_left: AtomicU32,
    draining: AtomicBool,
    refused: AtomicU64,
    cuts: [AtomicU64; CutReason::ALL.len()],
    table: Mutex<Table>,
}

/// How many connections there are, and what became of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionCounts {
    /// Open connections.
    pub open: usize,
    /// Connections that were refused because of a cap.
    pub refused: u64,
    /// Connections that the guard ended, by reason.
    pub cut: Vec<(CutReason, u64)>,
}

impl ConnectionRegistry {
    /// An empty registry with these limits.
    #[must_use]
    pub fn new(limits: ConnectionLimits, replies: ReplyIds) -> Self {
        Self(Arc::new(Shared {
            limits,
            replies,
            now: AtomicU32::new(0),
            pipelined_left: AtomicU32::new(PIPELINED_PER_TICK),
            draining: AtomicBool::new(false),
            refused: AtomicU64::new(0),
            cuts: Default::default(),
            table: Mutex::default(),
        }))
    }

    /// What its connections may cost.
    #[must_use]
    pub fn limits(&self) -> &ConnectionLimits {
        &self.0.limits
    }

    pub(super) fn replies(&self) -> &ReplyIds {
        &self.0.replies
    }

    pub(super) fn now(&self) -> u32 {
        self.0.now.load(Relaxed)
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds every connection to its deadlines, for ever. Runs on any runtime, once for each registry.
    pub async fn watch(self) {
        let mut clock = interval(TICK);
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        clock.tick().await;
        loop {
            clock.tick().await;
            self.sweep();
        }
    }

    /// Lets idle connections end, and others after the answer that they wait for.
    pub fn drain(&self) {
        self.0.draining.store(true, Relaxed);
        self.end_idle();
    }

    /// Ends every connection at once, whatever is on its way.
    pub fn end_all(&self) {
        for entry in self.table().entries.values() {
            self.cut(&entry.state, CutReason::Stopped);
        }
    }

    /// Whether connections are to end.
    pub(super) fn is_draining(&self) -> bool {
        self.0.draining.load(Relaxed)
    }

    /// How many connections there are.
    #[must_use]
    pub fn counts(&self) -> ConnectionCounts {
        let cut = CutReason::ALL.into_iter().zip(&self.0.cuts).map(|(reason, count)| (reason, count.load(Relaxed)));
        ConnectionCounts { open: self.table().entries.len(), refused: self.0.refused.load(Relaxed), cut: cut.collect() }
    }

    /// Admits a connection from this address; nothing where that is one too many. A connection over a cap takes the place of
    /// one whose client keeps the server waiting, so that such connections never shut others out.
    pub(super) fn admit(&self, peer: Option<IpAddr>) -> Option<Admitted> {
        let address = peer.map(network);
        let mut table = self.table();
        let admitted = self.make_room(&mut table, address);
        let Some(health_only) = admitted else {
            self.0.refused.fetch_add(1, Relaxed);
            return None;
        };
        let state = table.insert(address, health_only, self.now());
        Some(Admitted { state, registry: self.clone() })
    }

    pub(super) fn cut(&self, state: &ConnectionState, reason: CutReason) {
        if !state.cut_for(reason) {
            return;
        }
        if let Some((_, count)) = CutReason::ALL.iter().zip(&self.0.cuts).find(|(known, _)| **known == reason) {
            count.fetch_add(1, Relaxed);
        }
    }

    /// Counts a connection for this credential.
    ///
    /// Returns whether the credential may have it.
    pub(super) fn attribute(&self, id: u64, credential: &ApiId) -> bool {
        let mut table = self.table();
        let most = self.limits().per_credential;
        if table.by_credential.get(credential).is_some_and(|count| *count >= most) {
            let evicted = self
                .evict(&mut table, most, |entry| entry.credential.as_ref() == Some(credential) && entry.state.id != id);
            if evicted.is_none() {
                self.0.refused.fetch_add(1, Relaxed);
                return false;
            }
        }
        table.attribute(id, credential);
        true
    }

    /// Lets a connection begin with a request that it has received already, one of so many in each tick. Where it may not, its
    /// task is woken in one of the next ticks.
    pub(super) fn take_pipelined_turn(&self, state: &ConnectionState) -> bool {
        if state.is_authenticated() {
            return true;
        }
        let one_less = |left: u32| left.checked_sub(1);
        let may = state.count_pipelined() <= PIPELINED_OF_ONE_PER_TICK
            && self.0.pipelined_left.fetch_update(Relaxed, Relaxed, one_less).is_ok();
        if !may {
            state.wait_for_turn();
        }
        may
    }

    pub(super) fn remove(&self, id: u64) {
        let mut table = self.table();
        table.release(id);
        table.entries.remove(&id);
    }

    /// Lets one tick pass: ends what is overdue, and lets pipelined requests begin that wait for their turn.
    pub(super) fn sweep(&self) {
        let now = self.0.now.fetch_add(1, Relaxed) + 1;
        let limits = *self.limits();
        self.0.pipelined_left.store(PIPELINED_PER_TICK, Relaxed);
        for entry in self.table().entries.values_mut() {
            entry.state.begin_tick();
            if let Some(reason) = due(entry, now, &limits) {
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

/// Why a connection is to end now, if it is. While an answer waits for the client, idling and closing have no deadline but that
/// of reading.
fn due(entry: &mut Entry, now: u32, limits: &ConnectionLimits) -> Option<CutReason> {
    let state = &entry.state;
    let (blocked, (phase, since)) = (state.is_blocked(), state.phase_and_since());
    if entry.progress.note(blocked, state.written(), limits) {
        return Some(CutReason::SlowReader);
    }
    if state.cut().is_some() && !blocked {
        entry.cut_ticks += 1;
        return (entry.cut_ticks >= CUT_PATIENCE_TICKS).then_some(CutReason::LingerTimeout);
    }
    if blocked && matches!(phase, Phase::Idle | Phase::Closing) {
        return None;
    }
    overdue(phase, ticks(now.saturating_sub(since)), state.is_body_incomplete(), limits)
}
