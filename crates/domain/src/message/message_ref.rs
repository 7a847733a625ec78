//! Messages with borrowed strings, and an arena for the texts of messages that are read together.

use bytestring::ByteString;

use crate::{
    id::{ConversationId, MessageId},
    message::{Message, Redactions, Role, Sender},
    redaction::EntitySet,
    text::{ExternalId, MessageText, Violation},
    time::Timestamp,
};

/// A message with borrowed strings. Its fields are those of [`Message`].
#[derive(Debug, Clone, Copy)]
pub struct MessageRef<'texts> {
    /// The identifier.
    pub id: &'texts str,
    /// The identifier of the conversation.
    pub conversation: &'texts str,
    /// The role of the sender.
    pub role: Role,
    /// The identifier of the sender in the caller's system.
    pub sender_external_id: &'texts str,
    /// The text.
    pub text: &'texts str,
    /// The entities that were active when the text was masked, before it was stored.
    pub masked_with: EntitySet,
    /// The masked ranges of the text, in the form of [`Redactions`].
    pub redactions: Option<&'texts str>,
    /// The time of sending.
    pub sent_at: Timestamp,
    /// The time of arrival.
    pub created_at: Timestamp,
}

/// A field of a message breaks the rule of its type. The error does not contain the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{member} {rule}")]
pub struct InvalidMember {
    /// The name of the field in [`MessageRef`].
    pub member: &'static str,
    /// The broken rule.
    pub rule: Violation,
}

/// Attributes a violation to this field.
fn invalid_member(member: &'static str) -> impl Fn(Violation) -> InvalidMember {
    move |rule| InvalidMember { member, rule }
}

impl MessageRef<'_> {
    /// Checks each text against the rules of its type in [`Message`].
    pub(crate) fn check(&self) -> Result<(), InvalidMember> {
        MessageId::check(self.id).map_err(invalid_member("id"))?;
        ConversationId::check(self.conversation).map_err(invalid_member("conversation"))?;
        ExternalId::check(self.sender_external_id).map_err(invalid_member("sender_external_id"))?;
        MessageText::check(self.text).map_err(invalid_member("text"))?;
        Redactions::check(self.redactions).map_err(invalid_member("redactions"))
    }

    /// An owned copy of the message.
    ///
    /// # Errors
    /// [`InvalidMember`].
    pub fn to_message(&self) -> Result<Message, InvalidMember> {
        let conversation = ConversationId::parse(self.conversation).map_err(invalid_member("conversation"))?;
        Ok(self.envelope()?.with_text(MessageText::parse(self.text).map_err(invalid_member("text"))?, conversation))
    }

    fn envelope(&self) -> Result<Envelope, InvalidMember> {
        Ok(Envelope {
            id: MessageId::parse(self.id).map_err(invalid_member("id"))?,
            sender: Sender {
                role: self.role,
                external_id: ExternalId::parse(self.sender_external_id)
                    .map_err(invalid_member("sender_external_id"))?,
            },
            masked_with: self.masked_with,
            redactions: Redactions::parse(self.redactions).map_err(invalid_member("redactions"))?,
            sent_at: self.sent_at,
            created_at: self.created_at,
        })
    }

    /// Whether an entity is active that the text was not masked with.
    pub(crate) fn needs_redaction(&self, active: EntitySet) -> bool {
        !active.is_subset(self.masked_with)
    }
}

impl<'message> From<&'message Message> for MessageRef<'message> {
    fn from(message: &'message Message) -> Self {
        Self {
            id: message.id.as_str(),
            conversation: message.conversation.as_str(),
            role: message.sender.role,
            sender_external_id: message.sender.external_id.as_str(),
            text: message.text.as_str(),
            masked_with: message.masked_with,
            redactions: message.redactions.stored(),
            sent_at: message.sent_at,
            created_at: message.created_at,
        }
    }
}

/// The fields of a message without its text and its conversation.
#[derive(Debug)]
struct Envelope {
    id: MessageId,
    sender: Sender,
    masked_with: EntitySet,
    redactions: Redactions,
    sent_at: Timestamp,
    created_at: Timestamp,
}

impl Envelope {
    fn with_text(self, text: MessageText, conversation: ConversationId) -> Message {
        let Self { id, sender, masked_with, redactions, sent_at, created_at } = self;
        Message { id, conversation, sender, text, masked_with, redactions, sent_at, created_at }
    }
}

/// The text size that the arena reserves for each expected message.
const EXPECTED_TEXT_BYTES: usize = 160;

/// Messages of one conversation whose texts share one allocation. The memory is freed when the last of the messages is
/// dropped.
#[derive(Debug)]
pub struct MessageArena {
    conversation: ConversationId,
    /// Each envelope with the end offset of its text.
    envelopes: Vec<(Envelope, usize)>,
    texts: String,
}

impl MessageArena {
    /// An empty arena for messages of this conversation, with room for `expected` messages of typical size.
    #[must_use]
    pub fn with_capacity(conversation: ConversationId, expected: usize) -> Self {
        let texts = String::with_capacity(expected * EXPECTED_TEXT_BYTES);
        Self { conversation, envelopes: Vec::with_capacity(expected), texts }
    }

    /// Adds a message of this conversation. Whether it belongs to the conversation is not checked.
    ///
    /// # Errors
    /// [`InvalidMember`]. The message is not added then.
    pub fn push(&mut self, message: &MessageRef<'_>) -> Result<(), InvalidMember> {
        MessageText::check(message.text).map_err(invalid_member("text"))?;
        let envelope = message.envelope()?;
        self.texts.push_str(message.text);
        self.envelopes.push((envelope, self.texts.len()));
        Ok(())
    }

    /// The number of text bytes so far.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        self.texts.len()
    }

    /// The messages in the order in which they were added.
    #[must_use]
    pub fn into_messages(self) -> Vec<Message> {
        let Self { conversation, envelopes, texts } = self;
        let texts = ByteString::from(texts);
        let mut start = 0;
        let message = |(envelope, end): (Envelope, usize)| {
            let text = MessageText::slice_of(&texts, start..end);
            start = end;
            envelope.with_text(text, conversation.clone())
        };
        envelopes.into_iter().map(message).collect()
    }
}

/// A valid message.
#[cfg(test)]
pub(crate) fn sample<'text>(id: &'text str, text: &'text str) -> MessageRef<'text> {
    MessageRef {
        id,
        conversation: "C1",
        role: Role::Agent,
        sender_external_id: "agent-1",
        text,
        masked_with: EntitySet::empty(),
        redactions: None,
        sent_at: Timestamp::EPOCH,
        created_at: Timestamp::EPOCH,
    }
}

/// Messages that break one rule each, with the name of the invalid field.
#[cfg(test)]
pub(crate) fn invalid_samples() -> [(MessageRef<'static>, &'static str); 5] {
    let good = sample("A1", "text");
    [
        (MessageRef { id: "a", ..good }, "id"),
        (MessageRef { conversation: "", ..good }, "conversation"),
        (MessageRef { sender_external_id: "a\u{85}", ..good }, "sender_external_id"),
        (MessageRef { text: "a\0", ..good }, "text"),
        (MessageRef { redactions: Some("8"), ..good }, "redactions"),
    ]
}

#[cfg(test)]
mod tests {
    use super::{sample as message, *};

    fn arena() -> MessageArena {
        MessageArena::with_capacity(ConversationId::parse("C1").unwrap(), 2)
    }

    #[test]
    fn an_arena_returns_the_messages_that_were_added() {
        let mut arena = arena();
        let all = [message("A1", "first é🦀"), message("A2", "second"), message("A3", "third")];
        for one in &all {
            arena.push(one).unwrap();
        }
        assert_eq!(arena.into_messages(), all.map(|one| one.to_message().unwrap()));
    }

    #[test]
    fn an_invalid_message_is_not_added_to_an_arena() {
        let mut arena = arena();
        for invalid in [message("a", "text"), message("A1", ""), message("A1", "a\0")] {
            assert!(arena.push(&invalid).is_err());
        }
        arena.push(&message("A2", "second")).unwrap();
        assert_eq!(arena.into_messages(), [message("A2", "second").to_message().unwrap()]);
    }

    #[test]
    fn a_message_survives_a_round_trip() {
        let masked = MessageRef { redactions: Some("0-4:SSN"), ..message("A1", "****") };
        let whole = masked.to_message().unwrap();
        assert_eq!(whole.redactions.stored(), Some("0-4:SSN"));
        assert_eq!(MessageRef::from(&whole).to_message().unwrap(), whole);
    }

    #[test]
    fn an_invalid_field_is_reported_by_its_name() {
        for (invalid, member) in invalid_samples() {
            assert_eq!(invalid.to_message().unwrap_err().member, member);
        }
    }

    #[test]
    fn a_message_needs_redaction_for_entities_that_it_was_not_masked_with() {
        let masked = MessageRef { masked_with: EntitySet::from_bits(0b101), ..message("A1", "text") };
        for (active, lacks) in [(0, false), (0b1, false), (0b101, false), (0b10, true), (0b111, true)] {
            assert_eq!(masked.needs_redaction(EntitySet::from_bits(active)), lacks);
        }
    }
}
