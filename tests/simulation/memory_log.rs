//! The change log as a replica reaches it whose protocol needs no open transactions: the log in memory, behind a network.

use std::sync::Arc;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{ChangeLog, FeedChange, LogPosition, LogRead, LogStatus},
    time::Timestamp,
};
use pollster::block_on;
use support::memory::MemoryStore;

use crate::world::World;

/// The change log.
pub(crate) struct NetworkedLog {
    pub(crate) world: World,
    pub(crate) memory: Arc<MemoryStore>,
}

impl NetworkedLog {
    async fn call<T: Send + 'static>(
        &self,
        effect: impl FnOnce(&MemoryStore) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let memory = Arc::clone(&self.memory);
        self.world.call_store(move || effect(&memory)).await
    }
}

#[async_trait]
impl ChangeLog for NetworkedLog {
    async fn read(&self, tenant: &TenantId, after: LogPosition, limit: usize) -> Result<LogRead, StoreError> {
        let tenant = tenant.clone();
        self.call(move |memory| block_on(memory.read(&tenant, after, limit)).unwrap()).await
    }

    async fn oldest(&self, tenant: &TenantId) -> Result<LogPosition, StoreError> {
        let tenant = tenant.clone();
        self.call(move |memory| block_on(memory.oldest(&tenant)).unwrap()).await
    }

    async fn newest(&self, tenant: &TenantId) -> Result<LogPosition, StoreError> {
        let tenant = tenant.clone();
        self.call(move |memory| block_on(memory.newest(&tenant)).unwrap()).await
    }

    async fn has_entries(&self, positions: &[(TenantId, LogPosition)]) -> Result<Vec<bool>, StoreError> {
        let positions = positions.to_vec();
        self.call(move |memory| block_on(memory.has_entries(&positions)).unwrap()).await
    }

    async fn append_feed_change(&self, tenant: &TenantId, change: &FeedChange) -> Result<(), StoreError> {
        let (world, tenant, change) = (self.world.clone(), tenant.clone(), change.clone());
        self.call(move |memory| {
            world
                .trace(|| format!("{tenant} announces {} {} as revision {}", change.feed, change.day, change.revision));
            block_on(memory.append_feed_change(&tenant, &change)).unwrap();
        })
        .await
    }

    async fn drop_before(&self, cutoff: Timestamp) -> Result<bool, StoreError> {
        self.call(move |memory| block_on(ChangeLog::drop_before(memory, cutoff)).unwrap()).await
    }

    async fn status(&self) -> Result<LogStatus, StoreError> {
        self.call(|memory| block_on(memory.status()).unwrap()).await
    }
}
