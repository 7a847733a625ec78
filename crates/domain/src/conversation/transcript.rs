//! Whole transcripts, read a bounded page at a time so that none is ever held in memory whole.

use std::sync::Arc;

use super::{
    Conversations, Masking, Message, MessagePage, MessageStore, Messages, PageLimit,
    masking::{Around, tail},
};
use crate::{
    access::{Caller, TenantId},
    error::{Error, Resource},
    id::ConversationId,
    text::ExternalId,
};

/// Which conversation's transcript is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranscriptSelector {
    /// The one with this id.
    Id(ConversationId),
    /// The one with this external identifier.
    ExternalId(ExternalId),
}

/// Gives whole transcripts (spec §4.6).
#[derive(Clone)]
pub struct Transcripts {
    conversations: Conversations,
    messages: Messages,
}

impl Transcripts {
    /// Reads through these services.
    #[must_use]
    pub fn new(conversations: Conversations, messages: Messages) -> Self {
        Self { conversations, messages }
    }

    /// The transcript of one conversation.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadConversations`](crate::access::Permission::ReadConversations);
    /// [`Error::Missing`] where there is no such conversation; [`Error::Store`].
    pub async fn full(&self, caller: &Caller, selector: TranscriptSelector) -> Result<Transcript, Error> {
        let id = match selector {
            TranscriptSelector::Id(id) => id,
            TranscriptSelector::ExternalId(external_id) => {
                let found = self.conversations.search(caller, &external_id).await?;
                found.ok_or(Error::Missing(Resource::Conversation))?.id
            }
        };
        self.messages.all(caller, id).await
    }
}

/// The messages of one conversation, page after page.
pub struct Transcript {
    store: Arc<dyn MessageStore>,
    masking: Masking,
    tenant: TenantId,
    conversation: ConversationId,
    /// The last messages that were given, as they are stored.
    before: Vec<Message>,
    read: MessagePage,
}

impl Transcript {
    pub(super) fn begin(
        store: Arc<dyn MessageStore>,
        masking: Masking,
        tenant: TenantId,
        conversation: ConversationId,
        first: MessagePage,
    ) -> Self {
        Self { store, masking, tenant, conversation, before: Vec::new(), read: first }
    }

    /// The next messages, masked again as those of a page are, at most [`TRANSCRIPT_PAGE_MESSAGES`](crate::limits::TRANSCRIPT_PAGE_MESSAGES)
    /// of them, and whether more follow; empty when all were given.
    ///
    /// # Errors
    /// [`Error::Store`]; what was given before is then a part of the transcript only.
    pub async fn next(&mut self) -> Result<(Vec<Message>, bool), Error> {
        let after = self.read.next();
        let given = std::mem::replace(&mut self.read, MessagePage { messages: Vec::new(), more: false });
        if let Some(after) = after {
            self.read = self.store.page(&self.tenant, &self.conversation, Some(&after), PageLimit::TRANSCRIPT).await?;
        }
        let active = self.masking.active(&self.tenant).await?;
        let last = tail(&given.messages).to_vec();
        let around = Around { before: &self.before, after: &self.read.messages };
        let shown = self.masking.outgoing(given.messages, around, active).await?;
        self.before = last;
        Ok((shown, !self.read.messages.is_empty()))
    }
}
