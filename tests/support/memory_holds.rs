//! The store of holds in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    id::ConversationId,
    privacy::{Hold, HoldCursor, HoldId, HoldOutcome, HoldPage, HoldStore, HoldSubject},
    text::ExternalId,
    vocabulary::PageSize,
};

use crate::{
    memory::{MemoryStore, StoredConversation, TenantData},
    memory_pages::page_of,
};

/// The holds of a tenant.
pub(crate) type MemoryHolds = BTreeMap<HoldId, Hold>;

impl TenantData {
    /// Whether a hold names the customer.
    pub(crate) fn holds_customer(&self, customer: &ExternalId) -> bool {
        self.holds.values().any(|hold| hold.subject == HoldSubject::Customer(customer.clone()))
    }

    /// Whether a hold names the conversation.
    pub(crate) fn holds_conversation(&self, id: &ConversationId) -> bool {
        self.holds.values().any(|hold| hold.subject == HoldSubject::Conversation(id.clone()))
    }

    /// Whether a hold protects the conversation with this id.
    pub(crate) fn protects(&self, id: &ConversationId) -> bool {
        self.conversations.get(id).is_some_and(|stored| self.is_held(id, stored))
    }

    /// Whether a hold protects a stored conversation.
    pub(crate) fn is_held(&self, id: &ConversationId, stored: &StoredConversation) -> bool {
        self.holds.values().any(|hold| match &hold.subject {
            HoldSubject::Customer(customer) => *customer == stored.conversation.customer.external_id,
            HoldSubject::Conversation(conversation) => conversation == id,
        })
    }
}

#[async_trait]
impl HoldStore for MemoryStore {
    async fn place(&self, tenant: &TenantId, hold: &Hold, entry: AuditEntry) -> Result<HoldOutcome, StoreError> {
        self.ensure_not_erased(tenant)?;
        Ok(self.with_tenant(tenant, |data| {
            if let HoldSubject::Conversation(conversation) = &hold.subject
                && !data.conversations.contains_key(conversation)
            {
                return HoldOutcome::NoConversation;
            }
            data.append_audit(tenant, entry, self.signer.as_ref());
            data.holds.insert(hold.id.clone(), hold.clone());
            HoldOutcome::Placed
        }))
    }

    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a HoldCursor>,
        size: PageSize,
    ) -> Result<HoldPage, StoreError> {
        let holds: Vec<_> = self.with_tenant(tenant, |data| data.holds.values().cloned().collect());
        Ok(page_of(holds, cursor, size))
    }

    async fn release(&self, tenant: &TenantId, id: &HoldId, entry: AuditEntry) -> Result<bool, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let released = data.holds.remove(id).is_some();
            if released {
                data.append_audit(tenant, entry, self.signer.as_ref());
            }
            released
        }))
    }
}
