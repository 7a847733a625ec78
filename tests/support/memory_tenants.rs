//! The store of erasures of whole tenants in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::{StoreError, StoreErrorKind},
    privacy::{
        LedgerEntry, OpenTenantErasures, PlaceCount, ReceiptDraft, ReceiptWord, RemovedRows, TenantCompletion,
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
    counts: BTreeMap<String, u64>,
}

impl MemoryStore {
    /// Refuses a write for a tenant whose erasure began.
    pub(crate) fn ensure_not_erased(&self, tenant: &TenantId) -> Result<(), StoreError> {
        let is_erased = self.with_tenant(tenant, |data| data.tenant_erasure.erasure.is_some());
        if is_erased { Err(StoreError::new(StoreErrorKind::TenantErased, "in memory")) } else { Ok(()) }
    }
}

fn place_count((place, count): (impl AsRef<str>, u64)) -> PlaceCount {
    PlaceCount { place: ReceiptWord::parse(place.as_ref()).unwrap(), count }
}

impl TenantData {
    /// The number of objects in each place with rows of this kind. Messages precede their conversations.
    fn counts(&self, rows: TenantRows) -> Vec<(&'static str, usize)> {
        let messages = self.conversations.values().map(|stored| stored.messages.len()).sum();
        match rows {
            TenantRows::Content => vec![
                ("messages", messages),
                ("conversations", self.conversations.len()),
                ("credentials", self.credentials.len()),
                ("holds", self.holds.len()),
                ("privacy_requests", self.privacy.requests.len()),
                ("redaction_switches", self.switches.len() + usize::from(self.flags.is_some())),
                ("vocabularies", self.vocabulary.len()),
                ("webhooks", self.webhooks.len()),
            ],
            TenantRows::Progress => vec![("change_log", self.log.len())],
        }
    }

    fn has_rows(&self, rows: TenantRows) -> bool {
        self.counts(rows).into_iter().any(|(_, count)| count > 0)
    }

    fn remove_from(&mut self, place: &str, at: Timestamp) {
        match place {
            "messages" => self.conversations.values_mut().for_each(|stored| stored.messages.clear()),
            "conversations" => self.conversations.clear(),
            "credentials" => self.credentials.clear(),
            "holds" => self.holds.clear(),
            "privacy_requests" => self.privacy.requests.clear(),
            "redaction_switches" => (self.switches, self.flags) = (Vec::new(), None),
            "vocabularies" => {
                self.vocabulary.clear();
                self.delivery.record_change(at);
            }
            "webhooks" => self.webhooks.clear(),
            _ => (self.log, self.delivery) = (MemoryLog::default(), StoredDelivery::default()),
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
        let mut counts = self.with_tenant(tenant, |data| {
            let counts = [TenantRows::Content, TenantRows::Progress].map(|rows| data.counts(rows));
            counts.into_iter().flatten().collect::<BTreeMap<_, _>>()
        });
        counts.retain(|_, count| *count > 0);
        Ok(counts.into_iter().map(|(place, count)| place_count((place, count as u64))).collect())
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
            let counts = data.counts(step.rows).into_iter().enumerate().skip(step.emptied_tables);
            let (emptied_tables, (place, count)) = counts.into_iter().find(|(_, (_, count))| *count > 0)?;
            data.remove_from(place, at);
            *data.tenant_erasure.counts.entry(place.to_owned()).or_default() += count as u64;
            let PlaceCount { place, count } = place_count((place, count as u64));
            Some(RemovedRows { place, rows: count, next: TenantRemovalStep { emptied_tables, ..step } })
        }))
    }

    async fn add_count(&self, tenant: &TenantId, place: &ReceiptWord, count: u64) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            *data.tenant_erasure.counts.entry(place.as_str().to_owned()).or_default() += count;
        });
        Ok(())
    }

    async fn erased_counts(&self, tenant: &TenantId) -> Result<Vec<PlaceCount>, StoreError> {
        let counts = self.with_tenant(tenant, |data| data.tenant_erasure.counts.clone());
        Ok(counts.into_iter().map(place_count).collect())
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
