//! The store of idempotency records in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    idempotency::{IdempotencyRecord, IdempotencyStore, KeyDigest, Operation},
    time::Timestamp,
};

use crate::memory::MemoryStore;

/// The idempotency records of one tenant.
#[derive(Default)]
pub(crate) struct IdempotencyRecords(BTreeMap<(Operation, KeyDigest), IdempotencyRecord>);

impl IdempotencyRecords {
    /// Whether the key of this record is free: no valid record has it. `true` without a record.
    pub(crate) fn is_key_free(&self, record: Option<&IdempotencyRecord>) -> bool {
        let Some(record) = record else { return true };
        let stored = self.0.get(&(record.operation, record.key));
        stored.is_none_or(|stored| stored.at <= IdempotencyRecord::expiry_cutoff(record.at))
    }

    /// Stores a record, if there is one. An expired record with the same key is replaced.
    pub(crate) fn insert(&mut self, record: Option<&IdempotencyRecord>) {
        self.0.extend(record.map(|record| ((record.operation, record.key), record.clone())));
    }
}

#[async_trait]
impl IdempotencyStore for MemoryStore {
    async fn find(
        &self,
        tenant: &TenantId,
        operation: Operation,
        key: &KeyDigest,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.idempotency.0.get(&(operation, *key)).cloned()))
    }

    async fn purge(&self, up_to: Timestamp) -> Result<u64, StoreError> {
        let mut purged = 0;
        for data in self.lock_tenants().values_mut() {
            let count_before = data.idempotency.0.len();
            data.idempotency.0.retain(|_, record| record.at > up_to);
            purged += count_before - data.idempotency.0.len();
        }
        Ok(purged as u64)
    }
}
