//! All connections of one listener: their caps, and the sweep that holds each to its deadlines.

use std::{
    future::poll_fn,
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    task::Poll,
};

use parlance_domain::access::ApiId;
use tokio::time::{MissedTickBehavior, interval};

use super::{
    deadline::{TICK, overdue, ticks},
    limits::{ConnectionLimits, EVICTED_SHARE, RESERVED_CONNECTIONS},
    replies::ReplyIds,
    state::{ConnectionState, CutReason, Phase},
    table::{Entry, Table, network},
};

/// All connections of one listener. Cloning shares them.
#[derive(Clone)]
pub struct ConnectionRegistry(Arc<Shared>);

struct Shared {
    limits: ConnectionLimits,
    replies: ReplyIds,
    now: AtomicU32,
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
            draining: AtomicBool::new(false),
            refused: AtomicU64::new(0),
            cuts: Default::default(),
            table: Mutex::default(),
        }))
    }

    pub(super) fn limits(&self) -> &ConnectionLimits {
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

    /// Makes room for one connection, and says whether it may only ask for health.
    fn make_room(&self, table: &mut Table, address: Option<IpAddr>) -> Option<bool> {
        let limits = self.limits();
        let of_address = address.and_then(|address| table.by_address.get(&address)).copied().unwrap_or_default();
        if let Some(most) = limits.per_address.filter(|most| of_address >= *most) {
            self.evict(table, most, |entry| entry.address == address && !entry.state.health_only)?;
        }
        let most = limits.connections;
        if table.admitted < most || self.evict(table, most, |entry| !entry.state.health_only).is_some() {
            return Some(false);
        }
        let reserved = table.entries.values().filter(|entry| entry.state.health_only && !entry.is_released).count();
        if reserved >= RESERVED_CONNECTIONS {
            self.evict(table, RESERVED_CONNECTIONS, |entry| entry.state.health_only)?;
        }
        Some(true)
    }

    /// Ends some of the connections that match, so that the next ones need not look through all of them again.
    fn evict(&self, table: &mut Table, cap: usize, matches: impl Fn(&Entry) -> bool) -> Option<()> {
        let evicted = table.least_worth((cap / EVICTED_SHARE).max(1), self.now(), matches);
        for id in &evicted {
            if let Some(state) = table.release(*id) {
                self.cut(&state, CutReason::Evicted);
            }
        }
        (!evicted.is_empty()).then_some(())
    }

    fn cut(&self, state: &ConnectionState, reason: CutReason) {
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

    fn remove(&self, id: u64) {
        let mut table = self.table();
        table.release(id);
        table.entries.remove(&id);
    }

    /// Lets one tick pass, and ends what is overdue.
    fn sweep(&self) {
        let now = self.0.now.fetch_add(1, Relaxed) + 1;
        let limits = *self.limits();
        for entry in self.table().entries.values_mut() {
            let state = &entry.state;
            let waited = ticks(now.saturating_sub(state.since()));
            let late = overdue(state.phase(), waited, state.is_body_incomplete(), &limits);
            let slow = entry.progress.note(state.is_blocked(), state.written(), &limits);
            if let Some(reason) = late.or_else(|| slow.then_some(CutReason::SlowReader)) {
                self.cut(state, reason);
            }
        }
        if self.is_draining() {
            self.end_idle();
        }
    }

    fn end_idle(&self) {
        for entry in self.table().entries.values() {
            if matches!(entry.state.phase(), Phase::Idle | Phase::Opening) {
                self.cut(&entry.state, CutReason::Draining);
            }
        }
    }
}

/// An admitted connection. It counts until this is dropped.
pub(super) struct Admitted {
    pub(super) state: Arc<ConnectionState>,
    pub(super) registry: ConnectionRegistry,
}

impl Admitted {
    /// Waits until the connection is to end.
    pub(super) async fn ended(&self) {
        poll_fn(|cx| {
            self.state.register(cx);
            if self.state.cut().is_some() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.registry.remove(self.state.id);
    }
}

#[cfg(test)]
mod tests {
    use super::{super::deadline::tests::LIMITS, *};

    fn registry() -> ConnectionRegistry {
        let ids = ReplyIds::new(
            Arc::new(parlance_domain::id::MockIdSource::new()),
            Arc::new(parlance_domain::time::MockClock::new()),
        );
        ConnectionRegistry::new(LIMITS, ids)
    }

    fn admit(registry: &ConnectionRegistry, address: &str) -> Option<Admitted> {
        registry.admit(Some(address.parse().unwrap()))
    }

    /// A connection that waits for its next request.
    fn idle(registry: &ConnectionRegistry, address: &str) -> Admitted {
        in_phase(Phase::Idle, registry, address)
    }

    fn busy(registry: &ConnectionRegistry, address: &str) -> Admitted {
        in_phase(Phase::Request, registry, address)
    }

    fn in_phase(phase: Phase, registry: &ConnectionRegistry, address: &str) -> Admitted {
        let admitted = admit(registry, address).unwrap();
        admitted.state.enter(phase, registry.now());
        admitted
    }

    fn sweep(registry: &ConnectionRegistry, seconds: u32) {
        for _ in 0..seconds * 5 {
            registry.sweep();
        }
    }

    #[test]
    fn one_more_of_an_address_takes_the_place_of_its_longest_waiting() {
        let registry = registry();
        let first = idle(&registry, "10.0.0.1");
        sweep(&registry, 1);
        let (second, third) = (idle(&registry, "10.0.0.1"), busy(&registry, "10.0.0.1"));
        let _fourth = admit(&registry, "10.0.0.1").unwrap();
        assert_eq!(
            [&first, &second, &third].map(|admitted| admitted.state.cut()),
            [Some(CutReason::Evicted), None, None]
        );
    }

    #[test]
    fn an_address_whose_connections_are_all_busy_gets_no_more_and_others_do() {
        let registry = registry();
        let busy: Vec<_> = (0..3).map(|_| busy(&registry, "10.0.0.1")).collect();
        assert!(admit(&registry, "10.0.0.1").is_none() && admit(&registry, "10.0.0.2").is_some());
        assert!(busy.iter().all(|admitted| admitted.state.cut().is_none()));
        assert_eq!(registry.counts().refused, 1);
    }

    #[test]
    fn who_never_sent_a_request_goes_before_who_waits_for_longer_between_two() {
        let registry = registry();
        let kept = idle(&registry, "10.0.0.1");
        sweep(&registry, 1);
        let silent = admit(&registry, "10.0.0.1").unwrap();
        let _third = idle(&registry, "10.0.0.1");
        let _fourth = admit(&registry, "10.0.0.1").unwrap();
        assert_eq!((kept.state.cut(), silent.state.cut()), (None, Some(CutReason::Evicted)));
    }

    #[test]
    fn who_does_not_read_or_send_a_body_goes_before_who_waits_between_two_requests() {
        let registry = registry();
        let kept = idle(&registry, "10.0.0.1");
        let (unread, unsent) = (busy(&registry, "10.0.0.1"), busy(&registry, "10.0.0.1"));
        unread.state.set_blocked(true);
        unsent.state.set_body_incomplete(true);
        sweep(&registry, 2);
        let _more = [admit(&registry, "10.0.0.1"), admit(&registry, "10.0.0.1")];
        let cut = [&kept, &unread, &unsent].map(|admitted| admitted.state.cut());
        assert_eq!(cut, [None, Some(CutReason::Evicted), None]);
    }

    #[test]
    fn who_has_fewer_connections_keeps_them() {
        let registry = registry();
        let credential = |tenant: &str| ApiId::parse(&format!("{tenant}.01JZX900000000000000000000")).unwrap();
        let idle: Vec<_> = (1..=4).map(|host| idle(&registry, &format!("10.0.0.{host}"))).collect();
        for (admitted, tenant) in idle.iter().zip(["few", "many", "many"]) {
            assert!(registry.attribute(admitted.state.id, &credential(tenant)));
        }
        let cut = || idle.iter().map(|admitted| admitted.state.cut().is_some()).collect::<Vec<_>>();
        let _fifth = busy(&registry, "10.0.0.5");
        assert_eq!(cut(), [false, false, false, true], "before others one that carried no credential");
        let _sixth = busy(&registry, "10.0.0.6");
        assert_eq!(cut(), [false, true, false, true]);
    }

    #[test]
    fn beyond_the_cap_of_all_only_health_is_answered() {
        let registry = registry();
        let _busy: Vec<_> = (1..=4).map(|host| busy(&registry, &format!("10.0.0.{host}"))).collect();
        let reserved: Vec<_> = (0..RESERVED_CONNECTIONS).map(|_| registry.admit(None).unwrap()).collect();
        assert!(reserved.iter().all(|admitted| admitted.state.health_only));
        let newest = registry.admit(None).unwrap();
        assert!(newest.state.health_only);
        assert_eq!(reserved[0].state.cut(), Some(CutReason::Evicted), "the longest waiting of the reserve makes room");
    }

    #[test]
    fn a_place_is_free_again_once_its_connection_is_gone() {
        let registry = registry();
        let mut busy: Vec<_> = (0..3).map(|_| busy(&registry, "10.0.0.1")).collect();
        busy.pop();
        let _newest = admit(&registry, "10.0.0.1").unwrap();
        assert_eq!(registry.counts().open, 3);
    }

    #[test]
    fn a_credential_with_as_many_busy_connections_as_it_may_have_gets_no_more() {
        let registry = registry();
        let credential = ApiId::parse("acme.01JZX900000000000000000000").unwrap();
        let busy: Vec<_> = (1..=3).map(|host| busy(&registry, &format!("10.0.0.{host}"))).collect();
        let admitted: Vec<_> = busy.iter().map(|busy| registry.attribute(busy.state.id, &credential)).collect();
        assert_eq!(admitted, [true, true, false]);
        busy[0].state.enter(Phase::Idle, 0);
        assert!(registry.attribute(busy[2].state.id, &credential));
        assert_eq!(busy[0].state.cut(), Some(CutReason::Evicted));
    }

    #[test]
    fn what_is_overdue_is_ended_and_counted() {
        let registry = registry();
        let (opening, idle) = (admit(&registry, "10.0.0.1").unwrap(), idle(&registry, "10.0.0.2"));
        sweep(&registry, 5);
        assert_eq!((opening.state.cut(), idle.state.cut()), (Some(CutReason::HeadTimeout), None));
        sweep(&registry, 70);
        assert_eq!(idle.state.cut(), Some(CutReason::IdleTimeout));
        let counts = registry.counts().cut;
        assert!(counts.contains(&(CutReason::HeadTimeout, 1)) && counts.contains(&(CutReason::IdleTimeout, 1)));
    }

    #[test]
    fn who_does_not_read_is_cut_off() {
        let registry = registry();
        let admitted = busy(&registry, "10.0.0.1");
        admitted.state.set_blocked(true);
        sweep(&registry, 9);
        assert_eq!(admitted.state.cut(), None);
        sweep(&registry, 1);
        assert_eq!(admitted.state.cut(), Some(CutReason::SlowReader));
    }

    #[test]
    fn a_server_that_stops_ends_idle_connections_at_once_and_others_after_their_answer() {
        let registry = registry();
        let (waiting, working) = (idle(&registry, "10.0.0.1"), busy(&registry, "10.0.0.2"));
        registry.drain();
        assert_eq!((waiting.state.cut(), working.state.cut()), (Some(CutReason::Draining), None));
        working.state.enter(Phase::Idle, registry.now());
        registry.sweep();
        assert_eq!(working.state.cut(), Some(CutReason::Draining));
    }
}
