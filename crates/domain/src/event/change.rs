//! What an entry of the change log refers to. An entry holds no content.

use super::EventType;
use crate::{
    feed::{Day, FeedName},
    id::{ConversationId, VocabularyEntryId},
    message::{Message, MessagePosition},
    redaction::Entity,
};

/// The reference to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageReference {
    /// The conversation of the message.
    pub conversation: ConversationId,
    /// The position of the message in the conversation.
    pub position: MessagePosition,
}

impl From<&Message> for MessageReference {
    fn from(message: &Message) -> Self {
        Self { conversation: message.conversation.clone(), position: message.position() }
    }
}

/// A change of a day of a feed. The change log is told of it after the marker of the day is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedChange {
    /// The feed.
    pub feed: FeedName,
    /// The day.
    pub day: Day,
    /// The revision of the day: 1 when it is complete for the first time.
    pub revision: u32,
}

/// A change of something that a tenant stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A conversation was created.
    ConversationCreated(ConversationId),
    /// A conversation was updated.
    ConversationUpdated(ConversationId),
    /// A message was added.
    MessageCreated(MessageReference),
    /// The stored text of a message was masked further.
    MessageMasked(MessageReference),
    /// A conversation was erased with its messages.
    ConversationErased(ConversationId),
    /// An entry was added to the vocabulary.
    VocabularyCreated(VocabularyEntryId),
    /// An entry was removed from the vocabulary.
    VocabularyDeleted(VocabularyEntryId),
    /// A redaction entity was switched.
    RedactionSwitched(Entity),
    /// A day of a feed is complete for the first time.
    FeedDayCompleted(FeedChange),
    /// A complete day of a feed was written again.
    FeedDayRevised(FeedChange),
}

impl Change {
    /// The type of the event of this change.
    #[must_use]
    pub fn event_type(&self) -> EventType {
        match self {
            Self::ConversationCreated(_) => EventType::ConversationCreated,
            Self::ConversationUpdated(_) => EventType::ConversationUpdated,
            Self::MessageCreated(_) => EventType::MessageCreated,
            Self::MessageMasked(_) => EventType::MessageMasked,
            Self::ConversationErased(_) => EventType::ConversationErased,
            Self::VocabularyCreated(_) => EventType::VocabularyCreated,
            Self::VocabularyDeleted(_) => EventType::VocabularyDeleted,
            Self::RedactionSwitched(_) => EventType::RedactionSwitched,
            Self::FeedDayCompleted(_) => EventType::FeedDayCompleted,
            Self::FeedDayRevised(_) => EventType::FeedDayRevised,
        }
    }

    /// The conversation that the change belongs to.
    #[must_use]
    pub fn conversation(&self) -> Option<&ConversationId> {
        match self {
            Self::ConversationCreated(id) | Self::ConversationUpdated(id) | Self::ConversationErased(id) => Some(id),
            Self::MessageCreated(message) | Self::MessageMasked(message) => Some(&message.conversation),
            Self::VocabularyCreated(_)
            | Self::VocabularyDeleted(_)
            | Self::RedactionSwitched(_)
            | Self::FeedDayCompleted(_)
            | Self::FeedDayRevised(_) => None,
        }
    }

    /// The message that was added or masked.
    #[must_use]
    pub fn message(&self) -> Option<&MessageReference> {
        if let Self::MessageCreated(message) | Self::MessageMasked(message) = self { Some(message) } else { None }
    }
}
