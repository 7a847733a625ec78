//! The active sets of tenants, remembered for a while, so that a message costs no look at the flags.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use super::{EntitySet, RedactionStore};
use crate::{
    access::TenantId,
    error::StoreError,
    limits::{ACTIVE_SET_TRUST_SECONDS, ACTIVE_SETS_REMEMBERED},
    time::MonotonicClock,
};

/// Which entities are active for a tenant. What was read is trusted for [`ACTIVE_SET_TRUST_SECONDS`], or a shorter time
/// that is asked for, and dropped at once where a switch is thrown through the same value or a clone of it.
#[derive(Clone)]
pub struct ActiveSets {
    store: Arc<dyn RedactionStore>,
    clock: Arc<dyn MonotonicClock>,
    trust: Duration,
    remembered: Arc<RwLock<Remembered>>,
}

#[derive(Default)]
struct Remembered {
    /// How many switches were thrown: what was read before one of them is not remembered after it.
    switches: u64,
    sets: HashMap<TenantId, Read>,
}

struct Read {
    active: EntitySet,
    at: Duration,
}

impl Read {
    fn is_trusted(&self, now: Duration, trust: Duration) -> bool {
        now.saturating_sub(self.at) < trust
    }
}

const LONGEST_TRUST: Duration = Duration::from_secs(ACTIVE_SET_TRUST_SECONDS.unsigned_abs());

impl ActiveSets {
    /// The sets of this store.
    #[must_use]
    pub fn new(store: Arc<dyn RedactionStore>, clock: Arc<dyn MonotonicClock>) -> Self {
        Self { store, clock, trust: LONGEST_TRUST, remembered: Arc::default() }
    }

    /// The same, trusted for so many seconds, and no longer than [`ACTIVE_SET_TRUST_SECONDS`].
    #[must_use]
    pub fn trusted_for(self, seconds: u32) -> Self {
        Self { trust: Duration::from_secs(seconds.into()).min(LONGEST_TRUST), ..self }
    }

    /// The entities that are active for a tenant.
    ///
    /// # Errors
    /// [`StoreError`] where the store had to be asked and did not answer: no text may then be used as if it were masked.
    pub async fn of(&self, tenant: &TenantId) -> Result<EntitySet, StoreError> {
        let now = self.clock.elapsed();
        let switches = {
            let remembered = self.remembered.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(read) = remembered.sets.get(tenant).filter(|read| read.is_trusted(now, self.trust)) {
                return Ok(read.active);
            }
            remembered.switches
        };
        let active = self.store.flags(tenant).await?.active();
        self.remember(tenant, Read { active, at: now }, switches);
        Ok(active)
    }

    fn remember(&self, tenant: &TenantId, read: Read, switches: u64) {
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        if remembered.switches != switches {
            return;
        }
        if remembered.sets.len() >= ACTIVE_SETS_REMEMBERED {
            remembered.sets.retain(|_, other| other.is_trusted(read.at, self.trust));
        }
        if remembered.sets.len() < ACTIVE_SETS_REMEMBERED {
            remembered.sets.insert(tenant.clone(), read);
        }
    }

    /// Drops what is remembered of a tenant.
    pub(super) fn forget(&self, tenant: &TenantId) {
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        remembered.switches += 1;
        remembered.sets.remove(tenant);
    }
}
