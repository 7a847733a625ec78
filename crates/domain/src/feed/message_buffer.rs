//! A buffer of messages that allocates no memory per message. A day has millions of messages, and most are exported as
//! they are stored.

use crate::{
    message::{InvalidMember, MessageRef, Role},
    redaction::EntitySet,
    text::MessageText,
    time::Timestamp,
};

/// The range of one text within the shared text buffer.
#[derive(Debug, Clone, Copy)]
struct TextRange {
    start: usize,
    end: usize,
}

#[derive(Debug, Clone)]
struct BufferedMessage {
    id: TextRange,
    conversation: TextRange,
    sender_external_id: TextRange,
    text: TextRange,
    role: Role,
    masked_with: EntitySet,
    redactions: Option<TextRange>,
    sent_at: Timestamp,
    created_at: Timestamp,
}

/// A sequence of messages whose texts share one allocation.
#[derive(Debug, Clone, Default)]
pub(super) struct MessageBuffer {
    messages: Vec<BufferedMessage>,
    texts: String,
}

impl MessageBuffer {
    /// Appends a message after checking its members.
    pub(super) fn push(&mut self, message: MessageRef<'_>) -> Result<(), InvalidMember> {
        message.check()?;
        let buffered = BufferedMessage {
            id: self.push_text(message.id),
            conversation: self.push_text(message.conversation),
            sender_external_id: self.push_text(message.sender_external_id),
            text: self.push_text(message.text),
            role: message.role,
            masked_with: message.masked_with,
            redactions: message.redactions.map(|redactions| self.push_text(redactions)),
            sent_at: message.sent_at,
            created_at: message.created_at,
        };
        self.messages.push(buffered);
        Ok(())
    }

    fn push_text(&mut self, text: &str) -> TextRange {
        let start = self.texts.len();
        self.texts.push_str(text);
        TextRange { start, end: self.texts.len() }
    }

    fn text_at(&self, range: TextRange) -> &str {
        self.texts.get(range.start..range.end).unwrap_or_default()
    }

    fn view(&self, buffered: &BufferedMessage) -> MessageRef<'_> {
        MessageRef {
            id: self.text_at(buffered.id),
            conversation: self.text_at(buffered.conversation),
            role: buffered.role,
            sender_external_id: self.text_at(buffered.sender_external_id),
            text: self.text_at(buffered.text),
            masked_with: buffered.masked_with,
            redactions: buffered.redactions.map(|redactions| self.text_at(redactions)),
            sent_at: buffered.sent_at,
            created_at: buffered.created_at,
        }
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = MessageRef<'_>> + ExactSizeIterator {
        self.messages.iter().map(|buffered| self.view(buffered))
    }

    /// Replaces the text of a message, whose masked ranges are then unknown. The old text stays in the buffer unused.
    pub(super) fn replace_text(&mut self, index: usize, text: &MessageText) {
        let text = self.push_text(text.as_str());
        if let Some(buffered) = self.messages.get_mut(index) {
            buffered.text = text;
            buffered.redactions = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{invalid_samples, sample as message};

    fn buffer() -> MessageBuffer {
        let mut buffer = MessageBuffer::default();
        for one in [message("A1", "first é🦀"), message("A2", "second")] {
            buffer.push(one).unwrap();
        }
        buffer
    }

    #[test]
    fn messages_are_returned_as_they_were_added() {
        let out: Vec<_> = buffer().iter().map(|one| one.to_message().unwrap()).collect();
        let whole: Vec<_> = out.iter().map(|one| (one.id.as_str(), one.text.as_str())).collect();
        assert_eq!(whole, [("A1", "first é🦀"), ("A2", "second")]);
    }

    #[test]
    fn replacing_one_text_keeps_the_other_texts() {
        let mut buffer = buffer();
        buffer.replace_text(0, &MessageText::parse("another").unwrap());
        assert_eq!(buffer.iter().map(|one| one.text).collect::<Vec<_>>(), ["another", "second"]);
    }

    #[test]
    fn a_message_that_breaks_a_rule_is_refused_with_the_name_of_the_member() {
        for (broken, member) in invalid_samples() {
            assert_eq!(MessageBuffer::default().push(broken).unwrap_err().member, member);
        }
    }
}
