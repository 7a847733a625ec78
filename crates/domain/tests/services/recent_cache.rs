//! Tests of the cache of recent messages: when the store is read while messages are masked in the context of earlier
//! ones.

use std::sync::Arc;

use mockall::Sequence;
use parlance_domain::{
    conversation::MockConversationStore,
    id::ConversationId,
    message::{AppendOutcome, Message, Messages, MockMessageStore, NewMessage, Role, Sender},
    redaction::Flags,
    text::MessageText,
};
use pollster::block_on;

use super::{
    at, caller, clock, external_id, ids,
    message_redaction::{redaction_with_flags, stored_message},
};

fn messages(store: MockMessageStore) -> Messages {
    Messages::new(
        Arc::new(store),
        Arc::new(MockConversationStore::new()),
        redaction_with_flags(Flags::none()),
        ids(),
        clock(100),
    )
}

/// Records a message that is sent at `second`. A text with a number is masked in the context of the earlier messages.
fn record_message(messages: &Messages, role: Role, text: &str, second: i64) {
    let writer = caller();
    let sender = Sender { role, external_id: external_id(role.as_str()) };
    let message = NewMessage { sender, text: MessageText::parse(text).unwrap(), sent_at: at(second) };
    block_on(messages.append(&writer, ConversationId::from_bits(1), message, None)).unwrap();
}

/// Expects appends that are based on messages with these texts, in this order, and returns `outcomes`.
fn expect_appends(
    store: &mut MockMessageStore,
    expected_texts: &'static [&'static [&'static str]],
    outcomes: &[AppendOutcome],
) {
    let mut order = Sequence::new();
    for (texts, outcome) in expected_texts.iter().zip(outcomes.to_vec()) {
        store
            .expect_append_batch()
            .times(1)
            .in_sequence(&mut order)
            .withf(move |_, batch| {
                batch
                    .expected_tail
                    .as_ref()
                    .unwrap()
                    .iter()
                    .map(|message| message.text.as_str())
                    .eq(texts.iter().copied())
            })
            .return_once(move |_, _| Ok(outcome));
    }
}

/// Returns `newest` as the newest messages, one element per read, and expects no further reads.
fn expect_newest<const READS: usize>(store: &mut MockMessageStore, newest: [Vec<Message>; READS]) {
    let mut order = Sequence::new();
    for newest in newest {
        store.expect_newest().times(1).in_sequence(&mut order).return_once(|_, _, _| Ok(newest));
    }
}

#[test]
fn the_messages_stored_last_are_cached_and_not_read_again() {
    let mut store = MockMessageStore::new();
    expect_newest(&mut store, [vec![stored_message(1, Role::Customer, "hello")]]);
    store.expect_append().times(1).return_once(|_, _| Ok(AppendOutcome::Appended));
    expect_appends(
        &mut store,
        &[&["hello"], &["hello", "1111", "what is your pin?"]],
        &[AppendOutcome::Appended, AppendOutcome::Appended],
    );
    let messages = messages(store);
    record_message(&messages, Role::Customer, "1111", 50);
    record_message(&messages, Role::Agent, "what is your pin?", 51);
    record_message(&messages, Role::Customer, "it is 4821", 52);
}

#[test]
fn stale_cached_messages_are_read_again() {
    let mut store = MockMessageStore::new();
    expect_newest(&mut store, [vec![], vec![stored_message(1, Role::Agent, "what is your pin?")]]);
    let outcomes = [AppendOutcome::Appended, AppendOutcome::PreconditionFailed, AppendOutcome::Appended];
    expect_appends(&mut store, &[&[], &["1111"], &["what is your pin?"]], &outcomes);
    let messages = messages(store);
    record_message(&messages, Role::Customer, "1111", 50);
    record_message(&messages, Role::Customer, "it is 4821", 52);
}

#[test]
fn a_conversation_with_retroactive_masks_is_read_again() {
    let mut store = MockMessageStore::new();
    let fragment = |text| vec![stored_message(1, Role::Customer, text)];
    expect_newest(&mut store, [fragment("4111 1111 1111"), fragment("**** **** ****")]);
    expect_appends(
        &mut store,
        &[&["4111 1111 1111"], &["**** **** ****"]],
        &[AppendOutcome::Appended, AppendOutcome::Appended],
    );
    let messages = messages(store);
    record_message(&messages, Role::Customer, "1111", 50);
    record_message(&messages, Role::Customer, "22", 52);
}
