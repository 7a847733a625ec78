use std::sync::Arc;

use parlance_domain::{
    conversation::{ExportMasking, Message, MockMessageStore, Neighbours, Role},
    id::ConversationId,
    redaction::{EntitySet, Flags},
};
use pollster::block_on;

use super::{
    masking::{masking, stored},
    tenant,
};

fn unmasked(bits: u128, role: Role, text: &str) -> Message {
    Message {
        masked_with: EntitySet::empty(),
        conversation: ConversationId::from_bits(bits),
        ..stored(bits, role, text)
    }
}

fn left(store: MockMessageStore, messages: Vec<Message>) -> Vec<String> {
    let masking = ExportMasking::new(Arc::new(store), masking(Flags::none()));
    let masked = block_on(masking.mask(&tenant(), messages, EntitySet::defaults())).unwrap();
    masked.into_iter().map(|message| message.text.into_string()).collect()
}

#[test]
fn what_was_masked_with_all_that_is_active_asks_nothing_of_the_store() {
    let texts = ["my ssn is 219-09-9999", "it is 4821"];
    let messages = (1..).zip(texts).map(|(bits, text)| stored(bits, Role::Customer, text)).collect();
    assert_eq!(left(MockMessageStore::new(), messages), texts);
}

#[test]
fn what_nothing_beside_it_could_change_asks_nothing_of_the_store() {
    let messages = vec![unmasked(1, Role::Customer, "good morning, thank you for waiting")];
    assert_eq!(left(MockMessageStore::new(), messages), ["good morning, thank you for waiting"]);
}

#[test]
fn messages_of_many_conversations_are_masked_each_by_its_own_neighbours_of_one_look() {
    let mut store = MockMessageStore::new();
    let asks = |text| Neighbours { before: vec![unmasked(9, Role::Agent, text)], after: Vec::new() };
    let beside = vec![asks("what is your pin?"), asks("how many were there?")];
    store
        .expect_neighbours()
        .withf(|_, positions| {
            let asked: Vec<_> = positions.iter().map(|(conversation, _)| conversation.clone()).collect();
            asked == [ConversationId::from_bits(1), ConversationId::from_bits(3)]
        })
        .once()
        .return_once(|_, _| Ok(beside));
    let messages = vec![
        unmasked(1, Role::Customer, "it is 4821"),
        unmasked(2, Role::Customer, "good morning"),
        unmasked(3, Role::Customer, "it is 4821"),
    ];
    assert_eq!(left(store, messages), ["it is ****", "good morning", "it is 4821"]);
}

#[test]
fn no_text_leaves_where_the_store_leaves_out_what_stands_beside_it() {
    let mut store = MockMessageStore::new();
    store.expect_neighbours().return_once(|_, _| Ok(Vec::new()));
    let masking = ExportMasking::new(Arc::new(store), masking(Flags::none()));
    let messages = vec![unmasked(1, Role::Customer, "it is 4821")];
    assert!(block_on(masking.mask(&tenant(), messages, EntitySet::defaults())).is_err());
}
