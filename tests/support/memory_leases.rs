//! The store of leases in memory.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard},
};

use async_trait::async_trait;
use parlance_domain::{
    error::StoreError,
    lease::{LeaseName, LeaseRequest, LeaseStore, LeaseTerm, ReplicaId},
    time::Timestamp,
};

/// Implements the store of leases in memory. Dropping the value drops the leases.
#[derive(Default)]
pub struct MemoryLeases(Mutex<BTreeMap<LeaseName, Lease>>);

struct Lease {
    replica: ReplicaId,
    term: LeaseTerm,
    /// The expiry; `None` if the lease was released.
    expires_at: Option<Timestamp>,
}

impl MemoryLeases {
    fn leases(&self) -> MutexGuard<'_, BTreeMap<LeaseName, Lease>> {
        self.0.lock().expect("no panic while the lock is held")
    }
}

#[async_trait]
impl LeaseStore for MemoryLeases {
    async fn acquire(&self, request: &LeaseRequest) -> Result<Option<LeaseTerm>, StoreError> {
        let mut leases = self.leases();
        let term = match leases.get(&request.name) {
            None => LeaseTerm(1),
            Some(lease)
                if lease.expires_at.is_none_or(|expiry| expiry <= request.now || expiry > request.max_expiry()) =>
            {
                LeaseTerm(lease.term.0 + 1)
            }
            Some(lease) if lease.replica == request.replica => lease.term,
            Some(_) => return Ok(None),
        };
        let lease = Lease { replica: request.replica.clone(), term, expires_at: Some(request.until) };
        leases.insert(request.name, lease);
        Ok(Some(term))
    }

    async fn release(&self, name: LeaseName, replica: &ReplicaId) -> Result<(), StoreError> {
        if let Some(lease) = self.leases().get_mut(&name).filter(|lease| lease.replica == *replica) {
            lease.expires_at = None;
        }
        Ok(())
    }
}
