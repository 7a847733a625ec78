//! The port that stores messages.

use async_trait::async_trait;

use super::{Message, MessagePage, MessagePosition, Neighbours, PageLimit, Redactions};
use crate::{
    access::TenantId,
    error::StoreError,
    id::{ConversationId, MessageId},
    idempotency::IdempotencyRecord,
    text::MessageText,
};

/// The outcome of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "an append can fail without an error, for example if the conversation does not exist"]
pub enum AppendOutcome {
    /// The messages are stored durably.
    Appended,
    /// The conversation does not exist, and nothing was written.
    NoConversation,
    /// A precondition of the batch failed, and nothing was written.
    PreconditionFailed,
    /// An idempotency record with this key already exists, and nothing was written.
    KeyTaken,
}

/// Messages of one conversation that are appended together, all or none, with the other writes of the same step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppendBatch {
    /// The conversation of all the messages.
    pub conversation: ConversationId,
    /// The messages: at least one, in any order.
    pub messages: Vec<Message>,
    /// The newest messages of the conversation, if they were used as context. The precondition is that they are still
    /// the newest and have the same texts. At least [`MAX_CONTEXT`](crate::redaction::MAX_CONTEXT) messages are compared,
    /// and at most [`MAX_NUMBER_RUN`](crate::redaction::MAX_NUMBER_RUN).
    pub expected_tail: Option<Vec<Message>>,
    /// The stored messages that are masked again.
    pub mask_updates: Vec<MaskUpdate>,
    /// The idempotency record of the request. The precondition is that no record with this key exists, or that it has
    /// [expired](IdempotencyRecord::expiry_cutoff).
    pub idempotency_record: Option<IdempotencyRecord>,
}

/// The replacement of a stored text and its masked ranges, in which a later message revealed a sensitive value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaskUpdate {
    /// The position of the message.
    pub position: MessagePosition,
    /// The stored text that the update expects.
    pub expected: MessageText,
    /// The new text.
    pub masked: MessageText,
    /// The masked ranges of the new text.
    pub redactions: Redactions,
}

/// Stores messages. Every method accesses the messages of one tenant only.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait MessageStore: Send + Sync {
    /// Appends a message to its conversation. An appended message MUST survive a loss of power.
    async fn append(&self, tenant: &TenantId, message: &Message) -> Result<AppendOutcome, StoreError>;

    /// Appends messages to their conversation, updates masked texts with their masked ranges and stores the idempotency record, all or nothing.
    ///
    /// The preconditions are that [`newest`](Self::newest) would return the expected tail, or
    /// [`newest_run`](Self::newest_run) would return messages that end with it if it is longer, and that each updated text
    /// is as expected. Of any number of concurrent calls with the same expected tail exactly one MUST succeed. The same
    /// applies to calls with idempotency records of one key. The store MUST erase a replaced text as soon as it can.
    async fn append_batch(&self, tenant: &TenantId, batch: &AppendBatch) -> Result<AppendOutcome, StoreError>;

    /// The message of a conversation with this id.
    async fn find(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        id: &MessageId,
    ) -> Result<Option<Message>, StoreError>;

    /// The messages at these positions, in the same order; `None` where there is none. The positions can belong to any
    /// conversations.
    async fn find_all(
        &self,
        tenant: &TenantId,
        positions: &[(ConversationId, MessagePosition)],
    ) -> Result<Vec<Option<Message>>, StoreError>;

    /// The newest messages of a conversation, at most [`MAX_CONTEXT`](crate::redaction::MAX_CONTEXT), in chronological
    /// order. With `before`, only messages before that position count.
    async fn newest<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        before: Option<&'a MessagePosition>,
    ) -> Result<Vec<Message>, StoreError>;

    /// The newest messages of a conversation, at most [`MAX_NUMBER_RUN`](crate::redaction::MAX_NUMBER_RUN), in
    /// chronological order.
    async fn newest_run(&self, tenant: &TenantId, conversation: &ConversationId) -> Result<Vec<Message>, StoreError>;

    /// The messages of a conversation in chronological order, starting after the position `after`, bounded as
    /// [`MessagePage::from_messages`] defines. A store MUST NOT load many more rows into the program. A conversation
    /// that does not exist has no messages.
    async fn page<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        after: Option<&'a MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, StoreError>;

    /// The neighbours of each of these positions, in the same order. The positions can belong to any conversations, and
    /// several can belong to one. A position in a conversation that does not exist has no neighbours.
    async fn neighbours(
        &self,
        tenant: &TenantId,
        positions: &[(ConversationId, MessagePosition)],
    ) -> Result<Vec<Neighbours>, StoreError>;
}
