//! The use cases of messages.

use std::sync::Arc;

use super::{
    Append, ConversationStore, Masking, Message, MessagePage, MessagePosition, MessageStore, NewMessage, PageLimit,
    Transcript,
    masking::{Around, Masked, lacks, tail, wants_context},
};
use crate::{
    access::{Caller, Permission, TenantId},
    error::{Error, Resource, StoreError, StoreErrorKind},
    id::{ConversationId, IdSource, MessageId},
    redaction::{EntitySet, MAX_CONTEXT},
    time::Clock,
};

/// How often a message is masked anew when others come before it. With every attempt that fails another message of the
/// same conversation was stored, so only more senders than this at once can make it fail.
const ATTEMPTS: usize = 64;

/// Adds messages to conversations and lists them, masked both ways.
#[derive(Clone)]
pub struct Messages {
    store: Arc<dyn MessageStore>,
    conversations: Arc<dyn ConversationStore>,
    masking: Masking,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

impl Messages {
    /// Works on these stores.
    #[must_use]
    pub fn new(
        store: Arc<dyn MessageStore>,
        conversations: Arc<dyn ConversationStore>,
        masking: Masking,
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, conversations, masking, ids, clock }
    }

    /// Adds a message to an existing conversation (spec §4.4). Its text is masked with what is active for the tenant,
    /// in the light of the messages around it where these could matter; and where it shows that another message holds a
    /// part of something, that part is masked with it. Of messages that arrive at once, each is masked in the light of
    /// those that were stored first.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::WriteConversations`]; [`Error::Missing`] where there is no such
    /// conversation; [`Error::Store`].
    pub async fn record(
        &self,
        caller: &Caller,
        conversation: ConversationId,
        new: NewMessage,
    ) -> Result<MessageId, Error> {
        let tenant = caller.permit(Permission::WriteConversations)?;
        let active = self.masking.active(tenant).await?;
        let created_at = self.clock.now();
        let id = MessageId::from_bits(self.ids.next(created_at));
        let NewMessage { sender, text, sent_at } = new;
        let message = Message { id, conversation, sender, text, masked_with: active, sent_at, created_at };
        for _ in 0..ATTEMPTS {
            match self.attempt(tenant, &message, active).await? {
                Append::Appended => return Ok(message.id),
                Append::NoConversation => return Err(Error::Missing(Resource::Conversation)),
                Append::Superseded => {}
            }
        }
        Err(StoreError::new(StoreErrorKind::Unavailable, "other messages kept coming before this one").into())
    }

    /// Masks a message and stores it. Other messages are read only where they could change what is found in it, and must
    /// then be the same still when it is stored.
    async fn attempt(&self, tenant: &TenantId, message: &Message, active: EntitySet) -> Result<Append, StoreError> {
        if !wants_context(&message.text, active) {
            let masked = self.masking.incoming(message, &[], active).await?;
            let outcome = self.store.append(tenant, &masked.message).await?;
            self.count(outcome, &masked);
            return Ok(outcome);
        }
        let seen = self.store.newest(tenant, &message.conversation, None).await?;
        let masked = self.masking.incoming(message, &seen, active).await?;
        let outcome = self.store.append_in_context(tenant, &masked.message, &seen, &masked.others).await?;
        self.count(outcome, &masked);
        Ok(outcome)
    }

    fn count(&self, outcome: Append, masked: &Masked) {
        if outcome == Append::Appended {
            self.masking.count(&masked.found);
        }
    }

    /// One page of a conversation's messages in chronological order (spec §4.5), each masked again where something is
    /// active that was not when it was stored.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadConversations`]; [`Error::Missing`] where there is no such
    /// conversation; [`Error::Store`].
    pub async fn page(
        &self,
        caller: &Caller,
        conversation: &ConversationId,
        after: Option<MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, Error> {
        let tenant = caller.permit(Permission::ReadConversations)?;
        let stored = self.stored(tenant, conversation, after.as_ref(), limit).await?;
        let active = self.masking.active(tenant).await?;
        let (first, rest) = (after.is_some().then(|| stored.messages.first()).flatten(), stored.next());
        let open =
            |messages: &[Message]| messages.iter().any(|one| lacks(one, active) && wants_context(&one.text, active));
        let before = match first {
            Some(first) if open(stored.messages.get(..MAX_CONTEXT).unwrap_or(&stored.messages)) => {
                self.store.newest(tenant, conversation, Some(&first.position())).await?
            }
            _ => Vec::new(),
        };
        let following = match rest {
            Some(rest) if open(tail(&stored.messages)) => {
                self.store.page(tenant, conversation, Some(&rest), PageLimit::CONTEXT).await?.messages
            }
            _ => Vec::new(),
        };
        let around = Around { before: &before, after: &following };
        let messages = self.masking.outgoing(stored.messages, around, active).await?;
        Ok(MessagePage { messages, more: stored.more })
    }

    /// One page as it is stored.
    async fn stored(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        after: Option<&MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, Error> {
        let page = self.store.page(tenant, conversation, after, limit).await?;
        // A conversation that has messages exists, so only an empty page needs the second look.
        if page.messages.is_empty() && self.conversations.find(tenant, conversation).await?.is_none() {
            return Err(Error::Missing(Resource::Conversation));
        }
        Ok(page)
    }

    /// All messages of a conversation in chronological order, to be read a page at a time (spec §4.5). The first page
    /// has been read when this returns.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub async fn all(&self, caller: &Caller, conversation: ConversationId) -> Result<Transcript, Error> {
        let tenant = caller.permit(Permission::ReadConversations)?;
        let first = self.stored(tenant, &conversation, None, PageLimit::MAX).await?;
        Ok(Transcript::begin(Arc::clone(&self.store), self.masking.clone(), tenant.clone(), conversation, first))
    }
}
