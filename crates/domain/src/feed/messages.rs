//! Messages in runs, without memory for each: a day has millions of them, and most leave as they are stored.

use crate::{
    conversation::{BrokenMember, Role, StoredMessage},
    redaction::EntitySet,
    text::MessageText,
    time::Timestamp,
};

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
    use crate::conversation::{broken_samples, sample as message};

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
    }

    #[test]
    fn a_text_that_is_replaced_leaves_the_others_as_they_are() {
        let mut run = run();
        run.replace_text(0, &MessageText::parse("another").unwrap());
        assert_eq!(run.iter().map(|one| one.text).collect::<Vec<_>>(), ["another", "second"]);
    }

    #[test]
    fn what_breaks_a_rule_is_refused_by_the_name_of_its_member() {
        for (broken, member) in broken_samples() {
            assert_eq!(StoredMessages::default().add(broken).unwrap_err().member, member);
        }
    }
}
