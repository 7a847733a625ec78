//! Messages in runs, without memory for each: a day has millions of them, and most leave as they are stored.

use crate::{
    conversation::{Message, Role, Sender, falls_short},
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

impl StoredMessage<'_> {
    /// Checks every text by the rules of the types that [`Message`] holds it in.
    fn check(&self) -> Result<(), BrokenMember> {
        let of = |member| move |rule| BrokenMember { member, rule };
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
        let of = |rule| BrokenMember { member: "conversation", rule };
        self.in_conversation(ConversationId::parse(self.conversation).map_err(of)?)
    }

    /// The same, with the identifier of its conversation as it is known already.
    ///
    /// # Errors
    /// As [`to_message`](Self::to_message).
    pub fn in_conversation(&self, conversation: ConversationId) -> Result<Message, BrokenMember> {
        let of = |member| move |rule| BrokenMember { member, rule };
        Ok(Message {
            id: MessageId::parse(self.id).map_err(of("id"))?,
            conversation,
            sender: Sender {
                role: self.role,
                external_id: ExternalId::parse(self.sender_external_id).map_err(of("sender_external_id"))?,
            },
            text: MessageText::parse(self.text).map_err(of("text"))?,
            masked_with: self.masked_with,
            sent_at: self.sent_at,
            created_at: self.created_at,
        })
    }

    pub(super) fn lacks(&self, active: EntitySet) -> bool {
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

/// Where in the texts of a run one text stands.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    start: usize,
    end: usize,
}

#[derive(Debug, Clone)]
struct Entry {
    id: Stretch,
    conversation: Stretch,
    sender_external_id: Stretch,
    text: Stretch,
    role: Role,
    masked_with: EntitySet,
    sent_at: Timestamp,
    created_at: Timestamp,
}

/// A run of messages, their texts one after the other in one piece of memory.
#[derive(Debug, Clone, Default)]
pub(super) struct StoredMessages {
    entries: Vec<Entry>,
    texts: String,
}

impl StoredMessages {
    /// Adds a message whose members keep their rules.
    pub(super) fn add(&mut self, message: StoredMessage<'_>) -> Result<(), BrokenMember> {
        message.check()?;
        let entry = Entry {
            id: self.keep(message.id),
            conversation: self.keep(message.conversation),
            sender_external_id: self.keep(message.sender_external_id),
            text: self.keep(message.text),
            role: message.role,
            masked_with: message.masked_with,
            sent_at: message.sent_at,
            created_at: message.created_at,
        };
        self.entries.push(entry);
        Ok(())
    }

    fn keep(&mut self, text: &str) -> Stretch {
        let start = self.texts.len();
        self.texts.push_str(text);
        Stretch { start, end: self.texts.len() }
    }

    fn kept(&self, stretch: Stretch) -> &str {
        self.texts.get(stretch.start..stretch.end).unwrap_or_default()
    }

    fn read(&self, entry: &Entry) -> StoredMessage<'_> {
        StoredMessage {
            id: self.kept(entry.id),
            conversation: self.kept(entry.conversation),
            role: entry.role,
            sender_external_id: self.kept(entry.sender_external_id),
            text: self.kept(entry.text),
            masked_with: entry.masked_with,
            sent_at: entry.sent_at,
            created_at: entry.created_at,
        }
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = StoredMessage<'_>> + ExactSizeIterator {
        self.entries.iter().map(|entry| self.read(entry))
    }

    /// Puts another text in the place of a message's own, which nothing reads any more.
    pub(super) fn replace_text(&mut self, place: usize, text: &MessageText) {
        let text = self.keep(text.as_str());
        if let Some(entry) = self.entries.get_mut(place) {
            entry.text = text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<'text>(id: &'text str, text: &'text str) -> StoredMessage<'text> {
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

    fn run() -> StoredMessages {
        let mut run = StoredMessages::default();
        for one in [message("A1", "first é🦀"), message("A2", "second")] {
            run.add(one).unwrap();
        }
        run
    }

    #[test]
    fn messages_come_out_as_they_went_in() {
        let out: Vec<_> = run().iter().map(|one| one.to_message().unwrap()).collect();
        let whole: Vec<_> = out.iter().map(|one| (one.id.as_str(), one.text.as_str())).collect();
        assert_eq!(whole, [("A1", "first é🦀"), ("A2", "second")]);
        assert_eq!(out[0], StoredMessage::from(&out[0]).to_message().unwrap());
    }

    #[test]
    fn a_text_that_is_replaced_leaves_the_others_as_they_are() {
        let mut run = run();
        run.replace_text(0, &MessageText::parse("another").unwrap());
        assert_eq!(run.iter().map(|one| one.text).collect::<Vec<_>>(), ["another", "second"]);
    }

    #[test]
    fn what_breaks_a_rule_is_refused_by_the_name_of_its_member() {
        let good = message("A1", "text");
        for (broken, member) in [
            (StoredMessage { id: "a", ..good }, "id"),
            (StoredMessage { conversation: "", ..good }, "conversation"),
            (StoredMessage { sender_external_id: "a\u{85}", ..good }, "sender_external_id"),
            (StoredMessage { text: "a\0", ..good }, "text"),
        ] {
            assert_eq!(StoredMessages::default().add(broken).unwrap_err().member, member);
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
