//! What a message is, and the order of messages.

use crate::{
    id::{ConversationId, MessageId},
    limits::{
        MESSAGE_BATCH_MAX, MESSAGE_PAGE_BYTES, MESSAGE_PAGE_MAX, TRANSCRIPT_PAGE_BYTES, TRANSCRIPT_PAGE_MESSAGES,
    },
    redaction::{EntitySet, MAX_CONTEXT},
    retry::{Canonical, CanonicalForm},
    text::{ExternalId, MessageText, Violation},
    time::Timestamp,
};

/// In what role someone sends a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Who serves the customer.
    Agent,
    /// Who is served.
    Customer,
    /// The system: accepted as a sender, but no participant of the conversation (spec §2.2).
    System,
}

/// A word that names no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of agent, customer and system")]
pub struct UnknownRole;

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Agent, Self::Customer, Self::System];

    /// The role's word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Customer => "customer",
            Self::System => "system",
        }
    }

    /// Reads a role's word.
    ///
    /// # Errors
    /// [`UnknownRole`] where the word names none.
    pub fn parse(word: &str) -> Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|role| role.as_str() == word).ok_or(UnknownRole)
    }

    /// Whether a sender in this role takes part in the conversation.
    #[must_use]
    pub fn is_participant(self) -> bool {
        matches!(self, Self::Agent | Self::Customer)
    }
}

/// Who sent a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    /// In what role.
    pub role: Role,
    /// The sender's identifier in the caller's system.
    pub external_id: ExternalId,
}

/// A message to be added to a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMessage {
    /// Who sent it.
    pub sender: Sender,
    /// What was said.
    pub text: MessageText,
    /// When it was sent, by the caller's clock.
    pub sent_at: Timestamp,
}

/// Messages to be added to a conversation together: 1 to 300, in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageBatch(Vec<NewMessage>);

impl MessageBatch {
    /// These messages together.
    ///
    /// # Errors
    /// [`Violation::MinItems`] or [`Violation::MaxItems`] unless there are 1 to 300 of them.
    pub fn new(messages: Vec<NewMessage>) -> Result<Self, Violation> {
        Self::fits(messages.len()).map(|()| Self(messages))
    }

    /// Whether so many messages make a batch.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn fits(messages: usize) -> Result<(), Violation> {
        match messages {
            0 => Err(Violation::MinItems(1)),
            1..=MESSAGE_BATCH_MAX => Ok(()),
            _ => Err(Violation::MaxItems(MESSAGE_BATCH_MAX)),
        }
    }

    /// The messages, given away.
    #[must_use]
    pub fn into_messages(self) -> Vec<NewMessage> {
        self.0
    }
}

impl Canonical for NewMessage {
    fn add_to(&self, form: &mut CanonicalForm) {
        let Self { sender: Sender { role, external_id }, text, sent_at } = self;
        form.text(role.as_str());
        form.text(external_id.as_str());
        form.text(text.as_str());
        form.time(*sent_at);
    }
}

impl Canonical for MessageBatch {
    fn add_to(&self, form: &mut CanonicalForm) {
        form.count(self.0.len());
        for message in &self.0 {
            message.add_to(form);
        }
    }
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The identifier that the service made; later arrivals have greater ones.
    pub id: MessageId,
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// Who sent it.
    pub sender: Sender,
    /// What was said, masked.
    pub text: MessageText,
    /// What was active when the text was masked, before it was stored.
    pub masked_with: EntitySet,
    /// When it was sent, by the caller's clock.
    pub sent_at: Timestamp,
    /// When it arrived, by the service's clock.
    pub created_at: Timestamp,
}

impl Message {
    /// Where it stands in its conversation.
    #[must_use]
    pub fn position(&self) -> MessagePosition {
        MessagePosition { sent_at: self.sent_at, id: self.id.clone() }
    }
}

/// A place in the chronological order of a conversation: by client time, then by arrival.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessagePosition {
    /// When the message there was sent.
    pub sent_at: Timestamp,
    /// Which message it is among those sent at that time.
    pub id: MessageId,
}

/// The messages beside one in its conversation, each side in chronological order and
/// [`MAX_CONTEXT`](crate::redaction::MAX_CONTEXT) of them at most: those that can bear on how it is masked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Neighbours {
    /// The last before it.
    pub before: Vec<Message>,
    /// The first after it.
    pub after: Vec<Message>,
}

/// A run of messages in chronological order, and whether more follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessagePage {
    /// The messages.
    pub messages: Vec<Message>,
    /// Whether the conversation has messages after the last of these.
    pub more: bool,
}

impl MessagePage {
    /// The page that these messages, which follow each other in chronological order, begin with. Where their texts reach the
    /// bytes of the limit, it ends with the [`MAX_CONTEXT`](crate::redaction::MAX_CONTEXT)th message from there on, so that the
    /// page beside it has all that can bear on how its own are masked.
    #[must_use]
    pub fn of(mut messages: Vec<Message>, limit: PageLimit) -> Self {
        let (mut bytes, mut beyond) = (0, 0);
        let mut count = 0;
        while let Some(message) = messages.get(count)
            && count < usize::from(limit.messages)
            && beyond < MAX_CONTEXT
        {
            bytes += message.text.as_str().len();
            beyond += usize::from(bytes >= limit.bytes);
            count += 1;
        }
        let more = count < messages.len();
        messages.truncate(count);
        Self { messages, more }
    }

    /// After which position the next page begins, where there is one.
    #[must_use]
    pub fn next(&self) -> Option<MessagePosition> {
        self.messages.last().filter(|_| self.more).map(Message::position)
    }
}

/// How many messages a page may have: 1 to 1,000. It ends early where its texts reach a number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLimit {
    messages: u16,
    bytes: usize,
}

impl PageLimit {
    /// The largest page.
    pub const MAX: Self = Self { messages: MESSAGE_PAGE_MAX, bytes: MESSAGE_PAGE_BYTES };

    /// A page of a whole transcript.
    pub(crate) const TRANSCRIPT: Self = Self { messages: TRANSCRIPT_PAGE_MESSAGES, bytes: TRANSCRIPT_PAGE_BYTES };

    /// The messages that can bear on another one.
    pub(crate) const CONTEXT: Self = Self { messages: 6, bytes: usize::MAX };

    /// A page of up to so many messages.
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

    /// Most messages.
    #[must_use]
    pub fn messages(self) -> u16 {
        self.messages
    }

    /// The bytes of text that end a page early.
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
    fn every_role_is_read_from_its_own_word_in_lower_case_only() {
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
    fn a_page_of_context_has_as_many_messages_as_count() {
        assert_eq!(usize::from(PageLimit::CONTEXT.messages()), MAX_CONTEXT);
    }

    #[test]
    fn a_page_has_1_to_1000_messages() {
        assert!(PageLimit::new(1).is_ok() && PageLimit::new(1_000).is_ok());
        assert!(PageLimit::new(0).is_err() && PageLimit::new(1_001).is_err() && PageLimit::new(u64::MAX).is_err());
    }
}
