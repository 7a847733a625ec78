//! The use cases of messages.

use std::sync::Arc;

use crate::{
    access::{AuthorizedCaller, ReadConversations, TenantId},
    conversation::ConversationStore,
    id::{ConversationId, IdSource, MessageId},
    message::{
        FindMessageError, Message, MessagePage, MessagePosition, MessageRedaction, MessageStore, PageLimit,
        ReadMessagesError, Transcript,
        recent_cache::RecentMessageCache,
        redaction::{ContextWindow, context_tail, needs_context},
    },
    redaction::MAX_CONTEXT,
    time::Clock,
};

/// Appends messages to conversations and lists them. Messages are redacted when they are stored and when they are read.
#[derive(Clone)]
pub struct Messages {
    pub(super) store: Arc<dyn MessageStore>,
    conversations: Arc<dyn ConversationStore>,
    pub(super) redaction: MessageRedaction,
    pub(super) ids: Arc<dyn IdSource>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) recent: Arc<RecentMessageCache>,
}

impl Messages {
    /// Uses these stores.
    #[must_use]
    pub fn new(
        store: Arc<dyn MessageStore>,
        conversations: Arc<dyn ConversationStore>,
        redaction: MessageRedaction,
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, conversations, redaction, ids, clock, recent: Arc::default() }
    }

    /// One page of a conversation's messages in chronological order (spec §4.5). Messages that were stored before an
    /// entity became active are redacted again.
    ///
    /// # Errors
    /// [`ReadMessagesError`].
    pub async fn page(
        &self,
        caller: &AuthorizedCaller<ReadConversations>,
        conversation: &ConversationId,
        after: Option<MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, ReadMessagesError> {
        self.page_in(caller.tenant(), conversation, after, limit).await
    }

    async fn page_in(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        after: Option<MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, ReadMessagesError> {
        let stored = self.stored_page(tenant, conversation, after.as_ref(), limit).await?;
        let active = self.redaction.active_entities(tenant).await?;
        let (first, next_cursor) = (after.is_some().then(|| stored.messages.first()).flatten(), stored.next_cursor());
        let page_needs_context = |messages: &[Message]| {
            messages.iter().any(|message| message.needs_redaction(active) && needs_context(&message.text, active))
        };
        let before = match first {
            Some(first) if page_needs_context(stored.messages.get(..MAX_CONTEXT).unwrap_or(&stored.messages)) => {
                self.store.newest(tenant, conversation, Some(&first.position())).await?
            }
            _ => Vec::new(),
        };
        let following = match next_cursor {
            Some(next_cursor) if page_needs_context(context_tail(&stored.messages)) => {
                self.store.page(tenant, conversation, Some(&next_cursor), PageLimit::CONTEXT).await?.messages
            }
            _ => Vec::new(),
        };
        let window = ContextWindow { before: &before, after: &following };
        let messages = self.redaction.redact_for_read(stored.messages, window, active).await?;
        Ok(MessagePage { messages, has_more: stored.has_more })
    }

    /// The message of a conversation with this id, redacted as in a page.
    ///
    /// # Errors
    /// [`FindMessageError`].
    pub async fn find(
        &self,
        caller: &AuthorizedCaller<ReadConversations>,
        conversation: &ConversationId,
        id: &MessageId,
    ) -> Result<Message, FindMessageError> {
        self.find_in(caller.tenant(), conversation, id).await
    }

    /// The message of a tenant's conversation with this id.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub(crate) async fn find_in(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        id: &MessageId,
    ) -> Result<Message, FindMessageError> {
        let Some(stored) = self.store.find(tenant, conversation, id).await? else {
            let exists = self.conversations.find(tenant, conversation).await?.is_some();
            return Err(if exists { FindMessageError::NoMessage } else { FindMessageError::NoConversation });
        };
        // The page that begins with the message follows the message before it.
        let before = self.store.newest(tenant, conversation, Some(&stored.position())).await?;
        let after = before.last().map(Message::position);
        let page = self.page_in(tenant, conversation, after, PageLimit::SINGLE).await?;
        page.messages.into_iter().find(|message| message.id == *id).ok_or(FindMessageError::NoMessage)
    }

    /// One page as it is stored.
    async fn stored_page(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        after: Option<&MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, ReadMessagesError> {
        let page = self.store.page(tenant, conversation, after, limit).await?;
        // A conversation with messages exists, so only an empty page needs a second look-up.
        if page.messages.is_empty() && self.conversations.find(tenant, conversation).await?.is_none() {
            return Err(ReadMessagesError::NoConversation);
        }
        Ok(page)
    }

    /// The transcript of a conversation: all its messages in chronological order, read page by page (spec §4.5). The
    /// first page is already read when this method returns.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub async fn transcript(
        &self,
        caller: &AuthorizedCaller<ReadConversations>,
        conversation: ConversationId,
    ) -> Result<Transcript, ReadMessagesError> {
        self.transcript_in(caller.tenant(), conversation).await
    }

    /// The transcript of a tenant's conversation.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub(crate) async fn transcript_in(
        &self,
        tenant: &TenantId,
        conversation: ConversationId,
    ) -> Result<Transcript, ReadMessagesError> {
        let first = self.stored_page(tenant, &conversation, None, PageLimit::TRANSCRIPT).await?;
        Ok(Transcript::new(Arc::clone(&self.store), self.redaction.clone(), tenant.clone(), conversation, first))
    }
}
