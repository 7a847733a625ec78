//! Leases in memory.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard},
};

use async_trait::async_trait;
use parlance_domain::{
    error::StoreError,
    lease::{Duty, LeaseRequest, LeaseStore, ReplicaId, Term},
    time::Timestamp,
};

/// Keeps leases for as long as it lives.
#[derive(Default)]
pub struct MemoryLeases(Mutex<BTreeMap<Duty, Lease>>);

struct Lease {
    replica: ReplicaId,
    term: Term,
    /// Nothing where it was given back.
    until: Option<Timestamp>,
}

impl MemoryLeases {
    fn leases(&self) -> MutexGuard<'_, BTreeMap<Duty, Lease>> {
        self.0.lock().expect("no test panics while it holds the lock")
    }
}

#[async_trait]
impl LeaseStore for MemoryLeases {
    async fn take(&self, request: &LeaseRequest) -> Result<Option<Term>, StoreError> {
        let mut leases = self.leases();
        let term = match leases.get(&request.duty) {
            None => Term(1),
            Some(lease) if lease.until.is_none_or(|until| until <= request.now || until > request.latest_end()) => {
                Term(lease.term.0 + 1)
            }
            Some(lease) if lease.replica == request.replica => lease.term,
            Some(_) => return Ok(None),
        };
        let lease = Lease { replica: request.replica.clone(), term, until: Some(request.until) };
        leases.insert(request.duty, lease);
        Ok(Some(term))
    }

    async fn give_back(&self, duty: Duty, replica: &ReplicaId) -> Result<(), StoreError> {
        if let Some(lease) = self.leases().get_mut(&duty).filter(|lease| lease.replica == *replica) {
            lease.until = None;
        }
        Ok(())
    }
}
