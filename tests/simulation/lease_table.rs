//! The store of leases, with the check of terms that a database makes in the transaction of a write.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use parlance_domain::{
    error::StoreError,
    id::Id,
    lease::{LeaseName, LeaseRequest, LeaseStore, LeaseTerm, Leases, ReplicaId},
    time::{Clock, Timestamp},
};
use pollster::block_on;
use support::memory_leases::MemoryLeases;

use crate::{
    clock::{ComputerClock, DATABASE},
    fault::Fault,
    world::World,
};

/// The leases in the database, which all replicas share.
#[derive(Clone)]
pub(crate) struct LeaseTable {
    world: World,
    state: Arc<Mutex<State>>,
}

struct State {
    stored: MemoryLeases,
    /// The number of processes that were started. Each has an identifier of its own.
    processes: u128,
    newest: Option<Holding>,
}

/// The newest term with its holder, and its expiry by the clock of the database.
#[derive(Clone)]
struct Holding {
    term: LeaseTerm,
    replica: ReplicaId,
    until: Timestamp,
}

fn empty_store(world: &World) -> MemoryLeases {
    MemoryLeases::with_clock(Arc::new(ComputerClock::new(world, DATABASE)))
}

impl LeaseTable {
    pub(crate) fn new(world: &World) -> Self {
        let state = State { stored: empty_store(world), processes: 0, newest: None };
        Self { world: world.clone(), state: Arc::new(Mutex::new(state)) }
    }

    /// The leases of a new process.
    pub(crate) fn leases_of_new_process(&self) -> Leases {
        let mut state = self.state.lock().unwrap();
        state.processes += 1;
        Leases::new(Arc::new(SimulatedLeases(self.clone())), Id::from_bits(state.processes))
    }

    fn now(&self) -> Timestamp {
        ComputerClock::new(&self.world, DATABASE).now()
    }

    /// The newest term; 0 if the lease was never taken.
    pub(crate) fn newest_term(&self) -> LeaseTerm {
        self.state.lock().unwrap().newest.as_ref().map_or(LeaseTerm(0), |holding| holding.term)
    }

    /// Whether a write with this term lands. The database compares the term in the transaction of the write.
    pub(crate) fn accepts(&self, term: LeaseTerm, unchecked: Fault) -> bool {
        let is_newest = self.newest_term() == term;
        if !is_newest {
            self.world.trace(|| format!("a write of term {} is overtaken by term {}", term.0, self.newest_term().0));
        }
        is_newest || self.world.has(unchecked)
    }

    /// A write has landed: its term must be the newest.
    pub(crate) fn check_landed(&self, term: LeaseTerm) {
        let newest = self.newest_term();
        if term != newest {
            self.world.violate(format!("a write of term {} landed in term {}", term.0, newest.0));
        }
    }

    fn acquire(&self, request: &LeaseRequest) -> Option<LeaseTerm> {
        let mut state = self.state.lock().unwrap();
        let is_of_another = |holding: &Holding| holding.replica != request.replica && holding.until > self.now();
        if self.world.has(Fault::BelievedExpiry) && state.newest.as_ref().is_some_and(is_of_another) {
            return None;
        }
        let term = block_on(state.stored.acquire(request)).unwrap()?;
        self.record(&mut state, term, request);
        Some(term)
    }

    /// The term of a free lease, which the first step of an acquisition in two steps reads.
    fn read_free(&self, seconds: i64) -> Option<LeaseTerm> {
        let (state, now) = (self.state.lock().unwrap(), self.now());
        let Some(holding) = &state.newest else { return Some(LeaseTerm(0)) };
        let is_held = holding.until > now && holding.until <= now.plus_seconds(2 * seconds);
        (!is_held).then_some(holding.term)
    }

    /// The second step of an acquisition in two steps.
    fn acquire_after_read(&self, request: &LeaseRequest, read: LeaseTerm) -> LeaseTerm {
        let term = LeaseTerm(read.0 + 1);
        self.record(&mut self.state.lock().unwrap(), term, request);
        term
    }

    fn record(&self, state: &mut State, term: LeaseTerm, request: &LeaseRequest) {
        let holding =
            Holding { term, replica: request.replica.clone(), until: self.now().plus_seconds(request.seconds) };
        self.world.trace(|| format!("process {} has the lease in term {}", short(&holding.replica), term.0));
        if let Some(before) = &state.newest {
            let is_renewal = term == before.term && holding.replica == before.replica;
            if term <= before.term && !is_renewal {
                self.world.violate(format!("term {} was given after term {}", term.0, before.term.0));
            }
        }
        state.newest = Some(holding);
    }

    fn release(&self, name: LeaseName, replica: &ReplicaId) {
        self.world.trace(|| format!("process {} releases the lease", short(replica)));
        let mut state = self.state.lock().unwrap();
        block_on(state.stored.release(name, replica)).unwrap();
        if self.world.has(Fault::TermsBeginAnew) {
            state.stored = empty_store(&self.world);
        }
    }
}

/// The number of a process.
fn short(replica: &ReplicaId) -> &str {
    replica.as_str().trim_start_matches('0')
}

/// The store of leases as one replica reaches it.
struct SimulatedLeases(LeaseTable);

#[async_trait]
impl LeaseStore for SimulatedLeases {
    async fn acquire(&self, request: &LeaseRequest) -> Result<Option<LeaseTerm>, StoreError> {
        let (table, world, request) = (self.0.clone(), &self.0.world, request.clone());
        if !world.has(Fault::LeaseInTwoSteps) {
            return world.call_store(move || table.acquire(&request)).await;
        }
        let (reader, seconds) = (table.clone(), request.seconds);
        let Some(read) = world.call_store(move || reader.read_free(seconds)).await? else { return Ok(None) };
        world.call_store(move || Some(table.acquire_after_read(&request, read))).await
    }

    async fn release(&self, lease: LeaseName, replica: &ReplicaId) -> Result<(), StoreError> {
        let (table, replica) = (self.0.clone(), replica.clone());
        self.0.world.call_store(move || table.release(lease, &replica)).await
    }
}
