//! The store of erasures of whole tenants in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::{StoreError, StoreErrorKind},
    privacy::{
        ErasurePlace, LedgerEntry, OpenTenantErasures, PlaceCount, ReceiptDraft, RemovedRows, TenantCompletion,
        TenantErasure, TenantErasureStore, TenantFenceOutcome, TenantRemovalStep, TenantRows,
    },
    signing::Signer,
    time::Timestamp,
};

use crate::{
    memory::{MemoryStore, TenantData},
    memory_change_log::MemoryLog,
    memory_vocabularies::StoredDelivery,
};

/// The erasure of a tenant, and what was erased.
#[derive(Default)]
pub(crate) struct MemoryTenantErasure {
    pub(crate) erasure: Option<TenantErasure>,
    counts: BTreeMap<ErasurePlace, u64>,
}

impl MemoryStore {
    /// Refuses a write for a tenant whose erasure began.
    pub(crate) fn ensure_not_erased(&self, tenant: &TenantId) -> Result<(), StoreError> {
        let is_erased = self.with_tenant(tenant, |data| data.tenant_erasure.erasure.is_some());
        if is_erased { Err(StoreError::new(StoreErrorKind::TenantErased, "in memory")) } else { Ok(()) }
    }
}

/// The places with rows of this kind. Messages precede their conversations. The change log has no place.
fn places(rows: TenantRows) -> &'static [Option<ErasurePlace>] {
    match rows {
        TenantRows::Content => &[
            Some(ErasurePlace::Messages),
            Some(ErasurePlace::Conversations),
            Some(ErasurePlace::Credentials),
            Some(ErasurePlace::Holds),
            Some(ErasurePlace::PrivacyRequests),
            Some(ErasurePlace::RedactionFlags),
            Some(ErasurePlace::RedactionSwitches),
            Some(ErasurePlace::VocabularyEntries),
            Some(ErasurePlace::Webhooks),
        ],
        TenantRows::Progress => &[None],
    }
}

impl TenantData {
    /// The number of objects in a place.
    fn count_in(&self, place: Option<ErasurePlace>) -> u64 {
        let count = match place {
            Some(ErasurePlace::Messages) => self.conversations.values().map(|stored| stored.messages.len()).sum(),
            Some(ErasurePlace::Conversations) => self.conversations.len(),
            Some(ErasurePlace::Credentials) => self.credentials.len(),
            Some(ErasurePlace::Holds) => self.holds.len(),
            Some(ErasurePlace::PrivacyRequests) => self.privacy.requests.len(),
            Some(ErasurePlace::RedactionFlags) => usize::from(self.flags.is_some()),
            Some(ErasurePlace::RedactionSwitches) => self.switches.len(),
            Some(ErasurePlace::VocabularyEntries) => self.vocabulary.len(),
            Some(ErasurePlace::Webhooks) => self.webhooks.len(),
            None => self.log.len(),
            Some(
                ErasurePlace::FeedFiles
                | ErasurePlace::FeedPeriods
                | ErasurePlace::IdempotencyRecords
                | ErasurePlace::MessagesElsewhere
                | ErasurePlace::RetentionRules
                | ErasurePlace::StreamAddresses
                | ErasurePlace::VocabularyChanges
                | ErasurePlace::WebhookDeliveries,
            ) => 0,
        };
        count as u64
    }

    fn has_rows(&self, rows: TenantRows) -> bool {
        places(rows).iter().any(|place| self.count_in(*place) > 0)
    }

    fn remove_from(&mut self, place: Option<ErasurePlace>, at: Timestamp) {
        match place {
            Some(ErasurePlace::Messages) => {
                self.conversations.values_mut().for_each(|stored| stored.messages.clear());
            }
            Some(ErasurePlace::Conversations) => self.conversations.clear(),
            Some(ErasurePlace::Credentials) => self.credentials.clear(),
            Some(ErasurePlace::Holds) => self.holds.clear(),
            Some(ErasurePlace::PrivacyRequests) => self.privacy.requests.clear(),
            Some(ErasurePlace::RedactionFlags) => self.flags = None,
            Some(ErasurePlace::RedactionSwitches) => self.switches.clear(),
            Some(ErasurePlace::VocabularyEntries) => {
                self.vocabulary.clear();
                self.delivery.record_change(at);
            }
            Some(ErasurePlace::Webhooks) => self.webhooks.clear(),
            None => (self.log, self.delivery) = (MemoryLog::default(), StoredDelivery::default()),
            Some(
                ErasurePlace::FeedFiles
                | ErasurePlace::FeedPeriods
                | ErasurePlace::IdempotencyRecords
                | ErasurePlace::MessagesElsewhere
                | ErasurePlace::RetentionRules
                | ErasurePlace::StreamAddresses
                | ErasurePlace::VocabularyChanges
                | ErasurePlace::WebhookDeliveries,
            ) => {}
        }
    }
}

#[async_trait]
impl TenantErasureStore for MemoryStore {
    async fn find(&self, tenant: &TenantId) -> Result<Option<TenantErasure>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.tenant_erasure.erasure.clone()))
    }

    async fn open(&self) -> Result<Option<OpenTenantErasures>, StoreError> {
        let tenants = self.lock_tenants();
        let erasures =
            tenants.iter().filter_map(|(tenant, data)| Some((tenant, data.tenant_erasure.erasure.as_ref()?)));
        let open: Vec<_> = erasures.filter(|(_, erasure)| erasure.completed_at.is_none()).collect();
        let oldest = open.iter().min_by_key(|(tenant, erasure)| (erasure.requested_at, *tenant));
        Ok(oldest.map(|(tenant, erasure)| OpenTenantErasures {
            count: open.len() as u64,
            oldest_tenant: (*tenant).clone(),
            open_since: erasure.requested_at,
        }))
    }

    async fn count(&self, tenant: &TenantId) -> Result<Vec<PlaceCount>, StoreError> {
        self.with_tenant(tenant, |data| {
            let counted = ErasurePlace::ALL.into_iter().map(|place| (place, data.count_in(Some(place))));
            counted.filter(|(_, count)| *count > 0).map(|(place, count)| place.with_count(count)).collect()
        })
    }

    async fn count_holds(&self, tenant: &TenantId) -> Result<u64, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.holds.len() as u64))
    }

    async fn begin(
        &self,
        tenant: &TenantId,
        erasure: &TenantErasure,
        entry: AuditEntry,
    ) -> Result<TenantFenceOutcome, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            if data.tenant_erasure.erasure.is_some() {
                return TenantFenceOutcome::Exists;
            }
            if erasure.approval.is_some() {
                if !data.holds.is_empty() {
                    return TenantFenceOutcome::Held(data.holds.len() as u64);
                }
                data.erasures.enqueue([LedgerEntry::of_tenant(tenant, erasure.requested_at)]);
            }
            data.append_audit(tenant, entry, self.signer.as_ref());
            for credential in data.credentials.values_mut() {
                credential.revoked_at.get_or_insert(erasure.requested_at);
            }
            data.tenant_erasure.erasure = Some(erasure.clone());
            TenantFenceOutcome::Stored
        }))
    }

    async fn wait_for_earlier_writes(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn remove_some(
        &self,
        tenant: &TenantId,
        step: TenantRemovalStep,
        at: Timestamp,
    ) -> Result<Option<RemovedRows>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let counts = places(step.rows).iter().map(|place| (*place, data.count_in(*place))).enumerate();
            let mut counts = counts.skip(step.emptied_tables);
            let (emptied_tables, (place, rows)) = counts.find(|(_, (_, rows))| *rows > 0)?;
            data.remove_from(place, at);
            if let Some(place) = place {
                *data.tenant_erasure.counts.entry(place).or_default() += rows;
            }
            Some(RemovedRows { place, rows, next: TenantRemovalStep { emptied_tables, ..step } })
        }))
    }

    async fn add_count(&self, tenant: &TenantId, place: ErasurePlace, count: u64) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            *data.tenant_erasure.counts.entry(place).or_default() += count;
        });
        Ok(())
    }

    async fn erased_counts(&self, tenant: &TenantId) -> Result<Vec<PlaceCount>, StoreError> {
        let counts = self.with_tenant(tenant, |data| data.tenant_erasure.counts.clone());
        counts.into_iter().map(|(place, count)| place.with_count(count)).collect()
    }

    async fn complete<'a>(
        &self,
        tenant: &TenantId,
        at: Timestamp,
        entry: AuditEntry,
        receipt: Option<(ReceiptDraft, &'a dyn Signer)>,
    ) -> Result<TenantCompletion, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let is_open = data.tenant_erasure.erasure.as_ref().is_some_and(|erasure| erasure.completed_at.is_none());
            if !is_open {
                return TenantCompletion::Completed;
            }
            if data.has_rows(TenantRows::Content) || data.has_rows(TenantRows::Progress) {
                return TenantCompletion::RowsLeft;
            }
            data.append_audit(tenant, entry, self.signer.as_ref());
            let position = data.audit.last().expect("the record was appended").head();
            if let Some(receipt) = receipt {
                data.privacy.receipts.issue(position, receipt);
            }
            if let Some(erasure) = &mut data.tenant_erasure.erasure {
                erasure.completed_at = Some(at);
            }
            TenantCompletion::Completed
        }))
    }

    async fn receipt(&self, tenant: &TenantId) -> Result<Option<String>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let erasure = data.tenant_erasure.erasure.as_ref()?;
            data.privacy.receipts.find(&erasure.id, None)
        }))
    }
}
