//! The use cases of messages.

use std::sync::Arc;

use super::{
    ConversationStore, Masking, Message, MessagePage, MessagePosition, MessageStore, PageLimit, Transcript,
    masking::{Around, lacks, tail, wants_context},
    recent::RecentMessages,
};
use crate::{
    access::{Caller, Permission, TenantId},
    error::{Error, Resource},
    id::{ConversationId, IdSource},
    redaction::MAX_CONTEXT,
    time::Clock,
};

/// Adds messages to conversations and lists them, masked both ways.
#[derive(Clone)]
pub struct Messages {
    pub(super) store: Arc<dyn MessageStore>,
    conversations: Arc<dyn ConversationStore>,
    pub(super) masking: Masking,
    pub(super) ids: Arc<dyn IdSource>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) recent: Arc<RecentMessages>,
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
        Self { store, conversations, masking, ids, clock, recent: Arc::default() }
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
        let first = self.stored(tenant, &conversation, None, PageLimit::TRANSCRIPT).await?;
        Ok(Transcript::begin(Arc::clone(&self.store), self.masking.clone(), tenant.clone(), conversation, first))
    }
}
