//! The store of erasures in memory.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    event::{Change, MessageReference},
    id::ConversationId,
    message::MessagePosition,
    privacy::{
        ErasedConversation, Erasure, ErasureCount, ErasureOutcome, ErasurePageLimit, ErasureStore, IdentifierDigest,
        LedgerEntry,
    },
};

use crate::memory::{MemoryStore, TenantData};

/// The erased conversations of a tenant, and what is queued for the ledger.
#[derive(Default)]
pub(crate) struct MemoryErasures {
    records: BTreeMap<u64, (ErasedConversation, IdentifierDigest)>,
    pub(crate) queue: Vec<LedgerEntry>,
    /// Every entry that was queued.
    pub(crate) known: Vec<LedgerEntry>,
    /// The messages that were erased alone.
    pub(crate) messages: Vec<MessageReference>,
}

impl MemoryErasures {
    pub(crate) fn enqueue(&mut self, entries: impl IntoIterator<Item = LedgerEntry>) {
        let entries: Vec<_> = entries.into_iter().collect();
        self.queue.extend(entries.iter().cloned());
        self.known.extend(entries);
    }

    pub(crate) fn contains(&self, conversation: &ConversationId) -> bool {
        self.records.values().any(|(erased, _)| erased.conversation == *conversation)
    }

    pub(crate) fn contains_digest(&self, digest: &IdentifierDigest) -> bool {
        self.records.values().any(|(_, erased)| erased == digest)
    }
}

impl MemoryStore {
    /// Removes a conversation if it exists, and records its erasure. Returns the number of its messages.
    pub(crate) fn erase_in(
        &self,
        data: &mut TenantData,
        tenant: &TenantId,
        erasure: &Erasure,
        entry: AuditEntry,
    ) -> u64 {
        let removed = data.conversations.remove(&erasure.conversation);
        data.append_audit(tenant, entry, self.signer.as_ref());
        let sequence = data.audit.len() as u64;
        let (conversation, erased_at) = (erasure.conversation.clone(), erasure.at);
        data.log.append([Change::ConversationErased(conversation.clone())]);
        let erased = ErasedConversation { sequence, conversation, erased_at };
        data.erasures.records.insert(sequence, (erased, erasure.digest));
        removed.map_or(0, |removed| removed.messages.len() as u64)
    }
}

#[async_trait]
impl ErasureStore for MemoryStore {
    async fn erase(
        &self,
        tenant: &TenantId,
        erasure: &Erasure,
        entry: AuditEntry,
    ) -> Result<ErasureOutcome, StoreError> {
        let mut tenants = self.lock_tenants();
        let data = tenants.entry(tenant.clone()).or_default();
        let Some(stored) = data.conversations.get(&erasure.conversation) else {
            return Ok(ErasureOutcome::NoConversation);
        };
        if data.is_held(&erasure.conversation, stored) {
            return Ok(ErasureOutcome::Held);
        }
        let messages = self.erase_in(data, tenant, erasure, entry);
        data.erasures.enqueue([LedgerEntry::of_conversation(tenant, erasure)]);
        data.privacy.count_conversation(erasure.request.as_ref(), messages);
        Ok(ErasureOutcome::Erased(ErasureCount { messages }))
    }

    async fn is_erased(&self, tenant: &TenantId, conversation: &ConversationId) -> Result<bool, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.erasures.contains(conversation)))
    }

    async fn erased_messages(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
    ) -> Result<BTreeSet<MessagePosition>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let erased = data.erasures.messages.iter().filter(|message| message.conversation == *conversation);
            erased.map(|message| message.position.clone()).collect()
        }))
    }

    async fn list(
        &self,
        tenant: &TenantId,
        after: u64,
        limit: ErasurePageLimit,
    ) -> Result<Vec<ErasedConversation>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let later = data.erasures.records.range(after.saturating_add(1)..);
            later.take(limit.get().into()).map(|(_, (erased, _))| erased.clone()).collect()
        }))
    }
}
