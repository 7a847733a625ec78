//! The store of privacy requests in memory.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    id::ConversationId,
    privacy::{
        ArchiveItem, CreateOutcome, FailureReason, OpenRequestPosition, OpenRequests, PrivacyCounts, PrivacyRequest,
        PrivacyRequestCursor, PrivacyRequestId, PrivacyRequestPage, PrivacyRequestStatus, PrivacyRequestStore,
        ReceiptDraft, ReceiptIssue, SignedReceipt, WaitReason,
    },
    signing::Signer,
    text::ExternalId,
    time::Timestamp,
    vocabulary::PageSize,
};

use crate::{memory::MemoryStore, memory_pages::page_of, memory_receipts::MemoryReceipts, memory_subjects::is_of};

/// The number of open requests of a page.
const OPEN_PAGE: usize = 100;

/// The privacy requests of a tenant.
#[derive(Default)]
pub(crate) struct MemoryPrivacy {
    pub(crate) requests: BTreeMap<PrivacyRequestId, StoredRequest>,
    pub(crate) receipts: MemoryReceipts,
}

pub(crate) struct StoredRequest {
    pub(crate) request: PrivacyRequest,
    subject: Option<ExternalId>,
    last_feed_revision: String,
    pub(crate) items: BTreeMap<(ConversationId, Option<(Timestamp, String)>), ArchiveItem>,
}

impl MemoryPrivacy {
    /// Whether a customer is being erased.
    pub(crate) fn is_fenced(&self, customer: &ExternalId) -> bool {
        self.requests.values().any(|stored| stored.request.erases() && stored.subject.as_ref() == Some(customer))
    }

    pub(crate) fn count_conversation(&mut self, id: Option<&PrivacyRequestId>, messages: u64) {
        if let Some(stored) = id.and_then(|id| self.requests.get_mut(id)) {
            stored.request.counts.conversations += 1;
            stored.request.counts.messages += messages;
        }
    }

    pub(crate) fn change(&mut self, id: &PrivacyRequestId, change: impl FnOnce(&mut StoredRequest)) {
        self.requests.get_mut(id).map(change);
    }
}

#[async_trait]
impl PrivacyRequestStore for MemoryStore {
    async fn create(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        subject: &ExternalId,
        entry: AuditEntry,
    ) -> Result<CreateOutcome, StoreError> {
        self.ensure_not_erased(tenant)?;
        Ok(self.with_tenant(tenant, |data| {
            let mut own = data.conversations.iter().filter(|(_, stored)| is_of(stored, subject));
            if request.erases() && (data.holds_customer(subject) || own.any(|(id, _)| data.holds_conversation(id))) {
                return CreateOutcome::Held;
            }
            data.append_audit(tenant, entry, self.signer.as_ref());
            let (request, subject) = (request.clone(), Some(subject.clone()));
            let last_feed_revision = String::new();
            let stored = StoredRequest { request, subject, last_feed_revision, items: BTreeMap::new() };
            data.privacy.requests.insert(stored.request.id.clone(), stored);
            CreateOutcome::Created
        }))
    }

    async fn find(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<Option<PrivacyRequest>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.privacy.requests.get(id).map(|stored| stored.request.clone())))
    }

    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a PrivacyRequestCursor>,
        size: PageSize,
    ) -> Result<PrivacyRequestPage, StoreError> {
        let requests = self
            .with_tenant(tenant, |data| data.privacy.requests.values().map(|stored| stored.request.clone()).collect());
        Ok(page_of(requests, cursor, size))
    }

    async fn open<'a>(&self, after: Option<&'a OpenRequestPosition>) -> Result<OpenRequests, StoreError> {
        let tenants = self.lock_tenants();
        let requests = tenants.iter().flat_map(|(tenant, data)| {
            data.privacy.requests.values().map(|stored| (tenant.clone(), stored.request.clone()))
        });
        let mut open: Vec<_> = requests.filter(|(_, request)| request.ended_at.is_none()).collect();
        let position = |(tenant, request): &(TenantId, PrivacyRequest)| {
            (request.requested_at.as_micros(), tenant.as_str().to_owned(), request.id.as_str().to_owned())
        };
        let after = after.map(|after| (after.requested_at, after.tenant.clone(), after.id.clone()));
        open.retain(|request| after.as_ref().is_none_or(|after| position(request) > *after));
        open.sort_by_key(position);
        open.truncate(OPEN_PAGE);
        let last = open.last().filter(|_| open.len() == OPEN_PAGE).map(position);
        let next = last.map(|(requested_at, tenant, id)| OpenRequestPosition { requested_at, tenant, id });
        Ok(OpenRequests { requests: open, invalid: Vec::new(), next })
    }

    async fn start(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            data.privacy.change(id, |stored| {
                if stored.request.status == PrivacyRequestStatus::Pending {
                    stored.request.status = PrivacyRequestStatus::Running;
                }
            });
        });
        Ok(())
    }

    async fn set_waiting(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        reason: WaitReason,
    ) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            data.privacy.change(id, |stored| {
                if stored.request.ended_at.is_none() {
                    stored.request.waiting_for = Some(reason);
                }
            });
        });
        Ok(())
    }

    async fn subject(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<Option<ExternalId>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.privacy.requests.get(id).and_then(|stored| stored.subject.clone())))
    }

    async fn set_counts(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        counts: &PrivacyCounts,
    ) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            data.privacy.change(id, |stored| stored.request.counts = *counts);
        });
        Ok(())
    }

    async fn add_feed_period(
        &self,
        tenant: &TenantId,
        ids: &[PrivacyRequestId],
        revision: &str,
    ) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            for id in ids {
                data.privacy.change(id, |stored| {
                    if stored.request.ended_at.is_none() && stored.last_feed_revision != revision {
                        stored.request.counts.feed_periods += 1;
                        revision.clone_into(&mut stored.last_feed_revision);
                    }
                });
            }
        });
        Ok(())
    }

    async fn forget_subject(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| data.privacy.change(id, |stored| stored.subject = None));
        Ok(())
    }

    async fn complete<'a>(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        at: Timestamp,
        entry: AuditEntry,
        receipt: Option<(ReceiptDraft, &'a dyn Signer)>,
    ) -> Result<bool, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            if data.privacy.requests.get(id).is_none_or(|stored| stored.request.ended_at.is_some()) {
                return false;
            }
            data.append_audit(tenant, entry, self.signer.as_ref());
            let position = data.audit.last().expect("the record was appended").head();
            if let Some(receipt) = receipt {
                data.privacy.receipts.issue(position, receipt);
            }
            data.privacy.change(id, |stored| {
                stored.request.status = PrivacyRequestStatus::Completed;
                stored.request.waiting_for = None;
                stored.request.ended_at = Some(at);
            });
            true
        }))
    }

    async fn fail(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        (reason, at): (FailureReason, Timestamp),
        entry: AuditEntry,
    ) -> Result<bool, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            if data.privacy.requests.get(id).is_none_or(|stored| stored.request.ended_at.is_some()) {
                return false;
            }
            data.append_audit(tenant, entry, self.signer.as_ref());
            data.privacy.change(id, |stored| {
                stored.subject = None;
                stored.request.status = PrivacyRequestStatus::Failed;
                stored.request.failure = Some(reason);
                stored.request.waiting_for = None;
                stored.request.ended_at = Some(at);
            });
            true
        }))
    }

    async fn receipt(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        issue: Option<ReceiptIssue>,
    ) -> Result<Option<String>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.privacy.receipts.find(id, issue)))
    }

    async fn newest_receipts(&self, after: Option<(TenantId, u64)>) -> Result<Vec<SignedReceipt>, StoreError> {
        let newest = self.lock_tenants().values().flat_map(|data| data.privacy.receipts.newest()).collect::<Vec<_>>();
        let position = |receipt: &SignedReceipt| (receipt.receipt.tenant.clone(), receipt.receipt.audit.sequence);
        Ok(newest.into_iter().filter(|receipt| after.as_ref().is_none_or(|after| position(receipt) > *after)).collect())
    }

    async fn supersede_receipt(
        &self,
        newest: &SignedReceipt,
        entry: AuditEntry,
        draft: ReceiptDraft,
        signer: Arc<dyn Signer>,
    ) -> Result<bool, StoreError> {
        let tenant = &newest.receipt.tenant;
        Ok(self.with_tenant(tenant, |data| {
            let is_newest = data.privacy.receipts.newest().contains(newest);
            if is_newest {
                data.append_audit(tenant, entry, self.signer.as_ref());
                let position = data.audit.last().expect("the record was appended").head();
                data.privacy.receipts.issue(position, (draft, &*signer));
            }
            is_newest
        }))
    }
}

/// The customers that a conversation had before its present one.
pub(crate) type FormerCustomers = BTreeSet<ExternalId>;
