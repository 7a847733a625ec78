//! Vocabularies in memory, and how far their delivery is.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    id::VocabularyId,
    retry::Receipt,
    time::Timestamp,
    vocabulary::{
        Admission, Capacity, Cursor, PageSize, Removal, Vocabulary, VocabularyPage, VocabularyStore,
        delivery::{Delivered, DeliveryProgress, DeliveryStore, Failure, VocabularyEdition, latest_next_attempt},
    },
};

use crate::memory::Memory;

/// What is known of the delivery of one vocabulary.
#[derive(Default)]
pub(crate) struct Delivery {
    progress: DeliveryProgress,
    changed_at: Option<Timestamp>,
}

impl Delivery {
    /// Notes that the vocabulary was changed.
    pub(crate) fn changed(&mut self, at: Timestamp) {
        self.progress.version += 1;
        self.progress.pending_since.get_or_insert(at);
        self.changed_at = Some(at);
    }
}

#[async_trait]
impl VocabularyStore for Memory {
    async fn admit<'a>(
        &self,
        tenant: &TenantId,
        entry: &Vocabulary,
        capacity: Capacity,
        receipt: Option<&'a Receipt>,
    ) -> Result<Admission, StoreError> {
        Ok(self.of(tenant, |own| {
            if !own.receipts.is_free(receipt) {
                return Admission::Repeated;
            }
            if own.vocabulary.values().any(|kept| kept.phrase == entry.phrase) {
                return Admission::PhraseTaken;
            }
            if own.vocabulary.len() >= usize::from(capacity.entries()) {
                return Admission::Full;
            }
            own.vocabulary.insert(entry.id.clone(), entry.clone());
            own.receipts.keep(receipt);
            own.delivery.changed(entry.created_at);
            Admission::Admitted
        }))
    }

    async fn find(&self, tenant: &TenantId, id: &VocabularyId) -> Result<Option<Vocabulary>, StoreError> {
        Ok(self.of(tenant, |own| own.vocabulary.get(id).cloned()))
    }

    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a Cursor>,
        size: PageSize,
    ) -> Result<VocabularyPage, StoreError> {
        let most = usize::from(size.get()) + 1;
        Ok(self.of(tenant, |own| {
            let (kept, all) = (&own.vocabulary, own.vocabulary.len());
            let (found, behind): (Vec<_>, _) = match cursor {
                None => (kept.values().take(most).cloned().collect(), 0),
                Some(Cursor::From(cut)) => {
                    let found = kept.range(cut..).map(|(_, entry)| entry.clone());
                    (found.take(most).collect(), all - kept.range(cut..).count())
                }
                Some(Cursor::Before(cut)) => {
                    let found = kept.range(..cut).rev().map(|(_, entry)| entry.clone());
                    (found.take(most).collect(), all - kept.range(..cut).count())
                }
            };
            VocabularyPage::at(cursor, size, found, behind > 0)
        }))
    }

    async fn remove(&self, tenant: &TenantId, id: &VocabularyId, at: Timestamp) -> Result<Removal, StoreError> {
        Ok(self.of(tenant, |own| match own.vocabulary.remove(id) {
            Some(_) => {
                own.delivery.changed(at);
                Removal::Removed
            }
            None => Removal::Absent,
        }))
    }
}

#[async_trait]
impl DeliveryStore for Memory {
    async fn due(&self, now: Timestamp, most: u16) -> Result<Vec<TenantId>, StoreError> {
        let tenants = self.tenants();
        let pending = tenants.iter().filter_map(|(tenant, own)| {
            let DeliveryProgress { pending_since, next_attempt, .. } = own.delivery.progress;
            let may = next_attempt.is_none_or(|next| next <= now || next > latest_next_attempt(now));
            pending_since.filter(|_| may).map(|since| (since, tenant.clone()))
        });
        let mut pending: Vec<_> = pending.collect();
        pending.sort();
        Ok(pending.into_iter().map(|(_, tenant)| tenant).take(most.into()).collect())
    }

    async fn progress(&self, tenant: &TenantId) -> Result<DeliveryProgress, StoreError> {
        Ok(self.of(tenant, |own| own.delivery.progress))
    }

    async fn edition(&self, tenant: &TenantId) -> Result<VocabularyEdition, StoreError> {
        Ok(self.of(tenant, |own| VocabularyEdition {
            version: own.delivery.progress.version,
            changed_at: own.delivery.changed_at,
            entries: own.vocabulary.values().cloned().collect(),
        }))
    }

    async fn note_delivery(
        &self,
        tenant: &TenantId,
        delivered: &Delivered,
        read_at: Timestamp,
    ) -> Result<(), StoreError> {
        self.of(tenant, |own| {
            let progress = &mut own.delivery.progress;
            if progress.delivered.is_some_and(|before| before.version >= delivered.version) {
                return;
            }
            let version = progress.version;
            let pending_since = Some(read_at).filter(|_| version > delivered.version);
            let delivered = Some(*delivered);
            *progress = DeliveryProgress { version, pending_since, delivered, ..DeliveryProgress::default() };
        });
        Ok(())
    }

    async fn note_failure(
        &self,
        tenant: &TenantId,
        failure: &Failure,
        next_attempt: Timestamp,
    ) -> Result<(), StoreError> {
        self.of(tenant, |own| {
            let progress = &mut own.delivery.progress;
            if progress.pending_since.is_some() {
                progress.failures += 1;
                progress.last_failure = Some(*failure);
                progress.next_attempt = Some(next_attempt);
            }
        });
        Ok(())
    }

    async fn begin_again<'a>(&self, tenant: Option<&'a TenantId>, at: Timestamp) -> Result<u64, StoreError> {
        let mut begun = 0;
        for (name, own) in self.tenants().iter_mut() {
            let DeliveryProgress { version, pending_since, .. } = own.delivery.progress;
            if version > 0 && tenant.is_none_or(|tenant| tenant == name) {
                let pending_since = pending_since.or(Some(at));
                own.delivery.progress = DeliveryProgress { version, pending_since, ..DeliveryProgress::default() };
                begun += 1;
            }
        }
        Ok(begun)
    }
}
