//! The model of a message, and the order of messages.

use super::Redactions;
use crate::{
    id::{ConversationId, MessageId},
    limits::{MESSAGE_PAGE_BYTES, MESSAGE_PAGE_MAX, TRANSCRIPT_PAGE_BYTES, TRANSCRIPT_PAGE_MESSAGES},
    redaction::{EntitySet, MAX_CONTEXT},
    text::{ExternalId, MessageText, Violation},
    time::Timestamp,
};

/// The role of a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The agent who serves the customer.
    Agent,
    /// The customer.
    Customer,
    /// The system. It is accepted as a sender, but it is no participant of the conversation (spec §2.2).
    System,
}

/// The word names no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of agent, customer and system")]
pub struct UnknownRole;

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Agent, Self::Customer, Self::System];

    /// The role as text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Customer => "customer",
            Self::System => "system",
        }
    }

    /// Parses a role.
    ///
    /// # Errors
    /// [`UnknownRole`] if the word names no role.
    pub fn parse(word: &str) -> Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|role| role.as_str() == word).ok_or(UnknownRole)
    }

    /// Whether a sender with this role is a participant of the conversation.
    #[must_use]
    pub fn is_participant(self) -> bool {
        matches!(self, Self::Agent | Self::Customer)
    }
}

/// The sender of a message.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sender {
    /// The role.
    pub role: Role,
    /// The sender's identifier in the caller's system.
    pub external_id: ExternalId,
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The identifier that the service generated. Later messages have greater identifiers.
    pub id: MessageId,
    /// The conversation of the message.
    pub conversation: ConversationId,
    /// The sender.
    pub sender: Sender,
    /// The masked text.
    pub text: MessageText,
    /// The entities that were active when the text was masked, before it was stored.
    pub masked_with: EntitySet,
    /// The masked ranges of the text, as far as they are known.
    pub redactions: Redactions,
    /// The time of sending, by the caller's clock.
    pub sent_at: Timestamp,
    /// The time of arrival, by the service's clock.
    pub created_at: Timestamp,
}

impl Message {
    /// The position of the message in its conversation.
    #[must_use]
    pub fn position(&self) -> MessagePosition {
        MessagePosition { sent_at: self.sent_at, id: self.id.clone() }
    }

    /// Whether an entity is active that the text was not masked with.
    pub(super) fn needs_redaction(&self, active: EntitySet) -> bool {
        !active.is_subset(self.masked_with)
    }
}

/// A position in the chronological order of a conversation: by the time of sending, then by arrival.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessagePosition {
    /// The time of sending of the message at this position.
    pub sent_at: Timestamp,
    /// The identifier, which orders messages with the same time of sending.
    pub id: MessageId,
}

/// The messages directly before and after one message of a conversation, which can affect its redaction. Each side is
/// in chronological order and has at most [`MAX_CONTEXT`](crate::redaction::MAX_CONTEXT) messages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Neighbours {
    /// The messages before it.
    pub before: Vec<Message>,
    /// The messages after it.
    pub after: Vec<Message>,
}

/// A page of messages in chronological order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessagePage {
    /// The messages.
    pub messages: Vec<Message>,
    /// Whether the conversation has messages after this page.
    pub has_more: bool,
}

impl MessagePage {
    /// The first page of these messages, which follow each other in chronological order.
    ///
    /// The page ends at the message limit. If its texts reach the byte limit, it ends at the
    /// [`MAX_CONTEXT`](crate::redaction::MAX_CONTEXT)th message from there on, so that the neighbouring page contains
    /// all messages that can affect the redaction of its own messages.
    #[must_use]
    pub fn from_messages(mut messages: Vec<Message>, limit: PageLimit) -> Self {
        let (mut bytes, mut over_limit) = (0, 0);
        let mut count = 0;
        while let Some(message) = messages.get(count)
            && count < usize::from(limit.messages)
            && over_limit < MAX_CONTEXT
        {
            bytes += message.text.as_str().len();
            over_limit += usize::from(bytes >= limit.bytes);
            count += 1;
        }
        let has_more = count < messages.len();
        messages.truncate(count);
        Self { messages, has_more }
    }

    /// The cursor of the next page: the position of the last message; `None` if this is the last page.
    #[must_use]
    pub fn next_cursor(&self) -> Option<MessagePosition> {
        self.messages.last().filter(|_| self.has_more).map(Message::position)
    }
}

/// The size limit of a page: 1 to 1,000 messages, and a number of text bytes that ends the page early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLimit {
    messages: u16,
    bytes: usize,
}

impl PageLimit {
    /// The largest page.
    pub const MAX: Self = Self { messages: MESSAGE_PAGE_MAX, bytes: MESSAGE_PAGE_BYTES };

    /// The limit of a page of a transcript.
    pub(crate) const TRANSCRIPT: Self = Self { messages: TRANSCRIPT_PAGE_MESSAGES, bytes: TRANSCRIPT_PAGE_BYTES };

    /// The limit of a page of one message.
    pub(crate) const SINGLE: Self = Self { messages: 1, ..Self::MAX };

    /// The limit of a page of context messages.
    pub(crate) const CONTEXT: Self = Self { messages: 6, bytes: usize::MAX };

    /// A limit of this many messages.
    ///
    /// # Errors
    /// [`Violation::Range`] outside 1 to 1,000.
    pub fn new(limit: u64) -> Result<Self, Violation> {
        u16::try_from(limit)
            .ok()
            .filter(|limit| (1..=MESSAGE_PAGE_MAX).contains(limit))
            .map(|messages| Self { messages, ..Self::MAX })
            .ok_or(Violation::Range(1, MESSAGE_PAGE_MAX.into()))
    }

    /// The maximum number of messages.
    #[must_use]
    pub fn messages(self) -> u16 {
        self.messages
    }

    /// The number of text bytes that ends a page early.
    #[must_use]
    pub fn bytes(self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_sender_is_no_participant() {
        assert!(!Role::System.is_participant());
        assert!(Role::Agent.is_participant() && Role::Customer.is_participant());
    }

    #[test]
    fn every_role_is_parsed_from_its_lower_case_name_only() {
        for role in Role::ALL {
            assert_eq!(Role::parse(role.as_str()), Ok(role));
        }
        assert_eq!(Role::parse("Agent"), Err(UnknownRole));
    }

    #[test]
    fn messages_of_one_client_time_are_ordered_by_arrival() {
        let at = |micros, id| MessagePosition {
            sent_at: Timestamp::from_micros(micros).unwrap(),
            id: MessageId::parse(id).unwrap(),
        };
        assert!(at(1, "B") < at(2, "A"));
        assert!(at(2, "A") < at(2, "B"));
    }

    #[test]
    fn the_context_limit_is_the_maximum_context_of_the_engine() {
        assert_eq!(usize::from(PageLimit::CONTEXT.messages()), MAX_CONTEXT);
    }

    #[test]
    fn a_page_has_1_to_1000_messages() {
        assert!(PageLimit::new(1).is_ok() && PageLimit::new(1_000).is_ok());
        assert!(PageLimit::new(0).is_err() && PageLimit::new(1_001).is_err() && PageLimit::new(u64::MAX).is_err());
    }
}
