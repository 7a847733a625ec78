//! The types of events, and the permission that each needs.

use std::fmt;

use crate::access::Permission;

/// The type of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventType {
    /// A conversation was created.
    ConversationCreated,
    /// A conversation was updated.
    ConversationUpdated,
    /// A message was added to a conversation.
    MessageCreated,
    /// The stored text of a message was masked further.
    MessageMasked,
    /// A conversation was erased with its messages. No event of the conversation follows.
    ConversationErased,
    /// An entry was added to the vocabulary.
    VocabularyCreated,
    /// An entry was removed from the vocabulary.
    VocabularyDeleted,
    /// A redaction entity was switched. Every text may read differently now.
    RedactionSwitched,
    /// A day of a feed is complete for the first time.
    FeedDayCompleted,
    /// A complete day of a feed was written again.
    FeedDayRevised,
}

impl EventType {
    /// Every type.
    pub const ALL: [Self; 10] = [
        Self::ConversationCreated,
        Self::ConversationUpdated,
        Self::MessageCreated,
        Self::MessageMasked,
        Self::ConversationErased,
        Self::VocabularyCreated,
        Self::VocabularyDeleted,
        Self::RedactionSwitched,
        Self::FeedDayCompleted,
        Self::FeedDayRevised,
    ];

    /// The name of the type.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConversationCreated => "conversation.created",
            Self::ConversationUpdated => "conversation.updated",
            Self::MessageCreated => "message.created",
            Self::MessageMasked => "message.masked",
            Self::ConversationErased => "conversation.erased",
            Self::VocabularyCreated => "vocabulary.created",
            Self::VocabularyDeleted => "vocabulary.deleted",
            Self::RedactionSwitched => "redaction.switched",
            Self::FeedDayCompleted => "feed.day_completed",
            Self::FeedDayRevised => "feed.day_revised",
        }
    }

    /// The type with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event_type| event_type.as_str() == name)
    }

    /// Whether events of this type belong to a conversation.
    #[must_use]
    pub const fn is_of_conversation(self) -> bool {
        match self {
            Self::ConversationCreated
            | Self::ConversationUpdated
            | Self::MessageCreated
            | Self::MessageMasked
            | Self::ConversationErased => true,
            Self::VocabularyCreated
            | Self::VocabularyDeleted
            | Self::RedactionSwitched
            | Self::FeedDayCompleted
            | Self::FeedDayRevised => false,
        }
    }

    /// The permission that a reader of events of this type needs.
    #[must_use]
    pub const fn permission(self) -> Permission {
        match self {
            Self::ConversationCreated
            | Self::ConversationUpdated
            | Self::MessageCreated
            | Self::MessageMasked
            | Self::ConversationErased
            | Self::RedactionSwitched => Permission::ReadConversations,
            Self::VocabularyCreated | Self::VocabularyDeleted => Permission::ReadConfiguration,
            Self::FeedDayCompleted | Self::FeedDayRevised => Permission::ReadFeeds,
        }
    }
}

/// The names, separated by commas, as [`EventTypes::parse`] reads them.
impl fmt::Display for EventTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, event_type) in self.iter().enumerate() {
            let separator = if index > 0 { "," } else { "" };
            write!(f, "{separator}{event_type}")?;
        }
        Ok(())
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A list of types contains a word that is not the name of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be a list of event types, separated by commas, such as {0},{1}",
    EventType::MessageCreated,
    EventType::MessageMasked
)]
pub struct ParseTypesError;

/// A set of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EventTypes(u16);

impl EventTypes {
    /// Every type.
    #[must_use]
    pub fn all() -> Self {
        EventType::ALL.into_iter().collect()
    }

    /// The types of the stream of a conversation's messages.
    #[must_use]
    pub fn of_messages() -> Self {
        [EventType::MessageCreated, EventType::MessageMasked, EventType::ConversationErased].into_iter().collect()
    }

    /// The types whose events belong to a conversation, which a stream of one conversation can give.
    #[must_use]
    pub fn of_conversations() -> Self {
        EventType::ALL.into_iter().filter(|event_type| event_type.is_of_conversation()).collect()
    }

    /// Parses a list of names, separated by commas.
    ///
    /// # Errors
    /// [`ParseTypesError`] if a name is not that of a type.
    pub fn parse(list: &str) -> Result<Self, ParseTypesError> {
        list.split(',').map(|name| EventType::parse(name).ok_or(ParseTypesError)).collect()
    }

    /// Whether the set contains this type.
    #[must_use]
    pub fn contains(self, event_type: EventType) -> bool {
        self.0 & (1 << event_type as u16) != 0
    }

    /// Whether the set contains no type.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The types of the set.
    pub fn iter(self) -> impl Iterator<Item = EventType> {
        EventType::ALL.into_iter().filter(move |event_type| self.contains(*event_type))
    }

    /// The types that one of the sets contains.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<EventType> for EventTypes {
    fn from_iter<I: IntoIterator<Item = EventType>>(types: I) -> Self {
        Self(types.into_iter().fold(0, |set, event_type| set | (1 << event_type as u16)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_parsed_from_its_name() {
        for event_type in EventType::ALL {
            assert_eq!(EventType::parse(event_type.as_str()), Some(event_type));
        }
        assert_eq!(EventType::parse("message.*"), None);
    }

    #[test]
    fn a_list_of_types_is_parsed_whole_or_not_at_all() {
        let types = EventTypes::parse("message.created,feed.day_revised").unwrap();
        assert_eq!(types.iter().collect::<Vec<_>>(), [EventType::MessageCreated, EventType::FeedDayRevised]);
        assert_eq!(EventTypes::parse(&types.to_string()), Ok(types));
        for list in ["", "message.created,", "message.created, message.masked", "all"] {
            assert_eq!(EventTypes::parse(list), Err(ParseTypesError), "{list}");
        }
    }
}
