//! Contract of message stores for numbers that are dictated over many messages: a longer tail, and its precondition.

use std::sync::Arc;

use parlance_domain::{
    id::ConversationId,
    message::{AppendOutcome, MaskUpdate, Message, PageLimit, Redactions},
    redaction::{MAX_CONTEXT, MAX_NUMBER_RUN},
    text::MessageText,
};
use support::{
    fixtures::{acme, from_micros, globex, message},
    stores::TestStores,
};
use tokio::{sync::Barrier, task::JoinSet};

use crate::{
    message_store::{append, create_conversation},
    message_store_masking::batch_after,
};

contract![
    the_newest_run_is_at_most_64_messages_in_chronological_order,
    another_tenants_messages_are_not_in_the_newest_run,
    a_long_expected_tail_is_compared_with_as_many_newest_messages,
    a_long_expected_tail_with_another_oldest_message_fails,
    the_oldest_message_of_a_long_tail_is_masked_with_the_append,
    rows_with_tails_of_different_lengths_are_stored_together,
    exactly_one_of_racing_messages_with_one_long_tail_is_stored,
];

fn text(text: &str) -> MessageText {
    MessageText::parse(text).unwrap()
}

fn next(number: u128, conversation: &ConversationId) -> Message {
    message(number, conversation, from_micros(i64::try_from(number).unwrap()))
}

/// Appends messages with the numbers from 1 on to a new conversation.
async fn dictate(stores: &TestStores, conversation: u128, count: u128) -> (ConversationId, Vec<Message>) {
    let conversation = create_conversation(stores, &acme(), conversation).await;
    let mut sent = Vec::new();
    for number in 1..=count {
        sent.push(append(stores, next(number, &conversation)).await);
    }
    (conversation, sent)
}

async fn the_newest_run_is_at_most_64_messages_in_chronological_order(stores: TestStores) {
    let (conversation, sent) = dictate(&stores, 1, 70).await;
    let newest = stores.messages.newest_run(&acme(), &conversation).await.unwrap();
    assert_eq!(newest, sent[sent.len() - MAX_NUMBER_RUN..]);
    let (short, sent) = dictate(&stores, 2, 3).await;
    assert_eq!(stores.messages.newest_run(&acme(), &short).await.unwrap(), sent);
}

async fn another_tenants_messages_are_not_in_the_newest_run(stores: TestStores) {
    let (conversation, _) = dictate(&stores, 1, 2).await;
    assert_eq!(stores.messages.newest_run(&globex(), &conversation).await.unwrap(), []);
    assert_eq!(stores.messages.newest_run(&acme(), &ConversationId::from_bits(2)).await.unwrap(), []);
}

async fn a_long_expected_tail_is_compared_with_as_many_newest_messages(stores: TestStores) {
    let (conversation, _) = dictate(&stores, 1, 40).await;
    for (number, length) in (41..).zip([MAX_CONTEXT + 1, 16, 40]) {
        let newest = stores.messages.newest_run(&acme(), &conversation).await.unwrap();
        let tail = &newest[newest.len() - length..];
        let batch = batch_after(&next(number, &conversation), tail, &[]);
        assert_eq!(stores.messages.append_batch(&acme(), &batch).await.unwrap(), AppendOutcome::Appended, "{length}");
    }
}

async fn a_long_expected_tail_with_another_oldest_message_fails(stores: TestStores) {
    let (conversation, sent) = dictate(&stores, 1, 20).await;
    let newer = &sent[sent.len() - 15..];
    let other_text = Message { text: text("something else"), ..sent[4].clone() };
    for oldest in [sent[3].clone(), other_text] {
        let tail = [&[oldest], newer].concat();
        let batch = batch_after(&next(21, &conversation), &tail, &[]);
        let outcome = stores.messages.append_batch(&acme(), &batch).await.unwrap();
        assert_eq!(outcome, AppendOutcome::PreconditionFailed);
    }
}

async fn the_oldest_message_of_a_long_tail_is_masked_with_the_append(stores: TestStores) {
    let (conversation, mut sent) = dictate(&stores, 1, 18).await;
    let oldest = sent[0].clone();
    let update = MaskUpdate {
        position: oldest.position(),
        expected: oldest.text.clone(),
        masked: text("***"),
        redactions: Redactions::NONE,
    };
    let last = next(19, &conversation);
    let batch = batch_after(&last, &sent, &[update]);
    assert_eq!(stores.messages.append_batch(&acme(), &batch).await.unwrap(), AppendOutcome::Appended);
    sent[0].text = text("***");
    sent.push(last);
    let found = stores.messages.page(&acme(), &conversation, None, PageLimit::MAX).await.unwrap().messages;
    assert_eq!(found, sent);
}

/// Writes that arrive together may be one transaction, in which each tail keeps its own length.
async fn rows_with_tails_of_different_lengths_are_stored_together(stores: TestStores) {
    let mut writes = JoinSet::new();
    for (number, length) in (1..).zip([0, 3, 6, 7, 16, 40]) {
        let (conversation, sent) = dictate(&stores, number, length).await;
        let store = Arc::clone(&stores.messages);
        let tail = sent[sent.len() - if length > 6 { sent.len() } else { sent.len().min(6) }..].to_vec();
        writes.spawn(async move {
            store.append_batch(&acme(), &batch_after(&next(50, &conversation), &tail, &[])).await.unwrap()
        });
    }
    assert_eq!(writes.join_all().await, [AppendOutcome::Appended; 6]);
}

async fn exactly_one_of_racing_messages_with_one_long_tail_is_stored(stores: TestStores) {
    let (conversation, sent) = dictate(&stores, 1, 16).await;
    let barrier = Arc::new(Barrier::new(16));
    let mut racers = JoinSet::new();
    for number in 30..46 {
        let (store, barrier, tail) = (Arc::clone(&stores.messages), Arc::clone(&barrier), sent.clone());
        let next = message(number, &conversation, from_micros(30));
        racers.spawn(async move {
            barrier.wait().await;
            store.append_batch(&acme(), &batch_after(&next, &tail, &[])).await.unwrap()
        });
    }
    let appended = racers.join_all().await.into_iter().filter(|outcome| *outcome == AppendOutcome::Appended).count();
    let length = stores.messages.newest_run(&acme(), &conversation).await.unwrap().len();
    assert_eq!((appended, length), (1, 17));
}
