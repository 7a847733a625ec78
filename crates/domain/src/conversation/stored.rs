//! Messages as they are read: first where their texts stand, then with what belongs to them.

use bytestring::ByteString;

use super::{Message, Role, Sender, masking::falls_short};
use crate::{
    id::{ConversationId, MessageId},
    redaction::EntitySet,
    text::{ExternalId, MessageText, Violation},
    time::Timestamp,
};

/// A message whose texts belong to something else. Its members are those of [`Message`].
#[derive(Debug, Clone, Copy)]
pub struct StoredMessage<'texts> {
    /// Its identifier.
    pub id: &'texts str,
    /// The identifier of its conversation.
    pub conversation: &'texts str,
    /// What its sender is.
    pub role: Role,
    /// Who its sender is in the caller's system.
    pub sender_external_id: &'texts str,
    /// What was said.
    pub text: &'texts str,
    /// What was active when it was masked, before it was stored.
    pub masked_with: EntitySet,
    /// When it was sent.
    pub sent_at: Timestamp,
    /// When it arrived.
    pub created_at: Timestamp,
}

/// A member of a message that breaks the rule of its type. Does not repeat the member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{member} {rule}")]
pub struct BrokenMember {
    /// Which member, in the words of [`StoredMessage`].
    pub member: &'static str,
    /// The rule.
    pub rule: Violation,
}

/// That a rule is broken by this member.
fn of(member: &'static str) -> impl Fn(Violation) -> BrokenMember {
    move |rule| BrokenMember { member, rule }
}

impl StoredMessage<'_> {
    /// Checks every text by the rules of the types that [`Message`] holds it in.
    pub(crate) fn check(&self) -> Result<(), BrokenMember> {
        MessageId::check(self.id).map_err(of("id"))?;
        ConversationId::check(self.conversation).map_err(of("conversation"))?;
        ExternalId::check(self.sender_external_id).map_err(of("sender_external_id"))?;
        MessageText::check(self.text).map_err(of("text"))
    }

    /// The message with memory of its own.
    ///
    /// # Errors
    /// [`BrokenMember`].
    pub fn to_message(&self) -> Result<Message, BrokenMember> {
        let conversation = ConversationId::parse(self.conversation).map_err(of("conversation"))?;
        Ok(self.envelope()?.holding(MessageText::parse(self.text).map_err(of("text"))?, conversation))
    }

    fn envelope(&self) -> Result<Envelope, BrokenMember> {
        Ok(Envelope {
            id: MessageId::parse(self.id).map_err(of("id"))?,
            sender: Sender {
                role: self.role,
                external_id: ExternalId::parse(self.sender_external_id).map_err(of("sender_external_id"))?,
            },
            masked_with: self.masked_with,
            sent_at: self.sent_at,
            created_at: self.created_at,
        })
    }

    /// Whether something is active that it was not masked with.
    pub(crate) fn lacks(&self, active: EntitySet) -> bool {
        falls_short(self.masked_with, active)
    }
}

impl<'message> From<&'message Message> for StoredMessage<'message> {
    fn from(message: &'message Message) -> Self {
        Self {
            id: message.id.as_str(),
            conversation: message.conversation.as_str(),
            role: message.sender.role,
            sender_external_id: message.sender.external_id.as_str(),
            text: message.text.as_str(),
            masked_with: message.masked_with,
            sent_at: message.sent_at,
            created_at: message.created_at,
        }
    }
}

/// What a message of a conversation is beside its text.
#[derive(Debug)]
struct Envelope {
    id: MessageId,
    sender: Sender,
    masked_with: EntitySet,
    sent_at: Timestamp,
    created_at: Timestamp,
}

impl Envelope {
    fn holding(self, text: MessageText, conversation: ConversationId) -> Message {
        let Self { id, sender, masked_with, sent_at, created_at } = self;
        Message { id, conversation, sender, text, masked_with, sent_at, created_at }
    }
}

/// Bytes of a text as most are.
const USUAL_TEXT: usize = 160;

/// Messages of one conversation that are read together. Their texts share one piece of memory, where each would take one;
/// it is free again once none of the messages is left.
#[derive(Debug)]
pub struct MessageRun {
    conversation: ConversationId,
    /// Each with the place where its text ends.
    envelopes: Vec<(Envelope, usize)>,
    texts: String,
}

impl MessageRun {
    /// None yet of this conversation, with room for so many as most are.
    #[must_use]
    pub fn begin(conversation: ConversationId, expected: usize) -> Self {
        let texts = String::with_capacity(expected * USUAL_TEXT);
        Self { conversation, envelopes: Vec::with_capacity(expected), texts }
    }

    /// Adds a message, which is taken to be of this conversation.
    ///
    /// # Errors
    /// [`BrokenMember`]; the message is left out then.
    pub fn add(&mut self, message: &StoredMessage<'_>) -> Result<(), BrokenMember> {
        MessageText::check(message.text).map_err(of("text"))?;
        let envelope = message.envelope()?;
        self.texts.push_str(message.text);
        self.envelopes.push((envelope, self.texts.len()));
        Ok(())
    }

    /// The bytes of all texts so far.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        self.texts.len()
    }

    /// The messages as they were added.
    #[must_use]
    pub fn into_messages(self) -> Vec<Message> {
        let Self { conversation, envelopes, texts } = self;
        let texts = ByteString::from(texts);
        let mut start = 0;
        let message = |(envelope, end): (Envelope, usize)| {
            let text = MessageText::part_of(&texts, start..end);
            start = end;
            envelope.holding(text, conversation.clone())
        };
        envelopes.into_iter().map(message).collect()
    }
}

/// A message that keeps the rules.
#[cfg(test)]
pub(crate) fn sample<'text>(id: &'text str, text: &'text str) -> StoredMessage<'text> {
    StoredMessage {
        id,
        conversation: "C1",
        role: Role::Agent,
        sender_external_id: "agent-1",
        text,
        masked_with: EntitySet::empty(),
        sent_at: Timestamp::EPOCH,
        created_at: Timestamp::EPOCH,
    }
}

/// Messages that break a rule each, and the members that break it.
#[cfg(test)]
pub(crate) fn broken_samples() -> [(StoredMessage<'static>, &'static str); 4] {
    let good = sample("A1", "text");
    [
        (StoredMessage { id: "a", ..good }, "id"),
        (StoredMessage { conversation: "", ..good }, "conversation"),
        (StoredMessage { sender_external_id: "a\u{85}", ..good }, "sender_external_id"),
        (StoredMessage { text: "a\0", ..good }, "text"),
    ]
}

#[cfg(test)]
mod tests {
    use super::{sample as message, *};

    fn run() -> MessageRun {
        MessageRun::begin(ConversationId::parse("C1").unwrap(), 2)
    }

    #[test]
    fn messages_of_a_run_come_out_as_they_went_in() {
        let mut run = run();
        let all = [message("A1", "first é🦀"), message("A2", "second"), message("A3", "third")];
        for one in &all {
            run.add(one).unwrap();
        }
        assert_eq!(run.into_messages(), all.map(|one| one.to_message().unwrap()));
    }

    #[test]
    fn what_breaks_a_rule_is_left_out_of_a_run() {
        let mut run = run();
        for broken in [message("a", "text"), message("A1", ""), message("A1", "a\0")] {
            assert!(run.add(&broken).is_err());
        }
        run.add(&message("A2", "second")).unwrap();
        assert_eq!(run.into_messages(), [message("A2", "second").to_message().unwrap()]);
    }

    #[test]
    fn a_message_is_itself_again() {
        let whole = message("A1", "text").to_message().unwrap();
        assert_eq!(StoredMessage::from(&whole).to_message().unwrap(), whole);
    }

    #[test]
    fn what_breaks_a_rule_is_refused_by_the_name_of_its_member() {
        for (broken, member) in broken_samples() {
            assert_eq!(broken.to_message().unwrap_err().member, member);
        }
    }

    #[test]
    fn a_message_lacks_what_it_was_not_masked_with() {
        let masked = StoredMessage { masked_with: EntitySet::from_bits(0b101), ..message("A1", "text") };
        for (active, lacks) in [(0, false), (0b1, false), (0b101, false), (0b10, true), (0b111, true)] {
            assert_eq!(masked.lacks(EntitySet::from_bits(active)), lacks);
        }
    }
}
