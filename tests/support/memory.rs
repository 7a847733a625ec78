//! The stores in memory. This second implementation of the ports shares no code with SQL, so that the contract suites
//! test the ports and not one database.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
    sync::{Arc, Mutex, MutexGuard},
};

use async_trait::async_trait;
use parlance_domain::{
    access::{Credential, TenantId},
    audit::{AuditRecord, HeadSignature},
    conversation::{Conversation, ConversationPage, ConversationQuery, ConversationStore, Upsert, UpsertOutcome},
    error::StoreError,
    event::{Change, MessageReference},
    id::{ConversationId, VocabularyEntryId},
    idempotency::Claim,
    message::{AppendBatch, AppendOutcome, MaskUpdate, Message, MessagePosition},
    privacy::LedgerObjectId,
    redaction::{Flags, MAX_CONTEXT, SwitchRecord},
    signing::Signer,
    text::ExternalId,
    time::Timestamp,
    vocabulary::VocabularyEntry,
    webhook::WebhookId,
};

use crate::{
    memory_change_log::MemoryLog,
    memory_erasures::MemoryErasures,
    memory_holds::MemoryHolds,
    memory_idempotency::IdempotencyRecords,
    memory_privacy::{FormerCustomers, MemoryPrivacy},
    memory_retention::MemoryRetention,
    memory_tenants::MemoryTenantErasure,
    memory_vocabularies::StoredDelivery,
    memory_webhook::StoredWebhook,
};

/// Implements every store in memory. Dropping the value drops the data.
#[derive(Default)]
pub struct MemoryStore {
    tenants: Mutex<BTreeMap<TenantId, TenantData>>,
    pub(crate) ledger_objects: Mutex<BTreeSet<LedgerObjectId>>,
    pub(crate) signer: Option<Arc<dyn Signer>>,
}

/// The data of one tenant.
#[derive(Default)]
pub(crate) struct TenantData {
    pub(crate) conversations: BTreeMap<ConversationId, StoredConversation>,
    pub(crate) vocabulary: BTreeMap<VocabularyEntryId, VocabularyEntry>,
    pub(crate) credentials: BTreeMap<String, Credential>,
    pub(crate) delivery: StoredDelivery,
    pub(crate) flags: Option<Flags>,
    pub(crate) switches: Vec<SwitchRecord>,
    pub(crate) audit: Vec<AuditRecord>,
    pub(crate) signature: Option<HeadSignature>,
    pub(crate) idempotency: IdempotencyRecords,
    pub(crate) log: MemoryLog,
    pub(crate) webhooks: BTreeMap<WebhookId, StoredWebhook>,
    pub(crate) erasures: MemoryErasures,
    pub(crate) privacy: MemoryPrivacy,
    pub(crate) holds: MemoryHolds,
    pub(crate) retention: MemoryRetention,
    pub(crate) tenant_erasure: MemoryTenantErasure,
}

pub(crate) struct StoredConversation {
    pub(crate) conversation: Conversation,
    pub(crate) former_customers: FormerCustomers,
    pub(crate) created_at: Timestamp,
    updated_at: Timestamp,
    pub(crate) messages: BTreeMap<MessagePosition, Message>,
}

impl StoredConversation {
    pub(crate) fn newest(&self, end: Bound<&MessagePosition>, limit: usize) -> Vec<Message> {
        let earlier = self.messages.range((Bound::Unbounded, end));
        let mut newest: Vec<_> = earlier.rev().take(limit).map(|(_, message)| message.clone()).collect();
        newest.reverse();
        newest
    }
}

impl MemoryStore {
    /// An empty store that signs heads of the audit log with this key.
    #[must_use]
    pub fn with_signer(signer: Arc<dyn Signer>) -> Self {
        Self { signer: Some(signer), ..Self::default() }
    }

    pub(crate) fn lock_tenants(&self) -> MutexGuard<'_, BTreeMap<TenantId, TenantData>> {
        self.tenants.lock().expect("no panic while the lock is held")
    }

    pub(crate) fn with_tenant<T>(&self, tenant: &TenantId, action: impl FnOnce(&mut TenantData) -> T) -> T {
        action(self.lock_tenants().entry(tenant.clone()).or_default())
    }
}

#[async_trait]
impl ConversationStore for MemoryStore {
    async fn find(&self, tenant: &TenantId, id: &ConversationId) -> Result<Option<Conversation>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.conversations.get(id).map(|stored| stored.conversation.clone())))
    }

    async fn find_all(&self, tenant: &TenantId, ids: &[ConversationId]) -> Result<Vec<Conversation>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let found = ids.iter().filter_map(|id| data.conversations.get(id));
            found.map(|stored| stored.conversation.clone()).collect()
        }))
    }

    async fn find_by_external_id(
        &self,
        tenant: &TenantId,
        external_id: &ExternalId,
    ) -> Result<Option<Conversation>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.by_external_id(external_id).cloned()))
    }

    async fn page(&self, tenant: &TenantId, query: &ConversationQuery) -> Result<ConversationPage, StoreError> {
        let matching = self.with_tenant(tenant, |data| {
            let stored = data.conversations.values();
            let matching = stored.filter(|stored| query.criteria.matches(&stored.conversation, stored.updated_at));
            matching.map(|stored| stored.conversation.clone()).collect::<Vec<_>>()
        });
        let is_after =
            |conversation: &Conversation| query.after.as_ref().is_none_or(|it| conversation.position() > *it);
        let mut found: Vec<_> = matching.into_iter().filter(is_after).collect();
        found.sort_by_key(Conversation::position);
        found.truncate(query.limit.get() + 1);
        Ok(ConversationPage::from_found(found, query.limit, None))
    }

    async fn upsert(
        &self,
        tenant: &TenantId,
        upsert: &Upsert,
        at: Timestamp,
        claim: Option<Claim>,
    ) -> Result<UpsertOutcome, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            if data.is_erased(upsert) {
                return UpsertOutcome::Erased;
            }
            let existing = data.by_external_id(&upsert.external_id).map(|conversation| conversation.id.clone());
            let id = existing.unwrap_or_else(|| upsert.new_id.clone());
            let record = claim.map(|claim| claim.into_record(vec![id.to_string()]));
            if !data.idempotency.is_key_free(record.as_ref()) {
                return UpsertOutcome::KeyTaken;
            }
            data.idempotency.insert(record.as_ref());
            data.upsert(&id, upsert, at);
            UpsertOutcome::Stored(id)
        }))
    }
}

impl TenantData {
    /// Whether the conversation was erased, or a customer of it is being erased.
    pub(crate) fn is_erased(&self, upsert: &Upsert) -> bool {
        let existing = self.by_external_id(&upsert.external_id);
        let mut customers = existing.map(|conversation| &conversation.customer).into_iter().chain([&upsert.customer]);
        self.tenant_erasure.erasure.is_some()
            || upsert.digest.is_some_and(|digest| self.erasures.contains_digest(&digest))
            || customers.any(|customer| self.privacy.is_fenced(&customer.external_id))
    }

    /// Creates the conversation with this id, or changes it.
    pub(crate) fn upsert(&mut self, id: &ConversationId, upsert: &Upsert, at: Timestamp) {
        let is_new = !self.conversations.contains_key(id);
        let change = if is_new { Change::ConversationCreated } else { Change::ConversationUpdated };
        self.log.append([change(id.clone())]);
        let entry = self.conversations.entry(id.clone()).and_modify(|stored| {
            if stored.conversation.customer.external_id != upsert.customer.external_id {
                stored.former_customers.insert(stored.conversation.customer.external_id.clone());
            }
            upsert.apply_to(&mut stored.conversation);
            stored.updated_at = at;
        });
        entry.or_insert_with(|| StoredConversation {
            conversation: upsert.to_conversation(),
            former_customers: FormerCustomers::new(),
            created_at: at,
            updated_at: at,
            messages: BTreeMap::new(),
        });
    }

    pub(crate) fn by_external_id(&self, external_id: &ExternalId) -> Option<&Conversation> {
        self.conversations
            .values()
            .map(|stored| &stored.conversation)
            .find(|conversation| conversation.external_id == *external_id)
    }

    pub(crate) fn append_batch(&mut self, batch: &AppendBatch) -> AppendOutcome {
        let Some(stored) = self.conversations.get_mut(&batch.conversation) else {
            return AppendOutcome::NoConversation;
        };
        let summary = |message: &Message| (message.position(), message.text.clone());
        let tail_limit = batch.expected_tail.as_ref().map_or(0, Vec::len).max(MAX_CONTEXT);
        let newest = stored.newest(Bound::Unbounded, tail_limit);
        let tail_matches = |tail: &Vec<Message>| newest.iter().map(summary).eq(tail.iter().map(summary));
        let text_matches = |update: &MaskUpdate| {
            stored.messages.get(&update.position).is_some_and(|message| message.text == update.expected)
        };
        if !self.idempotency.is_key_free(batch.idempotency_record.as_ref()) {
            return AppendOutcome::KeyTaken;
        }
        if !batch.expected_tail.as_ref().is_none_or(tail_matches) || !batch.mask_updates.iter().all(text_matches) {
            return AppendOutcome::PreconditionFailed;
        }
        for update in &batch.mask_updates {
            stored.messages.entry(update.position.clone()).and_modify(|message| {
                message.text = update.masked.clone();
                message.redactions = update.redactions.clone();
            });
        }
        stored.messages.extend(batch.messages.iter().map(|message| (message.position(), message.clone())));
        self.log.append(batch.messages.iter().map(|message| Change::MessageCreated(message.into())));
        let masked = batch.mask_updates.iter().map(|update| MessageReference {
            conversation: batch.conversation.clone(),
            position: update.position.clone(),
        });
        self.log.append(masked.map(Change::MessageMasked));
        self.idempotency.insert(batch.idempotency_record.as_ref());
        AppendOutcome::Appended
    }
}
