//! The stores in memory. This second implementation of the ports shares no code with SQL, so that the contract suites
//! test the ports and not one database.

use std::{
    collections::BTreeMap,
    ops::Bound,
    sync::{Arc, Mutex, MutexGuard},
};

use async_trait::async_trait;
use parlance_domain::{
    access::{Credential, TenantId},
    audit::{AuditRecord, HeadSignature},
    conversation::{Conversation, ConversationPage, ConversationQuery, ConversationStore, Upsert, UpsertOutcome},
    error::StoreError,
    id::{ConversationId, MessageId, VocabularyEntryId},
    idempotency::Claim,
    message::{
        AppendBatch, AppendOutcome, MaskUpdate, Message, MessagePage, MessagePosition, MessageStore, Neighbours,
        PageLimit,
    },
    redaction::{Flags, MAX_CONTEXT, MAX_NUMBER_RUN, SwitchRecord},
    signing::Signer,
    text::ExternalId,
    time::Timestamp,
    vocabulary::VocabularyEntry,
};

use crate::{memory_idempotency::IdempotencyRecords, memory_vocabularies::StoredDelivery};

/// Implements every store in memory. Dropping the value drops the data.
#[derive(Default)]
pub struct MemoryStore {
    tenants: Mutex<BTreeMap<TenantId, TenantData>>,
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
}

pub(crate) struct StoredConversation {
    conversation: Conversation,
    updated_at: Timestamp,
    messages: BTreeMap<MessagePosition, Message>,
}

impl StoredConversation {
    fn newest(&self, end: Bound<&MessagePosition>, limit: usize) -> Vec<Message> {
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
            let existing = data.by_external_id(&upsert.external_id).map(|conversation| conversation.id.clone());
            let id = existing.unwrap_or_else(|| upsert.new_id.clone());
            let record = claim.map(|claim| claim.into_record(vec![id.to_string()]));
            if !data.idempotency.is_key_free(record.as_ref()) {
                return UpsertOutcome::KeyTaken;
            }
            data.idempotency.insert(record.as_ref());
            let entry = data.conversations.entry(id.clone()).and_modify(|stored| {
                upsert.apply_to(&mut stored.conversation);
                stored.updated_at = at;
            });
            entry.or_insert_with(|| StoredConversation {
                conversation: upsert.to_conversation(),
                updated_at: at,
                messages: BTreeMap::new(),
            });
            UpsertOutcome::Stored(id)
        }))
    }
}

impl TenantData {
    fn by_external_id(&self, external_id: &ExternalId) -> Option<&Conversation> {
        self.conversations
            .values()
            .map(|stored| &stored.conversation)
            .find(|conversation| conversation.external_id == *external_id)
    }

    fn append_batch(&mut self, batch: &AppendBatch) -> AppendOutcome {
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
        self.idempotency.insert(batch.idempotency_record.as_ref());
        AppendOutcome::Appended
    }
}

#[async_trait]
impl MessageStore for MemoryStore {
    async fn append(&self, tenant: &TenantId, message: &Message) -> Result<AppendOutcome, StoreError> {
        Ok(self.with_tenant(tenant, |data| match data.conversations.get_mut(&message.conversation) {
            Some(stored) => {
                stored.messages.insert(message.position(), message.clone());
                AppendOutcome::Appended
            }
            None => AppendOutcome::NoConversation,
        }))
    }

    async fn append_batch(&self, tenant: &TenantId, batch: &AppendBatch) -> Result<AppendOutcome, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.append_batch(batch)))
    }

    async fn find(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        id: &MessageId,
    ) -> Result<Option<Message>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            data.conversations.get(conversation)?.messages.values().find(|message| message.id == *id).cloned()
        }))
    }

    async fn newest<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        before: Option<&'a MessagePosition>,
    ) -> Result<Vec<Message>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let end = before.map_or(Bound::Unbounded, Bound::Excluded);
            data.conversations.get(conversation).map(|stored| stored.newest(end, MAX_CONTEXT)).unwrap_or_default()
        }))
    }

    async fn newest_run(&self, tenant: &TenantId, conversation: &ConversationId) -> Result<Vec<Message>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let stored = data.conversations.get(conversation);
            stored.map(|stored| stored.newest(Bound::Unbounded, MAX_NUMBER_RUN)).unwrap_or_default()
        }))
    }

    async fn page<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        after: Option<&'a MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let start = after.map_or(Bound::Unbounded, Bound::Excluded);
            let stored = data.conversations.get(conversation).into_iter();
            let following = stored.flat_map(|stored| stored.messages.range((start, Bound::Unbounded)));
            let page = following.take(usize::from(limit.messages()) + 1);
            MessagePage::from_messages(page.map(|(_, message)| message.clone()).collect(), limit)
        }))
    }

    async fn neighbours(
        &self,
        tenant: &TenantId,
        positions: &[(ConversationId, MessagePosition)],
    ) -> Result<Vec<Neighbours>, StoreError> {
        let neighbours_of = |data: &mut TenantData, (conversation, position): &(ConversationId, MessagePosition)| {
            let Some(stored) = data.conversations.get(conversation) else { return Neighbours::default() };
            let after = stored.messages.range((Bound::Excluded(position), Bound::Unbounded)).take(MAX_CONTEXT);
            let before = stored.newest(Bound::Excluded(position), MAX_CONTEXT);
            Neighbours { before, after: after.map(|(_, message)| message.clone()).collect() }
        };
        Ok(self.with_tenant(tenant, |data| positions.iter().map(|position| neighbours_of(data, position)).collect()))
    }
}
