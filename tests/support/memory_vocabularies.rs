//! The stores of vocabularies and of their deliveries in memory.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    id::VocabularyEntryId,
    idempotency::IdempotencyRecord,
    time::Timestamp,
    vocabulary::{
        Capacity, Cursor, InsertOutcome, PageSize, RemoveOutcome, VocabularyEntry, VocabularyPage, VocabularyStore,
        delivery::{
            AttemptFailure, DeliveredVersion, DeliveryProgress, DeliveryStore, VocabularySnapshot, latest_next_attempt,
        },
    },
};

use crate::memory::MemoryStore;

/// The state of the delivery of one vocabulary.
#[derive(Default)]
pub(crate) struct StoredDelivery {
    progress: DeliveryProgress,
    changed_at: Option<Timestamp>,
}

impl StoredDelivery {
    /// Records a change of the vocabulary.
    pub(crate) fn record_change(&mut self, at: Timestamp) {
        self.progress.version += 1;
        self.progress.pending_since.get_or_insert(at);
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
        let limit = usize::from(size.get()) + 1;
        Ok(self.with_tenant(tenant, |data| {
            let (entries, total) = (&data.vocabulary, data.vocabulary.len());
            let (rows, skipped): (Vec<_>, _) = match cursor {
                None => (entries.values().take(limit).cloned().collect(), 0),
                Some(Cursor::From(boundary)) => {
                    let rows = entries.range(boundary..).map(|(_, entry)| entry.clone());
                    (rows.take(limit).collect(), total - entries.range(boundary..).count())
                }
                Some(Cursor::Before(boundary)) => {
                    let rows = entries.range(..boundary).rev().map(|(_, entry)| entry.clone());
                    (rows.take(limit).collect(), total - entries.range(..boundary).count())
                }
            };
            VocabularyPage::from_rows(cursor, size, rows, skipped > 0)
        }))
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
            let DeliveryProgress { pending_since, next_attempt, .. } = data.delivery.progress;
            let is_due = next_attempt.is_none_or(|next| next <= now || next > latest_next_attempt(now));
            pending_since.filter(|_| is_due).map(|since| (since, tenant.clone()))
        });
        let mut pending: Vec<_> = pending.collect();
        pending.sort();
        Ok(pending.into_iter().map(|(_, tenant)| tenant).take(limit.into()).collect())
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

    async fn record_delivery(
        &self,
        tenant: &TenantId,
        delivered: &DeliveredVersion,
        read_at: Timestamp,
    ) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            let progress = &mut data.delivery.progress;
            if progress.delivered.is_some_and(|previous| previous.version >= delivered.version) {
                return;
            }
            let version = progress.version;
            let pending_since = Some(read_at).filter(|_| version > delivered.version);
            let delivered = Some(*delivered);
            *progress = DeliveryProgress { version, pending_since, delivered, ..DeliveryProgress::default() };
        });
        Ok(())
    }

    async fn record_failure(
        &self,
        tenant: &TenantId,
        failure: &AttemptFailure,
        next_attempt: Timestamp,
    ) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            let progress = &mut data.delivery.progress;
            if progress.pending_since.is_some() {
                progress.failures += 1;
                progress.last_failure = Some(*failure);
                progress.next_attempt = Some(next_attempt);
            }
        });
        Ok(())
    }

    async fn requeue<'a>(&self, tenant: Option<&'a TenantId>, at: Timestamp) -> Result<u64, StoreError> {
        let mut requeued = 0;
        for (name, data) in self.lock_tenants().iter_mut() {
            let DeliveryProgress { version, pending_since, .. } = data.delivery.progress;
            if version > 0 && tenant.is_none_or(|tenant| tenant == name) {
                let pending_since = pending_since.or(Some(at));
                data.delivery.progress = DeliveryProgress { version, pending_since, ..DeliveryProgress::default() };
                requeued += 1;
            }
        }
        Ok(requeued)
    }
}
