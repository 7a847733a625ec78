//! Contract of message stores for masking: newest messages, neighbours, and batches that mask earlier messages.

use std::{slice, sync::Arc};

use parlance_domain::{
    access::TenantId,
    id::{ConversationId, MessageId},
    message::{AppendBatch, AppendOutcome, MaskUpdate, Message, Neighbours, PageLimit, Redactions},
    redaction::{Entity, EntitySet},
    text::MessageText,
};
use support::{
    fixtures::{AWKWARD_TEXTS, acme, from_micros, globex, message},
    stores::TestStores,
};
use tokio::{sync::Barrier, task::JoinSet};

use crate::message_store::{append, create_conversation};

contract![
    the_entities_that_a_message_was_masked_with_are_read_back,
    the_newest_messages_are_at_most_six_in_chronological_order,
    the_newest_messages_before_a_position_exclude_that_position,
    another_tenants_messages_are_not_among_the_newest,
    neighbours_are_at_most_six_on_each_side_in_chronological_order,
    neighbours_are_returned_in_the_order_of_the_requested_positions,
    another_tenants_messages_are_no_neighbours,
    a_message_is_appended_and_earlier_ones_are_masked_in_one_call,
    expected_texts_are_compared_byte_for_byte,
    a_text_other_than_expected_fails_the_whole_batch,
    a_batch_for_a_missing_conversation_masks_nothing,
    another_tenants_message_is_not_masked,
    exactly_one_of_racing_masks_of_a_message_is_stored,
    a_batch_with_an_outdated_expected_tail_fails,
    the_expected_tail_is_the_newest_six_messages,
    exactly_one_of_racing_messages_with_one_expected_tail_is_stored,
    many_long_messages_expect_the_tail_before_the_first_of_them,
];

pub(crate) fn text(text: &str) -> MessageText {
    MessageText::parse(text).unwrap()
}

pub(crate) async fn all_messages(
    stores: &TestStores,
    tenant: &TenantId,
    conversation: &ConversationId,
) -> Vec<Message> {
    stores.messages.page(tenant, conversation, None, PageLimit::MAX).await.unwrap().messages
}

pub(crate) fn batch_after(message: &Message, tail: &[Message], updates: &[MaskUpdate]) -> AppendBatch {
    AppendBatch {
        conversation: message.conversation.clone(),
        messages: vec![message.clone()],
        expected_tail: Some(tail.to_vec()),
        mask_updates: updates.to_vec(),
        idempotency_record: None,
    }
}

pub(crate) fn update(message: &Message, masked: &str) -> MaskUpdate {
    let (position, expected) = (message.position(), message.text.clone());
    MaskUpdate { position, expected, masked: text(masked), redactions: Redactions::NONE }
}

async fn the_entities_that_a_message_was_masked_with_are_read_back(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let last: EntitySet = Entity::ALL.into_iter().last().into_iter().collect();
    for (number, masked_with) in (1..).zip([EntitySet::empty(), EntitySet::defaults(), EntitySet::all(), last]) {
        let sent = append(&stores, Message { masked_with, ..message(number, &conversation, from_micros(0)) }).await;
        assert_eq!(all_messages(&stores, &acme(), &conversation).await.pop(), Some(sent.clone()));
        assert_eq!(stores.messages.newest(&acme(), &conversation, None).await.unwrap().pop(), Some(sent));
    }
}

async fn the_newest_messages_are_at_most_six_in_chronological_order(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    assert_eq!(stores.messages.newest(&acme(), &conversation, None).await.unwrap(), []);
    for (number, micros) in (1..).zip([50, -3, 50, 7, 9, 50, 11, 12]) {
        append(&stores, message(number, &conversation, from_micros(micros))).await;
    }
    let newest = stores.messages.newest(&acme(), &conversation, None).await.unwrap();
    let ids: Vec<_> = newest.into_iter().map(|message| message.id).collect();
    assert_eq!(ids, [5, 7, 8, 1, 3, 6].map(MessageId::from_bits));
}

async fn the_newest_messages_before_a_position_exclude_that_position(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let mut sent = Vec::new();
    for number in 1..=9 {
        sent.push(append(&stores, message(number, &conversation, from_micros(4))).await);
    }
    for (number, message) in (0..).zip(&sent) {
        let newest = stores.messages.newest(&acme(), &conversation, Some(&message.position())).await.unwrap();
        assert_eq!(Some(&*newest), sent.get(usize::saturating_sub(number, 6)..number), "before message {number}");
    }
}

async fn another_tenants_messages_are_not_among_the_newest(stores: TestStores) {
    let own = create_conversation(&stores, &acme(), 1).await;
    append(&stores, message(1, &own, from_micros(0))).await;
    assert_eq!(stores.messages.newest(&globex(), &own, None).await.unwrap(), []);
    assert_eq!(stores.messages.newest(&acme(), &ConversationId::from_bits(2), None).await.unwrap(), []);
}

async fn neighbours_are_at_most_six_on_each_side_in_chronological_order(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let mut sent = Vec::new();
    for (number, micros) in (1..).zip([-5, -5, 1, 2, 2, 2, 3, 4, 5, 6, 7, 7, 9, 10, 11]) {
        sent.push(append(&stores, message(number, &conversation, from_micros(micros))).await);
    }
    let positions: Vec<_> = sent.iter().map(|message| (conversation.clone(), message.position())).collect();
    let neighbours = stores.messages.neighbours(&acme(), &positions).await.unwrap();
    assert_eq!(neighbours.len(), sent.len());
    for (index, adjacent) in neighbours.iter().enumerate() {
        assert_eq!(adjacent.before, sent[index.saturating_sub(6)..index], "before message {index}");
        assert_eq!(adjacent.after, sent[index + 1..sent.len().min(index + 7)], "after message {index}");
    }
}

async fn neighbours_are_returned_in_the_order_of_the_requested_positions(stores: TestStores) {
    let first = create_conversation(&stores, &acme(), 1).await;
    let second = create_conversation(&stores, &acme(), 2).await;
    let mut sent = Vec::new();
    for (number, conversation) in (1..).zip([&first, &second, &first, &second]) {
        sent.push(append(&stores, message(number, conversation, from_micros(4))).await);
    }
    let requested = [&sent[3], &sent[0], &sent[2], &sent[3]];
    let mut positions: Vec<_> =
        requested.iter().map(|message| (message.conversation.clone(), message.position())).collect();
    positions.push((ConversationId::from_bits(3), sent[0].position()));
    let neighbours = stores.messages.neighbours(&acme(), &positions).await.unwrap();
    let ids = |messages: &[Message]| messages.iter().map(|message| message.id.clone()).collect::<Vec<_>>();
    let returned_ids: Vec<_> =
        neighbours.iter().map(|adjacent| (ids(&adjacent.before), ids(&adjacent.after))).collect();
    let id = |number| vec![MessageId::from_bits(number)];
    assert_eq!(returned_ids, [(id(2), vec![]), (vec![], id(3)), (id(1), vec![]), (id(2), vec![]), (vec![], vec![])]);
    assert_eq!(stores.messages.neighbours(&acme(), &[]).await.unwrap(), []);
}

async fn another_tenants_messages_are_no_neighbours(stores: TestStores) {
    let own = create_conversation(&stores, &acme(), 1).await;
    let sent = append(&stores, message(1, &own, from_micros(0))).await;
    append(&stores, message(2, &own, from_micros(1))).await;
    let neighbours = stores.messages.neighbours(&globex(), &[(own, sent.position())]).await.unwrap();
    assert_eq!(neighbours, [Neighbours::default()]);
}

async fn a_message_is_appended_and_earlier_ones_are_masked_in_one_call(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let first = append(&stores, message(1, &conversation, from_micros(1))).await;
    let second = append(&stores, message(2, &conversation, from_micros(1))).await;
    let third = append(&stores, message(3, &conversation, from_micros(3))).await;
    let last = message(4, &conversation, from_micros(4));
    let tail = [first.clone(), second.clone(), third.clone()];
    let updates = [update(&third, "*** 3"), update(&first, "*** 1")];
    let outcome = stores.messages.append_batch(&acme(), &batch_after(&last, &tail, &updates)).await.unwrap();
    assert_eq!(outcome, AppendOutcome::Appended);
    let (first, third) = (Message { text: text("*** 1"), ..first }, Message { text: text("*** 3"), ..third });
    assert_eq!(all_messages(&stores, &acme(), &conversation).await, [first, second, third, last]);
}

async fn expected_texts_are_compared_byte_for_byte(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    for (number, awkward) in (1..).zip(AWKWARD_TEXTS) {
        let sent = Message { text: text(awkward), ..message(number * 2, &conversation, from_micros(0)) };
        let sent = append(&stores, sent).await;
        let last = message(number * 2 + 1, &conversation, from_micros(0));
        let updates = [update(&sent, &format!("{awkward}*"))];
        let tail = stores.messages.newest(&acme(), &conversation, None).await.unwrap();
        let outcome = stores.messages.append_batch(&acme(), &batch_after(&last, &tail, &updates)).await.unwrap();
        assert_eq!(outcome, AppendOutcome::Appended, "{awkward:?}");
    }
}

async fn a_text_other_than_expected_fails_the_whole_batch(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let first = append(&stores, message(1, &conversation, from_micros(1))).await;
    let second = append(&stores, message(2, &conversation, from_micros(2))).await;
    let stale = MaskUpdate { expected: text("something else"), ..update(&second, "***") };
    let missing = update(&message(9, &conversation, from_micros(9)), "***");
    for failing in [stale, missing] {
        let updates = [update(&first, "***"), failing];
        let (late, tail) = (message(3, &conversation, from_micros(3)), [first.clone(), second.clone()]);
        let outcome = stores.messages.append_batch(&acme(), &batch_after(&late, &tail, &updates)).await.unwrap();
        assert_eq!(outcome, AppendOutcome::PreconditionFailed);
        assert_eq!(all_messages(&stores, &acme(), &conversation).await, [first.clone(), second.clone()]);
    }
}

async fn a_batch_for_a_missing_conversation_masks_nothing(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let first = append(&stores, message(1, &conversation, from_micros(1))).await;
    let lost = message(2, &ConversationId::from_bits(2), from_micros(2));
    let outcome =
        stores.messages.append_batch(&acme(), &batch_after(&lost, &[], &[update(&first, "***")])).await.unwrap();
    assert_eq!(outcome, AppendOutcome::NoConversation);
    assert_eq!(all_messages(&stores, &acme(), &conversation).await, [first]);
}

async fn another_tenants_message_is_not_masked(stores: TestStores) {
    let shared_id = create_conversation(&stores, &acme(), 1).await;
    assert_eq!(create_conversation(&stores, &globex(), 1).await, shared_id);
    let own = append(&stores, message(1, &shared_id, from_micros(1))).await;
    let intruder = message(2, &shared_id, from_micros(2));
    let outcome =
        stores.messages.append_batch(&globex(), &batch_after(&intruder, &[], &[update(&own, "***")])).await.unwrap();
    assert_eq!(outcome, AppendOutcome::PreconditionFailed);
    assert_eq!(all_messages(&stores, &acme(), &shared_id).await, [own]);
    assert_eq!(all_messages(&stores, &globex(), &shared_id).await, []);
}

async fn exactly_one_of_racing_masks_of_a_message_is_stored(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let first = append(&stores, message(1, &conversation, from_micros(1))).await;
    let second = append(&stores, message(2, &conversation, from_micros(2))).await;
    let barrier = Arc::new(Barrier::new(16));
    let mut racers = JoinSet::new();
    for number in 10..26 {
        let (store, barrier) = (Arc::clone(&stores.messages), Arc::clone(&barrier));
        let last = message(number, &conversation, from_micros(3));
        let (tail, mut updates) =
            ([first.clone(), second.clone()], [update(&first, "*** 1"), update(&second, "*** 2")]);
        if number % 2 == 0 {
            updates.reverse();
        }
        racers.spawn(async move {
            barrier.wait().await;
            store.append_batch(&acme(), &batch_after(&last, &tail, &updates)).await.unwrap()
        });
    }
    let found = racers.join_all().await.into_iter().filter(|outcome| *outcome == AppendOutcome::Appended).count();
    assert_eq!((found, all_messages(&stores, &acme(), &conversation).await.len()), (1, 3));
}

async fn a_batch_with_an_outdated_expected_tail_fails(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let first = append(&stores, message(1, &conversation, from_micros(1))).await;
    let second = append(&stores, message(2, &conversation, from_micros(2))).await;
    let other = Message { text: text("something else"), ..second.clone() };
    for tail in [&[][..], slice::from_ref(&first), slice::from_ref(&second), &[first.clone(), other]] {
        let late = message(3, &conversation, from_micros(3));
        let outcome = stores.messages.append_batch(&acme(), &batch_after(&late, tail, &[])).await.unwrap();
        assert_eq!(outcome, AppendOutcome::PreconditionFailed, "{tail:?}");
    }
    assert_eq!(all_messages(&stores, &acme(), &conversation).await, [first, second]);
}

async fn the_expected_tail_is_the_newest_six_messages(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    for number in 1..=9 {
        let tail = stores.messages.newest(&acme(), &conversation, None).await.unwrap();
        let next = message(number, &conversation, from_micros(i64::try_from(number).unwrap()));
        let outcome = stores.messages.append_batch(&acme(), &batch_after(&next, &tail, &[])).await.unwrap();
        assert_eq!(outcome, AppendOutcome::Appended, "message {number}");
    }
    assert_eq!(all_messages(&stores, &acme(), &conversation).await.len(), 9);
}

async fn exactly_one_of_racing_messages_with_one_expected_tail_is_stored(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let first = append(&stores, message(1, &conversation, from_micros(1))).await;
    let barrier = Arc::new(Barrier::new(16));
    let mut racers = JoinSet::new();
    for number in 10..26 {
        let (store, barrier, tail) = (Arc::clone(&stores.messages), Arc::clone(&barrier), [first.clone()]);
        let next = message(number, &conversation, from_micros(3));
        racers.spawn(async move {
            barrier.wait().await;
            store.append_batch(&acme(), &batch_after(&next, &tail, &[])).await.unwrap()
        });
    }
    let found = racers.join_all().await.into_iter().filter(|outcome| *outcome == AppendOutcome::Appended).count();
    assert_eq!((found, all_messages(&stores, &acme(), &conversation).await.len()), (1, 2));
}

async fn many_long_messages_expect_the_tail_before_the_first_of_them(stores: TestStores) {
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let first = append(&stores, message(1, &conversation, from_micros(1))).await;
    let long = |number: u128| Message {
        text: text(&format!("{number} ").repeat(100)),
        ..message(number, &conversation, from_micros(i64::try_from(number).unwrap()))
    };
    let batch =
        |tail: &[Message]| AppendBatch { messages: (2..=301).map(long).collect(), ..batch_after(&long(2), tail, &[]) };
    assert_eq!(stores.messages.append_batch(&acme(), &batch(&[])).await.unwrap(), AppendOutcome::PreconditionFailed);
    assert_eq!(all_messages(&stores, &acme(), &conversation).await, slice::from_ref(&first));
    assert_eq!(stores.messages.append_batch(&acme(), &batch(&[first])).await.unwrap(), AppendOutcome::Appended);
    let newest = stores.messages.newest(&acme(), &conversation, None).await.unwrap();
    assert_eq!(newest, (296..=301).map(long).collect::<Vec<_>>());
}
