//! The store of deliveries as a replica reaches it: the store in memory, behind a network.

use std::sync::Arc;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    time::Timestamp,
    vocabulary::delivery::{DeliveryProgress, DeliveryStore, VocabularySnapshot},
};
use pollster::block_on;
use support::memory::MemoryStore;

use crate::{fault::Fault, vocabulary_component::SimulatedComponent, world::World};

/// The database with the vocabularies. Clones share it.
#[derive(Clone)]
pub(crate) struct SimulatedDeliveries {
    pub(crate) world: World,
    pub(crate) memory: Arc<MemoryStore>,
    pub(crate) component: SimulatedComponent,
}

impl SimulatedDeliveries {
    pub(crate) fn progress_of(&self, tenant: &TenantId) -> DeliveryProgress {
        block_on(self.memory.progress(tenant)).unwrap()
    }

    pub(crate) fn snapshot_of(&self, tenant: &TenantId) -> VocabularySnapshot {
        block_on(self.memory.snapshot(tenant)).unwrap()
    }

    fn due_at(&self, now: Timestamp, limit: u16) -> Vec<TenantId> {
        let mut due = block_on(self.memory.due(now, limit)).unwrap();
        if self.world.has(Fault::BelievedNextAttempt) {
            due.retain(|tenant| self.progress_of(tenant).next_attempt.is_none_or(|next| next <= now));
        }
        due
    }

    /// Stores the next progress, if the stored one is as expected. What counts as delivered must have arrived.
    fn replace(&self, tenant: &TenantId, expected: &DeliveryProgress, next: &DeliveryProgress) -> bool {
        let stored = self.progress_of(tenant);
        let expected = match (self.world.has(Fault::BlindWrite), self.world.has(Fault::UnseenRequeue)) {
            (true, _) => stored,
            (_, true) => DeliveryProgress { version: expected.version, ..stored },
            _ => *expected,
        };
        let is_replaced = block_on(self.memory.compare_and_set(tenant, &expected, next)).unwrap();
        self.world.trace(|| {
            let outcome = if is_replaced { "stored" } else { "refused" };
            let version = next.delivered.map_or(0, |delivered| delivered.version);
            format!("{tenant}: {outcome}: version {version} delivered, {} failures", next.failures)
        });
        let delivered = self.progress_of(tenant).delivered.map_or(0, |delivered| delivered.version);
        if !self.component.has_received(tenant, delivered) {
            self.world.violate(format!("version {delivered} of {tenant} counts as delivered and never arrived"));
        }
        is_replaced
    }
}

#[async_trait]
impl DeliveryStore for SimulatedDeliveries {
    async fn due(&self, now: Timestamp, limit: u16) -> Result<Vec<TenantId>, StoreError> {
        let store = self.clone();
        self.world.call_store(move || store.due_at(now, limit)).await
    }

    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        let memory = Arc::clone(&self.memory);
        self.world.call_store(move || block_on(memory.tenants()).unwrap()).await
    }

    async fn progress(&self, tenant: &TenantId) -> Result<DeliveryProgress, StoreError> {
        let (store, tenant) = (self.clone(), tenant.clone());
        self.world.call_store(move || store.progress_of(&tenant)).await
    }

    async fn snapshot(&self, tenant: &TenantId) -> Result<VocabularySnapshot, StoreError> {
        let (store, of) = (self.clone(), tenant.clone());
        let snapshot = self.world.call_store(move || store.snapshot_of(&of)).await?;
        if !self.world.has(Fault::TornSnapshot) {
            return Ok(snapshot);
        }
        let later = self.progress(tenant).await?;
        Ok(VocabularySnapshot { version: later.version, ..snapshot })
    }

    async fn compare_and_set(
        &self,
        tenant: &TenantId,
        expected: &DeliveryProgress,
        next: &DeliveryProgress,
    ) -> Result<bool, StoreError> {
        let (store, tenant, expected, next) = (self.clone(), tenant.clone(), *expected, *next);
        self.world.call_store(move || store.replace(&tenant, &expected, &next)).await
    }
}
