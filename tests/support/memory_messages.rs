//! The store of messages in memory.

use std::ops::Bound;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::Change,
    id::{ConversationId, MessageId},
    message::{AppendBatch, AppendOutcome, Message, MessagePage, MessagePosition, MessageStore, Neighbours, PageLimit},
    redaction::{MAX_CONTEXT, MAX_NUMBER_RUN},
};

use crate::memory::{MemoryStore, TenantData};

#[async_trait]
impl MessageStore for MemoryStore {
    async fn append(&self, tenant: &TenantId, message: &Message) -> Result<AppendOutcome, StoreError> {
        Ok(self.with_tenant(tenant, |data| match data.conversations.get_mut(&message.conversation) {
            Some(stored) => {
                stored.messages.insert(message.position(), message.clone());
                data.log.append([Change::MessageCreated(message.into())]);
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

    async fn find_all(
        &self,
        tenant: &TenantId,
        positions: &[(ConversationId, MessagePosition)],
    ) -> Result<Vec<Option<Message>>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let find = |(conversation, position): &(ConversationId, MessagePosition)| {
                data.conversations.get(conversation)?.messages.get(position).cloned()
            };
            positions.iter().map(find).collect()
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
