//! The stores of vocabularies and of their deliveries in memory.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::Change,
    id::VocabularyEntryId,
    idempotency::IdempotencyRecord,
    time::Timestamp,
    vocabulary::{
        Capacity, Cursor, InsertOutcome, PageSize, RemoveOutcome, VocabularyEntry, VocabularyPage, VocabularyStore,
        delivery::{DeliveryProgress, DeliveryStore, VocabularySnapshot},
    },
};

use crate::{memory::MemoryStore, memory_pages::page_of};

/// The state of the delivery of one vocabulary.
#[derive(Default)]
pub(crate) struct StoredDelivery {
    progress: DeliveryProgress,
    changed_at: Option<Timestamp>,
}

impl StoredDelivery {
    /// Records a change of the vocabulary.
    pub(crate) fn record_change(&mut self, at: Timestamp) {
        self.progress = self.progress.after_change(at);
        self.changed_at = Some(at);
    }
}

#[async_trait]
impl VocabularyStore for MemoryStore {
    async fn insert<'a>(
        &self,
        tenant: &TenantId,
        entry: &VocabularyEntry,
        capacity: Capacity,
        record: Option<&'a IdempotencyRecord>,
    ) -> Result<InsertOutcome, StoreError> {
        self.ensure_not_erased(tenant)?;
        Ok(self.with_tenant(tenant, |data| {
            if !data.idempotency.is_key_free(record) {
                return InsertOutcome::KeyTaken;
            }
            if data.vocabulary.values().any(|stored| stored.phrase == entry.phrase) {
                return InsertOutcome::PhraseTaken;
            }
            if data.vocabulary.len() >= usize::from(capacity.entries()) {
                return InsertOutcome::Full;
            }
            data.vocabulary.insert(entry.id.clone(), entry.clone());
            data.idempotency.insert(record);
            data.delivery.record_change(entry.created_at);
            data.log.append([Change::VocabularyCreated(entry.id.clone())]);
            InsertOutcome::Inserted
        }))
    }

    async fn find(&self, tenant: &TenantId, id: &VocabularyEntryId) -> Result<Option<VocabularyEntry>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.vocabulary.get(id).cloned()))
    }

    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a Cursor>,
        size: PageSize,
    ) -> Result<VocabularyPage, StoreError> {
        let entries = self.with_tenant(tenant, |data| data.vocabulary.values().cloned().collect());
        Ok(page_of(entries, cursor, size))
    }

    async fn remove(
        &self,
        tenant: &TenantId,
        id: &VocabularyEntryId,
        at: Timestamp,
    ) -> Result<RemoveOutcome, StoreError> {
        Ok(self.with_tenant(tenant, |data| match data.vocabulary.remove(id) {
            Some(_) => {
                data.delivery.record_change(at);
                data.log.append([Change::VocabularyDeleted(id.clone())]);
                RemoveOutcome::Removed
            }
            None => RemoveOutcome::NotFound,
        }))
    }
}

#[async_trait]
impl DeliveryStore for MemoryStore {
    async fn due(&self, now: Timestamp, limit: u16) -> Result<Vec<TenantId>, StoreError> {
        let tenants = self.lock_tenants();
        let pending = tenants.iter().filter_map(|(tenant, data)| {
            let progress = data.delivery.progress;
            progress.pending_since.filter(|_| progress.is_due(now)).map(|since| (since, tenant.clone()))
        });
        let mut pending: Vec<_> = pending.collect();
        pending.sort();
        Ok(pending.into_iter().map(|(_, tenant)| tenant).take(limit.into()).collect())
    }

    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        let tenants = self.lock_tenants();
        let changed = tenants.iter().filter(|(_, data)| data.delivery.progress.version > 0);
        Ok(changed.map(|(tenant, _)| tenant.clone()).collect())
    }

    async fn progress(&self, tenant: &TenantId) -> Result<DeliveryProgress, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.delivery.progress))
    }

    async fn snapshot(&self, tenant: &TenantId) -> Result<VocabularySnapshot, StoreError> {
        Ok(self.with_tenant(tenant, |data| VocabularySnapshot {
            version: data.delivery.progress.version,
            changed_at: data.delivery.changed_at,
            entries: data.vocabulary.values().cloned().collect(),
        }))
    }

    async fn compare_and_set(
        &self,
        tenant: &TenantId,
        expected: &DeliveryProgress,
        next: &DeliveryProgress,
    ) -> Result<bool, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let replaced = data.delivery.progress.compare_and_set(expected, next);
            data.delivery.progress = replaced.unwrap_or(data.delivery.progress);
            replaced.is_some()
        }))
    }
}
