//! What is stored of a customer, in memory.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{Change, MessageReference},
    id::ConversationId,
    message::Role,
    privacy::{ArchiveItem, LedgerEntry, PrivacyRequestId, SentMessages, SubjectStore},
    text::ExternalId,
    time::Timestamp,
};

use crate::memory::{MemoryStore, StoredConversation, TenantData};

/// Whether the customer of a conversation is or was this one.
pub(crate) fn is_of(stored: &StoredConversation, customer: &ExternalId) -> bool {
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
            data.erasures.messages.extend(removed.iter().cloned());
            data.erasures.enqueue(removed.iter().map(|message| LedgerEntry::of_message(tenant, message, at)));
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
