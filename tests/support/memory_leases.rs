//! The store of leases in memory.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::{SystemTime, UNIX_EPOCH},
};

use async_trait::async_trait;
use parlance_domain::{
    error::StoreError,
    lease::{LeaseName, LeaseRequest, LeaseStore, LeaseTerm, ReplicaId},
    time::{Clock, Timestamp},
};

/// Implements the store of leases in memory. Dropping the value drops the leases.
pub struct MemoryLeases {
    clock: Arc<dyn Clock>,
    leases: Mutex<BTreeMap<LeaseName, Lease>>,
}

struct Lease {
    replica: ReplicaId,
    term: LeaseTerm,
    /// The expiry; `None` if the lease was released.
    expires_at: Option<Timestamp>,
}

/// The clock of this machine.
struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is after 1970").as_micros();
        Timestamp::from_micros(i64::try_from(since_1970).expect("in range")).expect("in range")
    }
}

impl Default for MemoryLeases {
    fn default() -> Self {
        Self::with_clock(Arc::new(SystemClock))
    }
}

impl MemoryLeases {
    /// No leases, whose expiry this clock measures.
    #[must_use]
    pub fn with_clock(clock: Arc<dyn Clock>) -> Self {
        Self { clock, leases: Mutex::default() }
    }

    fn leases(&self) -> MutexGuard<'_, BTreeMap<LeaseName, Lease>> {
        self.leases.lock().expect("no panic while the lock is held")
    }
}

#[async_trait]
impl LeaseStore for MemoryLeases {
    async fn acquire(&self, request: &LeaseRequest) -> Result<Option<LeaseTerm>, StoreError> {
        let mut leases = self.leases();
        let now = self.clock.now();
        let latest = now.plus_seconds(request.max_remaining_seconds());
        let term = match leases.get(&request.name) {
            None => LeaseTerm(1),
            Some(lease) if lease.expires_at.is_none_or(|expiry| expiry <= now || expiry > latest) => {
                LeaseTerm(lease.term.0 + 1)
            }
            Some(lease) if lease.replica == request.replica => lease.term,
            Some(_) => return Ok(None),
        };
        let lease =
            Lease { replica: request.replica.clone(), term, expires_at: Some(now.plus_seconds(request.seconds)) };
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
