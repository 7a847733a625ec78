//! Finds out which messages of a file are stored already.
//!
//! The original text of a masked message is unknown: every character of it that is sensitive became an asterisk, and some
//! secrets became eight asterisks whatever their length. So a text is compared with what masking left of the stored one.
//! The stored ranges tell which asterisks are of masking. Without ranges nothing was masked, and the texts must be equal.

use std::collections::HashMap;

use crate::{
    message::{Message, NewMessage, Redactions, Sender},
    text::MessageText,
    time::Timestamp,
};

/// The stored messages that can be copies of some new messages: those with the sender and the client time of one of
/// them.
pub(super) struct StoredCopies(HashMap<(Sender, Timestamp), Vec<StoredText>>);

/// A stored text, and its masked ranges.
type StoredText = (MessageText, Redactions);

impl StoredCopies {
    /// No stored messages yet, for these new messages.
    pub(super) fn of(messages: &[NewMessage]) -> Self {
        Self(messages.iter().map(|new| ((new.sender.clone(), new.sent_at), Vec::new())).collect())
    }

    /// Adds a stored message, if it can be a copy.
    pub(super) fn add(&mut self, stored: Message) {
        if let Some(texts) = self.0.get_mut(&(stored.sender, stored.sent_at)) {
            texts.push((stored.text.deep_copy(), stored.redactions));
        }
    }

    /// The messages without a stored copy, in their order. Each stored message is the copy of at most one of them. Texts
    /// that are stored unchanged are paired first: a typed text with asterisks can equal the masked form of another one.
    pub(super) fn without_stored(mut self, messages: Vec<NewMessage>) -> Vec<NewMessage> {
        if self.0.values().all(Vec::is_empty) {
            return messages;
        }
        let is_unchanged =
            |(stored, redactions): &StoredText, text: &str| stored.as_str() == text && *redactions == Redactions::NONE;
        let changed = self.unpaired(messages, is_unchanged);
        self.unpaired(changed, is_masked_form)
    }

    /// The messages without a copy. Of several copies, each takes the one with the longest readable text, because the others
    /// can be the copies of more messages.
    fn unpaired(
        &mut self,
        mut messages: Vec<NewMessage>,
        is_copy: impl Fn(&StoredText, &str) -> bool,
    ) -> Vec<NewMessage> {
        messages.retain(|new| {
            let Some(texts) = self.0.get_mut(&(new.sender.clone(), new.sent_at)) else { return true };
            let copies = texts.iter().enumerate().filter(|(_, stored)| is_copy(stored, new.text.as_str()));
            let copy = copies.max_by_key(|(_, stored)| readable_bytes(stored)).map(|(index, _)| index);
            copy.map(|index| texts.swap_remove(index)).is_none()
        });
        messages
    }
}

fn readable_bytes((stored, redactions): &StoredText) -> usize {
    redactions.readable_parts(stored.as_str()).iter().map(|part| part.len()).sum()
}

/// Whether `stored` can be the masked form of `text`: each masked asterisk stands for any characters.
fn is_masked_form((stored, redactions): &StoredText, text: &str) -> bool {
    let parts = redactions.readable_parts(stored.as_str());
    let [start, middle @ .., end] = parts.as_slice() else { return stored.as_str() == text };
    let Some(mut rest) = text.strip_prefix(start) else { return false };
    for part in middle {
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

    /// A stored message with these masked ranges.
    fn masked(text: &str, ranges: &str) -> Message {
        Message { redactions: Redactions::parse(Some(ranges)).unwrap(), ..stored(text, 1) }
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
        assert_eq!(missing(&file, &[masked("my pin is ********, ok", "10-18:PIN")]), file[1..]);
        assert_eq!(missing(&file, &[masked("my pin is ****, no", "10-14:PIN")]), file);
    }

    #[test]
    fn a_typed_text_that_equals_a_masked_one_is_paired_with_its_own_copy() {
        let file = [new("code 12", 1), new("code **", 1)];
        let in_store = [masked("code **", "5-7:PIN"), stored("code **", 1)];
        assert_eq!(missing(&file, &in_store), []);
        assert_eq!(missing(&[file[1].clone(), file[0].clone()], &in_store), []);
        assert_eq!(missing(&file, &in_store[..1]), file[1..]);
    }

    #[test]
    fn a_text_is_paired_with_the_copy_that_has_most_of_it() {
        let file = [new("password: hunter2", 1), new("hunter3", 1)];
        let in_store = [masked("********", "0-8:PASSWORD"), masked("password: ********", "10-18:PASSWORD")];
        assert_eq!(missing(&file, &in_store), []);
    }

    #[test]
    fn an_asterisk_that_a_person_typed_matches_itself_only() {
        let file = [new("2 parcels are lost, not 3", 1), new("2 * 3", 1)];
        assert_eq!(missing(&file, &[stored("2 * 3", 1)]), file[..1]);
        let file = [new("*see* my pin is 1234", 1), new("I see, my pin is 1234", 1)];
        assert_eq!(missing(&file, &[masked("*see* my pin is ****", "16-20:PIN")]), file[1..]);
    }

    #[test]
    fn a_pattern_matches_whole_texts_only() {
        for (stored, ranges, text, is_copy) in [
            ("****", "0-4:PIN", "1234", true),
            ("****", "0-4:PIN", "", true),
            ("**-**-9999", "0-10:SSN", "219-09-9999", true),
            ("a * b * c", "2-3:PIN 6-7:PIN", "a 1 b 2 c", true),
            ("a * b * c", "2-3:PIN 6-7:PIN", "a 1 c 2 b", false),
            ("ab*ba", "2-3:PIN", "aba", false),
            ("é***", "1-4:PIN", "é🦀", true),
            ("none", "0-2:PIN", "nonesuch", false),
        ] {
            let stored_text = (MessageText::parse(stored).unwrap(), Redactions::parse(Some(ranges)).unwrap());
            assert_eq!(is_masked_form(&stored_text, text), is_copy, "{stored} {text}");
        }
    }
}
