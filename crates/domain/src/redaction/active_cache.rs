//! A cache of the active entities of each tenant, so that masking a message does not read the tenant's flags.

use std::{
    collections::HashMap,
    sync::{Arc, RwLock},
    time::Duration,
};

use super::{EntitySet, RedactionStore};
use crate::{
    access::TenantId,
    error::StoreError,
    limits::{ACTIVE_SET_CACHE_MAX_TENANTS, ACTIVE_SET_CACHE_SECONDS},
    sync,
    time::MonotonicClock,
};

/// Caches the entities that are active for each tenant. An entry is valid for [`ACTIVE_SET_CACHE_SECONDS`], or for a
/// shorter time set by [`with_ttl`](Self::with_ttl). A switch through this cache or a clone of it invalidates the entry
/// of the tenant at once.
#[derive(Clone)]
pub struct ActiveEntityCache {
    store: Arc<dyn RedactionStore>,
    clock: Arc<dyn MonotonicClock>,
    ttl: Duration,
    cache: Arc<RwLock<CacheState>>,
}

#[derive(Default)]
struct CacheState {
    /// The number of invalidations. A value that was loaded before an invalidation is not cached after it.
    generation: u64,
    entries: HashMap<TenantId, CacheEntry>,
}

struct CacheEntry {
    active: EntitySet,
    loaded_at: Duration,
}

impl CacheEntry {
    fn is_fresh(&self, now: Duration, ttl: Duration) -> bool {
        now.saturating_sub(self.loaded_at) < ttl
    }
}

const MAX_TTL: Duration = Duration::from_secs(ACTIVE_SET_CACHE_SECONDS.unsigned_abs());

impl ActiveEntityCache {
    /// An empty cache in front of `store`.
    #[must_use]
    pub fn new(store: Arc<dyn RedactionStore>, clock: Arc<dyn MonotonicClock>) -> Self {
        Self { store, clock, ttl: MAX_TTL, cache: Arc::default() }
    }

    /// The cache with entries that are valid for `seconds`, at most [`ACTIVE_SET_CACHE_SECONDS`].
    #[must_use]
    pub fn with_ttl(self, seconds: u32) -> Self {
        Self { ttl: Duration::from_secs(seconds.into()).min(MAX_TTL), ..self }
    }

    /// The entities that are active for a tenant.
    ///
    /// # Errors
    /// [`StoreError`] if the store is read and fails. The caller must then not use any text as if it were masked.
    pub async fn for_tenant(&self, tenant: &TenantId) -> Result<EntitySet, StoreError> {
        let now = self.clock.elapsed();
        let generation = {
            let cache = sync::read(&self.cache);
            if let Some(entry) = cache.entries.get(tenant).filter(|entry| entry.is_fresh(now, self.ttl)) {
                return Ok(entry.active);
            }
            cache.generation
        };
        let active = self.store.flags(tenant).await?.active();
        self.insert(tenant, CacheEntry { active, loaded_at: now }, generation);
        Ok(active)
    }

    fn insert(&self, tenant: &TenantId, loaded: CacheEntry, generation: u64) {
        let mut cache = sync::write(&self.cache);
        if cache.generation != generation {
            return;
        }
        if cache.entries.len() >= ACTIVE_SET_CACHE_MAX_TENANTS {
            cache.entries.retain(|_, entry| entry.is_fresh(loaded.loaded_at, self.ttl));
        }
        if cache.entries.len() < ACTIVE_SET_CACHE_MAX_TENANTS {
            cache.entries.insert(tenant.clone(), loaded);
        }
    }

    /// Removes the entry of a tenant.
    pub(crate) fn invalidate(&self, tenant: &TenantId) {
        let mut cache = sync::write(&self.cache);
        cache.generation += 1;
        cache.entries.remove(tenant);
    }
}
