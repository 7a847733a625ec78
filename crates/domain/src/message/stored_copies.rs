//! Finds out which messages of a file are stored already.
//!
//! The original text of a stored message is unknown: every character of it that is sensitive became an asterisk, and some
//! secrets became eight asterisks whatever their length. So a text is compared with the stored text as a pattern.

use std::collections::HashMap;

use crate::{
    message::{Message, NewMessage, Sender},
    text::MessageText,
    time::Timestamp,
};

/// The stored messages that can be copies of some new messages: those with the sender and the client time of one of
/// them.
pub(super) struct StoredCopies(HashMap<(Sender, Timestamp), Vec<MessageText>>);

impl StoredCopies {
    /// No stored messages yet, for these new messages.
    pub(super) fn of(messages: &[NewMessage]) -> Self {
        Self(messages.iter().map(|new| ((new.sender.clone(), new.sent_at), Vec::new())).collect())
    }

    /// Adds a stored message, if it can be a copy.
    pub(super) fn add(&mut self, stored: Message) {
        if let Some(texts) = self.0.get_mut(&(stored.sender, stored.sent_at)) {
            texts.push(stored.text.deep_copy());
        }
    }

    /// The messages without a stored copy, in their order. Each stored message is the copy of at most one of them. Texts
    /// that are stored unchanged are paired first.
    pub(super) fn without_stored(mut self, messages: Vec<NewMessage>) -> Vec<NewMessage> {
        if self.0.values().all(Vec::is_empty) {
            return messages;
        }
        let changed = self.unpaired(messages, |stored, text| stored == text);
        self.unpaired(changed, is_masked_form)
    }

    fn unpaired(&mut self, mut messages: Vec<NewMessage>, is_copy: impl Fn(&str, &str) -> bool) -> Vec<NewMessage> {
        messages.retain(|new| {
            let Some(texts) = self.0.get_mut(&(new.sender.clone(), new.sent_at)) else { return true };
            let copy = texts.iter().position(|stored| is_copy(stored.as_str(), new.text.as_str()));
            copy.map(|index| texts.swap_remove(index)).is_none()
        });
        messages
    }
}

/// Whether `stored` can be the masked form of `text`: each run of asterisks stands for any characters.
fn is_masked_form(stored: &str, text: &str) -> bool {
    let Some((start, masked)) = stored.split_once('*') else { return stored == text };
    let Some(mut rest) = text.strip_prefix(start) else { return false };
    let (middle, end) = masked.rsplit_once('*').unwrap_or(("", masked));
    for part in middle.split('*') {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        id::{ConversationId, MessageId},
        message::{Redactions, Role},
        redaction::EntitySet,
        text::ExternalId,
    };

    fn new(text: &str, second: i64) -> NewMessage {
        let sender = Sender { role: Role::Customer, external_id: ExternalId::parse("c").unwrap() };
        let sent_at = Timestamp::EPOCH.plus_seconds(second);
        NewMessage { sender, text: MessageText::parse(text).unwrap(), sent_at }
    }

    fn stored(text: &str, second: i64) -> Message {
        let NewMessage { sender, text, sent_at } = new(text, second);
        Message {
            id: MessageId::from_bits(1),
            conversation: ConversationId::from_bits(1),
            sender,
            text,
            masked_with: EntitySet::empty(),
            redactions: Redactions::NONE,
            sent_at,
            created_at: sent_at,
        }
    }

    fn missing(file: &[NewMessage], in_store: &[Message]) -> Vec<NewMessage> {
        let mut copies = StoredCopies::of(file);
        in_store.iter().cloned().for_each(|message| copies.add(message));
        copies.without_stored(file.to_vec())
    }

    #[test]
    fn a_message_with_a_stored_copy_is_not_missing() {
        let file = [new("hello", 1), new("hello", 2), new("bye", 2)];
        assert_eq!(missing(&file, &[stored("hello", 1), stored("bye", 2)]), [new("hello", 2)]);
        assert_eq!(missing(&file, &[]), file);
    }

    #[test]
    fn a_stored_message_is_the_copy_of_one_message_only() {
        let file = [new("ok", 1), new("ok", 1), new("ok", 1)];
        assert_eq!(missing(&file, &[stored("ok", 1), stored("ok", 1)]).len(), 1);
    }

    #[test]
    fn a_text_is_compared_with_what_masking_left_of_it() {
        let file = [new("my pin is 1234, ok", 1), new("my pin is 99, ok", 1)];
        assert_eq!(missing(&file, &[stored("my pin is ********, ok", 1)]), file[1..]);
        assert_eq!(missing(&file, &[stored("my pin is ****, no", 1)]), file);
    }

    #[test]
    fn an_unchanged_text_is_paired_before_a_masked_one() {
        let file = [new("code 12", 1), new("code **", 1)];
        assert_eq!(missing(&file, &[stored("code **", 1)]), file[..1]);
    }

    #[test]
    fn a_pattern_matches_whole_texts_only() {
        for (stored, text, is_copy) in [
            ("****", "1234", true),
            ("****", "", true),
            ("**-**-9999", "219-09-9999", true),
            ("a * b * c", "a 1 b 2 c", true),
            ("a * b * c", "a 1 c 2 b", false),
            ("ab*ba", "aba", false),
            ("é***", "é🦀", true),
            ("none", "nonesuch", false),
        ] {
            assert_eq!(is_masked_form(stored, text), is_copy, "{stored} {text}");
        }
    }
}
