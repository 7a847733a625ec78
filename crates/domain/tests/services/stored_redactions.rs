//! Tests of the masked ranges that are stored and read with messages.

use std::sync::Arc;

use parlance_domain::{
    conversation::MockConversationStore,
    id::ConversationId,
    message::{
        AppendBatch, AppendOutcome, Message, MessagePage, Messages, MockMessageStore, NewMessage, PageLimit,
        Redactions, Role, Sender,
    },
    redaction::{Activity, Entity, EntitySet, Flags},
    text::MessageText,
};
use pollster::block_on;

use super::{
    at, caller, clock, external_id, ids,
    message_redaction::{redaction_with_flags, stored_message},
};

fn messages(store: MockMessageStore, flags: Flags) -> Messages {
    let redaction = redaction_with_flags(flags);
    Messages::new(Arc::new(store), Arc::new(MockConversationStore::new()), redaction, ids(), clock(100))
}

fn with_redactions(message: Message, stored: &str) -> Message {
    Message { redactions: Redactions::parse(Some(stored)).unwrap(), ..message }
}

/// Appends a message of the customer after these messages, and returns the batch that is stored.
fn appended_batch(tail: Vec<Message>, text: &str) -> AppendBatch {
    let (sender, batches) = std::sync::mpsc::channel();
    let mut store = MockMessageStore::new();
    store.expect_newest().returning(move |_, _, _| Ok(tail.clone()));
    store.expect_append_batch().return_once(move |_, batch| {
        sender.send(batch.clone()).unwrap();
        Ok(AppendOutcome::Appended)
    });
    let text = MessageText::parse(text).unwrap();
    let sender = Sender { role: Role::Customer, external_id: external_id("customer") };
    let new = NewMessage { sender, text, sent_at: at(50) };
    let (messages, writer) = (messages(store, Flags::none()), caller());
    block_on(messages.append(&writer, ConversationId::from_bits(1), new, None)).unwrap();
    batches.recv().unwrap()
}

#[test]
fn a_masked_text_is_stored_with_its_masked_ranges() {
    let batch = appended_batch(Vec::new(), "é my ssn is 219-09-9999");
    assert_eq!(batch.messages[0].redactions.stored(), Some("12-23:SSN"));
}

#[test]
fn a_text_without_a_value_has_no_masked_ranges() {
    let batch = appended_batch(Vec::new(), "about 30 or so");
    assert_eq!(batch.messages[0].redactions, Redactions::NONE);
}

#[test]
fn a_retroactive_mask_adds_its_range_to_those_of_the_stored_text() {
    let stored = "the pin is ********, the card 4111 1111 1111";
    let tail = with_redactions(stored_message(1, Role::Customer, stored), "11-19:PASSWORD");
    let batch = appended_batch(vec![tail], "1111");
    let update = &batch.mask_updates[0];
    assert_eq!(update.masked.as_str(), "the pin is ********, the card **** **** ****");
    assert_eq!(update.redactions.stored(), Some("11-19:PASSWORD 30-44:CREDIT_CARD_NUMBER"));
}

#[test]
fn a_text_that_is_masked_again_when_it_is_read_has_the_ranges_of_both() {
    let stored = "my password is ******** and my mail is ada@example.org";
    let stored = with_redactions(stored_message(1, Role::Customer, stored), "15-23:PASSWORD");
    let mut store = MockMessageStore::new();
    store.expect_page().return_once(|_, _, _, _| Ok(MessagePage { messages: vec![stored], has_more: false }));
    let mut flags = Flags::none();
    flags.set(Entity::EMAIL, Activity::On);
    let reader = caller();
    let page = messages(store, flags);
    let page = block_on(page.page(&reader, &ConversationId::from_bits(1), None, PageLimit::MAX)).unwrap();
    let [message] = page.messages.as_slice() else { panic!("one message") };
    let ranges = message.redactions.ranges_in(message.text.as_str());
    let found: Vec<_> = ranges.iter().map(|range| (range.start, range.end, range.finding)).collect();
    assert_eq!(message.text.as_str(), "my password is ******** and my mail is ***@example.org");
    assert_eq!(found, [(15, 23, Entity::PASSWORD), (39, 54, Entity::EMAIL)]);
    assert!(EntitySet::defaults().contains(Entity::PASSWORD));
}
