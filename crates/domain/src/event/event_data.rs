//! Reads the data of events: what the resources' own endpoints would return now.

use std::{collections::BTreeMap, sync::Arc};

use super::{Change, Event, EventData, LogEntry};
use crate::{
    access::TenantId,
    conversation::{Conversation, ConversationStore, FieldRedaction},
    error::StoreError,
    id::ConversationId,
    message::{ExportRedaction, Message, MessagePosition, MessageStore},
    redaction::{RedactionEntity, RedactionStore},
    vocabulary::VocabularyStore,
};

/// The stores of what events are about, and the redactions of their texts.
#[derive(Clone)]
pub struct EventSources {
    /// The conversations.
    pub conversations: Arc<dyn ConversationStore>,
    /// Masks names and metadata values of conversations.
    pub fields: FieldRedaction,
    /// The messages.
    pub messages: Arc<dyn MessageStore>,
    /// Masks texts of messages.
    pub redaction: ExportRedaction,
    /// The vocabularies.
    pub vocabularies: Arc<dyn VocabularyStore>,
    /// The redaction entities.
    pub entities: Arc<dyn RedactionStore>,
}

type MessageKey = (ConversationId, MessagePosition);

/// What the events of one page are about.
struct PageData {
    conversations: BTreeMap<ConversationId, Conversation>,
    messages: BTreeMap<MessageKey, Message>,
}

impl EventSources {
    /// The events of entries, with their data.
    pub(super) async fn read(&self, tenant: &TenantId, entries: Vec<LogEntry>) -> Result<Vec<Event>, StoreError> {
        let messages = self.messages(tenant, &entries).await?;
        let data = PageData { conversations: self.conversations(tenant, &entries).await?, messages };
        let mut events = Vec::with_capacity(entries.len());
        for LogEntry { position, occurred_at, change } in entries {
            let conversation = change.conversation().and_then(|id| data.conversations.get(id));
            let external_id = conversation.map(|conversation| conversation.external_id.clone());
            let data = self.data_of(tenant, &change, &data).await?;
            events.push(Event { position, occurred_at, change, external_id, data });
        }
        Ok(events)
    }

    async fn data_of(
        &self,
        tenant: &TenantId,
        change: &Change,
        page: &PageData,
    ) -> Result<Option<EventData>, StoreError> {
        Ok(match change {
            Change::ConversationCreated(id) | Change::ConversationUpdated(id) => {
                page.conversations.get(id).cloned().map(EventData::Conversation)
            }
            Change::MessageCreated(message) | Change::MessageMasked(message) => {
                let key = (message.conversation.clone(), message.position.clone());
                page.messages.get(&key).cloned().map(EventData::Message)
            }
            Change::ConversationErased(_) | Change::VocabularyDeleted(_) => None,
            Change::VocabularyCreated(id) => self.vocabularies.find(tenant, id).await?.map(EventData::VocabularyEntry),
            Change::RedactionSwitched(entity) => {
                let activity = self.entities.flags(tenant).await?.activity(*entity);
                Some(EventData::RedactionEntity(RedactionEntity { entity: *entity, activity }))
            }
            Change::FeedDayCompleted(day) | Change::FeedDayRevised(day) => Some(EventData::FeedChange(day.clone())),
        })
    }

    /// The messages that the entries are about, redacted.
    async fn messages(
        &self,
        tenant: &TenantId,
        entries: &[LogEntry],
    ) -> Result<BTreeMap<MessageKey, Message>, StoreError> {
        let stored: Vec<_> = self.stored_messages(tenant, entries).await?.into_iter().flatten().collect();
        if stored.is_empty() {
            return Ok(BTreeMap::new());
        }
        let active = self.redaction.active_entities(tenant).await?;
        let redacted = self.redaction.redact(tenant, stored, active).await?;
        Ok(redacted.into_iter().map(|message| ((message.conversation.clone(), message.position()), message)).collect())
    }

    /// The message of each entry that is about one, as it is stored.
    pub(super) async fn stored_messages(
        &self,
        tenant: &TenantId,
        entries: &[LogEntry],
    ) -> Result<Vec<Option<Message>>, StoreError> {
        let references = entries.iter().filter_map(|entry| entry.change.message());
        let keys: Vec<_> = references.map(|message| (message.conversation.clone(), message.position.clone())).collect();
        if keys.is_empty() { Ok(Vec::new()) } else { self.messages.find_all(tenant, &keys).await }
    }

    /// The conversations that the entries are about, masked.
    async fn conversations(
        &self,
        tenant: &TenantId,
        entries: &[LogEntry],
    ) -> Result<BTreeMap<ConversationId, Conversation>, StoreError> {
        let mut ids: Vec<_> = entries.iter().filter_map(|entry| entry.change.conversation()).cloned().collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let entities = self.fields.entities(tenant).await?;
        let mut found = BTreeMap::new();
        for mut conversation in self.conversations.find_all(tenant, &ids).await? {
            self.fields.mask_conversation(&mut conversation, entities)?;
            found.insert(conversation.id.clone(), conversation);
        }
        Ok(found)
    }
}
