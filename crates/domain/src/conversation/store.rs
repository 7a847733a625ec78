//! The ports that keep conversations and messages.

use async_trait::async_trait;

use super::{Conversation, Message, MessagePage, MessagePosition, Neighbours, PageLimit, Upsert};
use crate::{
    access::TenantId,
    error::StoreError,
    id::ConversationId,
    retry::{Claim, Receipt},
    text::{ExternalId, MessageText},
    time::Timestamp,
};

/// What became of a conversation that was to be created or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a repeated write wrote nothing"]
pub enum Upserted {
    /// The conversation with this id is as it was to be, durably.
    Stored(ConversationId),
    /// There is a receipt with the key already, and nothing was written.
    Repeated,
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a message may have had no conversation to go to"]
pub enum Append {
    /// It is part of its conversation, durably.
    Appended,
    /// There is no such conversation, and nothing was written.
    NoConversation,
    /// The messages beside it were no longer as presumed, and nothing was written.
    Superseded,
    /// There is a receipt with the key already, and nothing was written.
    Repeated,
}

/// Messages of one conversation that are added together, all or none of them, with what happens in the same step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addition {
    /// The conversation to which all the messages belong.
    pub conversation: ConversationId,
    /// The messages: at least one, in any order.
    pub messages: Vec<Message>,
    /// The newest messages of the conversation, where these were looked at: they are presumed to be the newest still,
    /// with the same texts.
    pub seen: Option<Vec<Message>>,
    /// Which messages that are there are masked again.
    pub masks: Vec<Remask>,
    /// What is kept of the request. Presumes that no other request used the key, or that the receipt of that one is
    /// [forgotten](Receipt::forgotten_by).
    pub receipt: Option<Receipt>,
}

/// A text that must not stay as it is: what came later showed what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remask {
    /// Where the message stands in its conversation.
    pub position: MessagePosition,
    /// The text that is presumed to stand there still.
    pub was: MessageText,
    /// The text that takes its place.
    pub becomes: MessageText,
}

/// Keeps conversations. Every method sees one tenant's conversations only.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ConversationStore: Send + Sync {
    /// The conversation with this id.
    async fn find(&self, tenant: &TenantId, id: &ConversationId) -> Result<Option<Conversation>, StoreError>;

    /// The conversation with this external identifier.
    async fn find_by_external_id(
        &self,
        tenant: &TenantId,
        external_id: &ExternalId,
    ) -> Result<Option<Conversation>, StoreError>;

    /// Creates the conversation, or changes the one with its external identifier, as [`Upsert`] says. Of any number of
    /// concurrent calls for one external identifier exactly one MUST create the conversation, and all MUST be told its
    /// id. What is stored MUST survive a loss of power.
    ///
    /// A receipt of the claim, which names the id of the conversation, is stored in the same step. It presumes that no
    /// other request used its key, or that the receipt of that one is [forgotten](Receipt::forgotten_by).
    async fn upsert(
        &self,
        tenant: &TenantId,
        upsert: &Upsert,
        at: Timestamp,
        claim: Option<Claim>,
    ) -> Result<Upserted, StoreError>;
}

/// Keeps messages. Every method sees one tenant's messages only.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait MessageStore: Send + Sync {
    /// Adds a message to its conversation. An appended message MUST survive a loss of power.
    async fn append(&self, tenant: &TenantId, message: &Message) -> Result<Append, StoreError>;

    /// Adds messages to their conversation, masks others of it again and stores the receipt, all or nothing, where
    /// [`newest`](Self::newest) would still answer what was seen, and each text that is to be masked is as presumed. Of
    /// any number of concurrent calls that have seen the same exactly one MUST be appended; so with those that bring a
    /// receipt of one key. What a text was MUST NOT stay in the store longer than the store can help.
    async fn append_all(&self, tenant: &TenantId, addition: &Addition) -> Result<Append, StoreError>;

    /// The newest messages of a conversation, of those that stand before `before` where that is given: the last
    /// [`MAX_CONTEXT`](crate::redaction::MAX_CONTEXT) of them at most, in chronological order.
    async fn newest<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        before: Option<&'a MessagePosition>,
    ) -> Result<Vec<Message>, StoreError>;

    /// The messages of a conversation in chronological order, from the first that stands after `after`, as
    /// [`MessagePage::of`] bounds them. A store MUST NOT give many more rows to the program. A conversation that does not exist has
    /// none.
    async fn page<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        after: Option<&'a MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, StoreError>;

    /// What stands beside each of these positions, in their order; positions of any conversations, as many of one as
    /// there may be. A position in a conversation that does not exist has nothing beside it.
    async fn neighbours(
        &self,
        tenant: &TenantId,
        positions: &[(ConversationId, MessagePosition)],
    ) -> Result<Vec<Neighbours>, StoreError>;
}
