//! Tests of the redaction of exported messages.

use std::sync::Arc;

use parlance_domain::{
    id::ConversationId,
    message::{ExportRedaction, Message, MockMessageStore, Neighbours, Role},
    redaction::{EntitySet, Flags},
};
use pollster::block_on;

use super::{
    message_redaction::{redaction_with_flags, stored_message},
    tenant,
};

fn unmasked(bits: u128, role: Role, text: &str) -> Message {
    Message {
        masked_with: EntitySet::empty(),
        conversation: ConversationId::from_bits(bits),
        ..stored_message(bits, role, text)
    }
}

fn exported_texts(store: MockMessageStore, messages: Vec<Message>) -> Vec<String> {
    let redaction = ExportRedaction::new(Arc::new(store), redaction_with_flags(Flags::none()));
    let masked = block_on(redaction.redact(&tenant(), messages, EntitySet::defaults())).unwrap();
    masked.into_iter().map(|message| message.text.into_string()).collect()
}

#[test]
fn messages_masked_with_all_active_entities_do_not_read_the_store() {
    let texts = ["my ssn is 219-09-9999", "it is 4821"];
    let messages = (1..).zip(texts).map(|(bits, text)| stored_message(bits, Role::Customer, text)).collect();
    assert_eq!(exported_texts(MockMessageStore::new(), messages), texts);
}

#[test]
fn messages_that_need_no_context_do_not_read_the_store() {
    let messages = vec![unmasked(1, Role::Customer, "good morning, thank you for waiting")];
    assert_eq!(exported_texts(MockMessageStore::new(), messages), ["good morning, thank you for waiting"]);
}

#[test]
fn messages_of_many_conversations_are_masked_with_their_own_neighbours_in_one_read() {
    let mut store = MockMessageStore::new();
    let after_question = |text| Neighbours { before: vec![unmasked(9, Role::Agent, text)], after: Vec::new() };
    let neighbours = vec![after_question("what is your pin?"), after_question("how many were there?")];
    store
        .expect_neighbours()
        .withf(|_, positions| {
            let requested: Vec<_> = positions.iter().map(|(conversation, _)| conversation.clone()).collect();
            requested == [ConversationId::from_bits(1), ConversationId::from_bits(3)]
        })
        .once()
        .return_once(|_, _| Ok(neighbours));
    let messages = vec![
        unmasked(1, Role::Customer, "it is 4821"),
        unmasked(2, Role::Customer, "good morning"),
        unmasked(3, Role::Customer, "it is 4821"),
    ];
    assert_eq!(exported_texts(store, messages), ["it is ****", "good morning", "it is 4821"]);
}

#[test]
fn a_message_whose_neighbours_the_store_omits_is_an_error() {
    let mut store = MockMessageStore::new();
    store.expect_neighbours().return_once(|_, _| Ok(Vec::new()));
    let redaction = ExportRedaction::new(Arc::new(store), redaction_with_flags(Flags::none()));
    let messages = vec![unmasked(1, Role::Customer, "it is 4821")];
    assert!(block_on(redaction.redact(&tenant(), messages, EntitySet::defaults())).is_err());
}
