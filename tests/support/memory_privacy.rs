//! The stores of privacy requests and of what is stored of a customer, in memory.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    event::{Change, MessageReference},
    id::ConversationId,
    message::Role,
    privacy::{
        ArchiveItem, CreateOutcome, LedgerEntry, PrivacyCounts, PrivacyRequest, PrivacyRequestId, PrivacyRequestStatus,
        PrivacyRequestStore, ReceiptDigest, ReceiptDraft, SentMessages, SubjectStore,
    },
    signing::Signer,
    text::ExternalId,
    time::Timestamp,
};

use crate::memory::{MemoryStore, StoredConversation, TenantData};

/// The privacy requests of a tenant.
#[derive(Default)]
pub(crate) struct MemoryPrivacy {
    requests: BTreeMap<PrivacyRequestId, StoredRequest>,
    last_receipt: Option<ReceiptDigest>,
}

struct StoredRequest {
    request: PrivacyRequest,
    subject: Option<ExternalId>,
    receipt: Option<String>,
    items: BTreeMap<(ConversationId, Option<(Timestamp, String)>), ArchiveItem>,
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

    fn change(&mut self, id: &PrivacyRequestId, change: impl FnOnce(&mut StoredRequest)) {
        self.requests.get_mut(id).map(change);
    }
}

fn is_of(stored: &StoredConversation, customer: &ExternalId) -> bool {
    stored.conversation.customer.external_id == *customer || stored.former_customers.contains(customer)
}

fn sent_in<'data>(
    data: &'data TenantData,
    customer: &'data ExternalId,
    after: Option<&'data ConversationId>,
) -> impl Iterator<Item = MessageReference> + 'data {
    let others = data
        .conversations
        .iter()
        .filter(move |(id, stored)| after.is_none_or(|after| *id > after) && !is_of(stored, customer));
    let messages = others.flat_map(|(_, stored)| stored.messages.values());
    let sent =
        messages.filter(|message| message.sender.role == Role::Customer && message.sender.external_id == *customer);
    sent.map(MessageReference::from)
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
        Ok(self.with_tenant(tenant, |data| {
            let mut own =
                data.conversations.iter().filter(|(_, stored)| stored.conversation.customer.external_id == *subject);
            if request.erases() && (data.holds_customer(subject) || own.any(|(id, stored)| data.is_held(id, stored))) {
                return CreateOutcome::Held;
            }
            data.append_audit(tenant, entry, self.signer.as_ref());
            let (request, subject) = (request.clone(), Some(subject.clone()));
            let stored = StoredRequest { request, subject, receipt: None, items: BTreeMap::new() };
            data.privacy.requests.insert(stored.request.id.clone(), stored);
            CreateOutcome::Created
        }))
    }

    async fn find(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<Option<PrivacyRequest>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.privacy.requests.get(id).map(|stored| stored.request.clone())))
    }

    async fn open(&self) -> Result<Vec<(TenantId, PrivacyRequest)>, StoreError> {
        let tenants = self.lock_tenants();
        let requests = tenants.iter().flat_map(|(tenant, data)| {
            data.privacy.requests.values().map(|stored| (tenant.clone(), stored.request.clone()))
        });
        let mut open: Vec<_> = requests.filter(|(_, request)| request.ended_at.is_none()).collect();
        open.sort_by_key(|(tenant, request)| (request.requested_at, tenant.clone(), request.id.clone()));
        Ok(open)
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

    async fn add_feed_periods(&self, tenant: &TenantId, id: &PrivacyRequestId, periods: u64) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            data.privacy.change(id, |stored| stored.request.counts.feed_periods += periods);
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
    ) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            if data.privacy.requests.get(id).is_none_or(|stored| stored.request.ended_at.is_some()) {
                return;
            }
            data.append_audit(tenant, entry, self.signer.as_ref());
            let position = data.audit.last().expect("the record was appended").head();
            let receipt = receipt.map(|(draft, signer)| draft.sign(position, data.privacy.last_receipt, signer));
            data.privacy.last_receipt = receipt.as_ref().map_or(data.privacy.last_receipt, |it| Some(it.digest()));
            data.privacy.change(id, |stored| {
                stored.request.status = PrivacyRequestStatus::Completed;
                stored.request.ended_at = Some(at);
                stored.receipt = receipt.map(|receipt| receipt.to_file());
            });
        });
        Ok(())
    }

    async fn receipt(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<Option<String>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.privacy.requests.get(id).and_then(|stored| stored.receipt.clone())))
    }
}

#[async_trait]
impl SubjectStore for MemoryStore {
    async fn wait_for_earlier_writes(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn conversations_of<'a>(
        &self,
        tenant: &TenantId,
        customer: &ExternalId,
        after: Option<&'a ConversationId>,
    ) -> Result<Vec<ConversationId>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let found = data.conversations.iter().filter(|(_, stored)| is_of(stored, customer));
            let ids = found.map(|(id, _)| id.clone());
            ids.filter(|id| after.is_none_or(|after| id > after)).take(100).collect()
        }))
    }

    async fn count_messages(&self, tenant: &TenantId, conversation: &ConversationId) -> Result<u64, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            data.conversations.get(conversation).map_or(0, |stored| stored.messages.len() as u64)
        }))
    }

    async fn messages_sent_by<'a>(
        &self,
        tenant: &TenantId,
        customer: &ExternalId,
        after: Option<&'a ConversationId>,
    ) -> Result<SentMessages, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let (on_hold, messages) =
                sent_in(data, customer, after).partition(|message| data.protects(&message.conversation));
            SentMessages { messages, on_hold, next: None }
        }))
    }

    async fn erase_messages(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequestId,
        messages: &[MessageReference],
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            let mut removed = Vec::new();
            for message in messages {
                if data.protects(&message.conversation) {
                    continue;
                }
                let stored = data.conversations.get_mut(&message.conversation);
                if stored.is_some_and(|stored| stored.messages.remove(&message.position).is_some()) {
                    removed.push(message.clone());
                }
            }
            data.privacy.change(request, |stored| {
                stored.request.counts.messages_elsewhere += removed.len() as u64;
            });
            data.erasures.queue.extend(removed.iter().map(|message| LedgerEntry::of_message(tenant, message, at)));
            data.log.append(removed.into_iter().map(Change::MessageMasked));
        });
        Ok(())
    }

    async fn add_archive_items(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequestId,
        items: &[ArchiveItem],
    ) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            data.privacy.change(request, |stored| {
                stored.items.extend(items.iter().map(|item| (item_key(item), item.clone())));
            });
        });
        Ok(())
    }

    async fn archive_items(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequestId,
    ) -> Result<Vec<ArchiveItem>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let stored = data.privacy.requests.get(request);
            stored.map(|stored| stored.items.values().cloned().collect()).unwrap_or_default()
        }))
    }
}

fn item_key(item: &ArchiveItem) -> (ConversationId, Option<(Timestamp, String)>) {
    match item {
        ArchiveItem::Conversation(id) => (id.clone(), None),
        ArchiveItem::Message(message) => {
            let position = (message.position.sent_at, message.position.id.to_string());
            (message.conversation.clone(), Some(position))
        }
    }
}

/// The customers that a conversation had before its present one.
pub(crate) type FormerCustomers = BTreeSet<ExternalId>;
