//! The model of an event.

use super::{Change, FeedChange, LogPosition};
use crate::{
    conversation::Conversation, message::Message, redaction::RedactionEntity, text::ExternalId, time::Timestamp,
    vocabulary::VocabularyEntry,
};

/// The current data of what an event is about, masked with the entities that are active now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventData {
    /// The conversation.
    Conversation(Conversation),
    /// The message.
    Message(Message),
    /// The vocabulary entry.
    VocabularyEntry(VocabularyEntry),
    /// The redaction entity with its activity.
    RedactionEntity(RedactionEntity),
    /// The day of a feed.
    FeedChange(FeedChange),
}

/// An event: an entry of the change log with its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The position after the event. Its text is the identifier of the event.
    pub position: LogPosition,
    /// The time of the change, by the clock of the store.
    pub occurred_at: Timestamp,
    /// What changed.
    pub change: Change,
    /// The caller's identifier of the conversation; `None` for other events, and if the conversation is erased.
    pub external_id: Option<ExternalId>,
    /// The data; `None` if what the event is about no longer exists.
    pub data: Option<EventData>,
}
