//! What is asked of the store where messages are masked in the light of those before them.

use std::sync::Arc;

use mockall::Sequence;
use parlance_domain::{
    access::Permission,
    conversation::{Append, Message, Messages, MockConversationStore, MockMessageStore, NewMessage, Role, Sender},
    id::ConversationId,
    redaction::Flags,
    text::MessageText,
};
use pollster::block_on;

use super::{
    at, caller, clock, external_id, ids,
    masking::{masking, stored},
};

fn messages(store: MockMessageStore) -> Messages {
    Messages::new(Arc::new(store), Arc::new(MockConversationStore::new()), masking(Flags::none()), ids(), clock(100))
}

/// Says something, the later the greater the second, that is masked in the light of what was said before if it is a number.
fn say(messages: &Messages, role: Role, text: &str, second: i64) {
    let writer = caller(&[Permission::WriteConversations]);
    let sender = Sender { role, external_id: external_id(role.as_str()) };
    let new = NewMessage { sender, text: MessageText::parse(text).unwrap(), sent_at: at(second) };
    block_on(messages.record(&writer, ConversationId::from_bits(1), new)).unwrap();
}

/// Expects messages that have seen these texts, one after the other, and gives what becomes of each.
fn expect(store: &mut MockMessageStore, seen: &'static [&'static [&'static str]], outcomes: &[Append]) {
    let mut order = Sequence::new();
    for (seen, outcome) in seen.iter().zip(outcomes.to_vec()) {
        store
            .expect_append_all()
            .times(1)
            .in_sequence(&mut order)
            .withf(move |_, addition| {
                addition.seen.as_ref().unwrap().iter().map(|one| one.text.as_str()).eq(seen.iter().copied())
            })
            .return_once(move |_, _| Ok(outcome));
    }
}

/// Gives these messages as the newest, one answer after the other, and none after them.
fn hold<const READS: usize>(store: &mut MockMessageStore, newest: [Vec<Message>; READS]) {
    let mut order = Sequence::new();
    for newest in newest {
        store.expect_newest().times(1).in_sequence(&mut order).return_once(|_, _, _| Ok(newest));
    }
}

#[test]
fn what_was_stored_last_is_presumed_and_not_read_again() {
    let mut store = MockMessageStore::new();
    hold(&mut store, [vec![stored(1, Role::Customer, "hello")]]);
    store.expect_append().times(1).return_once(|_, _| Ok(Append::Appended));
    expect(&mut store, &[&["hello"], &["hello", "1111", "what is your pin?"]], &[Append::Appended, Append::Appended]);
    let messages = messages(store);
    say(&messages, Role::Customer, "1111", 50);
    say(&messages, Role::Agent, "what is your pin?", 51);
    say(&messages, Role::Customer, "it is 4821", 52);
}

#[test]
fn what_is_presumed_in_vain_is_read() {
    let mut store = MockMessageStore::new();
    hold(&mut store, [vec![], vec![stored(1, Role::Agent, "what is your pin?")]]);
    let outcomes = [Append::Appended, Append::Superseded, Append::Appended];
    expect(&mut store, &[&[], &["1111"], &["what is your pin?"]], &outcomes);
    let messages = messages(store);
    say(&messages, Role::Customer, "1111", 50);
    say(&messages, Role::Customer, "it is 4821", 52);
}

#[test]
fn a_conversation_in_which_others_were_masked_is_read_again() {
    let mut store = MockMessageStore::new();
    let piece = |text| vec![stored(1, Role::Customer, text)];
    hold(&mut store, [piece("4111 1111 1111"), piece("**** **** ****")]);
    expect(&mut store, &[&["4111 1111 1111"], &["**** **** ****"]], &[Append::Appended, Append::Appended]);
    let messages = messages(store);
    say(&messages, Role::Customer, "1111", 50);
    say(&messages, Role::Customer, "22", 52);
}
