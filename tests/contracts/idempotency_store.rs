//! Contract of idempotency records: a store writes a record together with the result of its request, or writes neither.

use std::sync::Arc;

use parlance_domain::{
    access::TenantId,
    conversation::{Change, Upsert, UpsertOutcome},
    id::ConversationId,
    idempotency::{Claim, IdempotencyRecord, IdempotentRequest, KeyDigest, Operation, RequestDigest},
    limits::IDEMPOTENCY_RECORD_SECONDS,
    message::{AppendBatch, AppendOutcome, MaskUpdate, PageLimit, Redactions},
    text::MessageText,
    vocabulary::{Capacity, InsertOutcome, PageSize},
};
use support::{
    fixtures::{acme, conversation, from_micros, globex, message, upsert_for, vocabulary_entry},
    stores::TestStores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    an_unused_key_has_no_record,
    a_record_of_every_operation_is_read_back_unchanged,
    a_record_with_a_digest_of_version_1_is_read_back_unchanged,
    a_used_key_prevents_the_creation_of_a_conversation,
    a_used_key_prevents_the_update_of_a_conversation,
    the_record_of_an_update_names_the_existing_conversation,
    a_used_key_prevents_appending_messages,
    a_used_key_prevents_inserting_an_entry,
    a_refused_write_leaves_no_record,
    a_record_is_replaced_after_24_hours,
    a_key_belongs_to_one_operation_and_one_tenant,
    exactly_one_of_racing_requests_with_one_key_is_executed,
    records_up_to_a_timestamp_are_purged,
    a_full_batch_of_messages_is_appended,
    a_batch_for_a_missing_conversation_appends_nothing,
];

const DAY: i64 = IDEMPOTENCY_RECORD_SECONDS * 1_000_000;

fn record(operation: Operation, key: u8, micros: i64) -> IdempotencyRecord {
    let ids = vec!["01A".to_owned(), "01B".to_owned()];
    IdempotencyRecord {
        operation,
        key: KeyDigest([key; 32]),
        digest: RequestDigest::Canonical([9; 32]),
        ids,
        at: from_micros(micros),
    }
}

fn batch(messages: u128, conversation: &ConversationId, record: Option<IdempotencyRecord>) -> AppendBatch {
    let messages = (1..=messages).map(|number| message(number, conversation, from_micros(7))).collect();
    AppendBatch {
        conversation: conversation.clone(),
        messages,
        expected_tail: None,
        mask_updates: Vec::new(),
        idempotency_record: record,
    }
}

/// The claim of a request with this key.
fn claim(key: u8, micros: i64) -> Claim {
    let (digest, legacy_digest) = (RequestDigest::Canonical([9; 32]), RequestDigest::Body([8; 32]));
    let request = IdempotentRequest { key: KeyDigest([key; 32]), digest, legacy_digest };
    Claim { operation: Operation::UpsertConversation, request, at: from_micros(micros) }
}

/// The record of this claim for the conversation with this number.
fn record_of(claim: Claim, number: u128) -> IdempotencyRecord {
    claim.into_record(vec![ConversationId::from_bits(number).to_string()])
}

async fn upsert(stores: &TestStores, number: u128, claim: Option<Claim>) -> UpsertOutcome {
    let new = conversation(number, &format!("call-{number}"));
    stores.conversations.upsert(&acme(), &upsert_for(&new), from_micros(5), claim).await.unwrap()
}

fn stored(number: u128) -> UpsertOutcome {
    UpsertOutcome::Stored(ConversationId::from_bits(number))
}

async fn append(stores: &TestStores, batch: &AppendBatch) -> AppendOutcome {
    stores.messages.append_batch(&acme(), batch).await.unwrap()
}

async fn find(stores: &TestStores, tenant: &TenantId, operation: Operation, key: u8) -> Option<IdempotencyRecord> {
    stores.idempotency.find(tenant, operation, &KeyDigest([key; 32])).await.unwrap()
}

async fn count_messages(stores: &TestStores, conversation: &ConversationId) -> usize {
    stores.messages.page(&acme(), conversation, None, PageLimit::MAX).await.unwrap().messages.len()
}

async fn an_unused_key_has_no_record(stores: TestStores) {
    assert_eq!(find(&stores, &acme(), Operation::CreateMessage, 1).await, None);
}

async fn a_record_of_every_operation_is_read_back_unchanged(stores: TestStores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let id = ConversationId::from_bits(1);
    for (number, operation) in (1..).zip(Operation::ALL) {
        let expected = record(operation, 1, 5);
        let messages = vec![message(number, &id, from_micros(7))];
        let batch = AppendBatch { messages, ..batch(1, &id, Some(expected.clone())) };
        assert_eq!(append(&stores, &batch).await, AppendOutcome::Appended);
        assert_eq!(find(&stores, &acme(), operation, 1).await, Some(expected));
    }
}

async fn a_record_with_a_digest_of_version_1_is_read_back_unchanged(stores: TestStores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let digest = RequestDigest::Body([7; 32]);
    let expected = IdempotencyRecord { digest, ..record(Operation::CreateMessage, 1, 5) };
    let batch = batch(1, &ConversationId::from_bits(1), Some(expected.clone()));
    assert_eq!(append(&stores, &batch).await, AppendOutcome::Appended);
    assert_eq!(find(&stores, &acme(), Operation::CreateMessage, 1).await, Some(expected));
}

async fn a_used_key_prevents_the_creation_of_a_conversation(stores: TestStores) {
    let first = claim(1, 5);
    assert_eq!(upsert(&stores, 1, Some(first)).await, stored(1));
    assert_eq!(upsert(&stores, 2, Some(claim(1, 6))).await, UpsertOutcome::KeyTaken);
    assert!(stores.conversations.find(&acme(), &ConversationId::from_bits(2)).await.unwrap().is_none());
    assert_eq!(find(&stores, &acme(), Operation::UpsertConversation, 1).await, Some(record_of(first, 1)));
}

async fn a_used_key_prevents_the_update_of_a_conversation(stores: TestStores) {
    assert_eq!(upsert(&stores, 1, Some(claim(1, 5))).await, stored(1));
    let change = Upsert { agent: Change::Clear, ..upsert_for(&conversation(2, "call-1")) };
    let outcome = stores.conversations.upsert(&acme(), &change, from_micros(6), Some(claim(1, 6))).await.unwrap();
    assert_eq!(outcome, UpsertOutcome::KeyTaken);
    let found = stores.conversations.find(&acme(), &ConversationId::from_bits(1)).await.unwrap();
    assert_eq!(found, Some(conversation(1, "call-1")));
}

async fn the_record_of_an_update_names_the_existing_conversation(stores: TestStores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let change = upsert_for(&conversation(2, "call-1"));
    let outcome = stores.conversations.upsert(&acme(), &change, from_micros(6), Some(claim(1, 6))).await.unwrap();
    assert_eq!(outcome, stored(1));
    assert_eq!(find(&stores, &acme(), Operation::UpsertConversation, 1).await, Some(record_of(claim(1, 6), 1)));
}

async fn a_used_key_prevents_appending_messages(stores: TestStores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let id = ConversationId::from_bits(1);
    let original = message(1, &id, from_micros(7));
    let first = batch(1, &id, Some(record(Operation::CreateMessage, 1, 5)));
    assert_eq!(append(&stores, &first).await, AppendOutcome::Appended);
    let mask_update = MaskUpdate {
        position: original.position(),
        expected: original.text.clone(),
        masked: MessageText::parse("***").unwrap(),
        redactions: Redactions::NONE,
    };
    let second =
        AppendBatch { mask_updates: vec![mask_update], messages: vec![message(2, &id, from_micros(8))], ..first };
    assert_eq!(append(&stores, &second).await, AppendOutcome::KeyTaken);
    let found = stores.messages.page(&acme(), &id, None, PageLimit::MAX).await.unwrap().messages;
    assert_eq!(found, [original]);
}

async fn a_used_key_prevents_inserting_an_entry(stores: TestStores) {
    let claimed = record(Operation::CreateVocabulary, 1, 5);
    let insert =
        async |entry| stores.vocabularies.insert(&acme(), &entry, Capacity::PER_TENANT, Some(&claimed)).await.unwrap();
    assert_eq!(insert(vocabulary_entry(1, "IEEE")).await, InsertOutcome::Inserted);
    assert_eq!(insert(vocabulary_entry(2, "ACME")).await, InsertOutcome::KeyTaken);
    assert_eq!(insert(vocabulary_entry(3, "IEEE")).await, InsertOutcome::KeyTaken);
    let page = stores.vocabularies.page(&acme(), None, PageSize::MAX).await.unwrap();
    assert_eq!(page.entries, [vocabulary_entry(1, "IEEE")]);
}

async fn a_refused_write_leaves_no_record(stores: TestStores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let orphan = batch(1, &ConversationId::from_bits(9), Some(record(Operation::CreateMessage, 1, 5)));
    assert_eq!(append(&stores, &orphan).await, AppendOutcome::NoConversation);
    let stale = AppendBatch {
        expected_tail: Some(vec![message(8, &ConversationId::from_bits(1), from_micros(1))]),
        ..batch(1, &ConversationId::from_bits(1), Some(record(Operation::CreateMessages, 1, 5)))
    };
    assert_eq!(append(&stores, &stale).await, AppendOutcome::PreconditionFailed);
    let unused = record(Operation::CreateVocabulary, 1, 5);
    let capacity = Capacity::PER_TENANT;
    assert_eq!(
        stores.vocabularies.insert(&acme(), &vocabulary_entry(1, "IEEE"), capacity, None).await.unwrap(),
        InsertOutcome::Inserted
    );
    let outcome =
        stores.vocabularies.insert(&acme(), &vocabulary_entry(2, "IEEE"), capacity, Some(&unused)).await.unwrap();
    assert_eq!(outcome, InsertOutcome::PhraseTaken);
    for operation in Operation::ALL {
        assert_eq!(find(&stores, &acme(), operation, 1).await, None, "{operation:?}");
    }
}

async fn a_record_is_replaced_after_24_hours(stores: TestStores) {
    assert_eq!(upsert(&stores, 1, Some(claim(1, 5))).await, stored(1));
    assert_eq!(upsert(&stores, 2, Some(claim(1, 4 + DAY))).await, UpsertOutcome::KeyTaken);
    let renewed = claim(1, 5 + DAY);
    assert_eq!(upsert(&stores, 2, Some(renewed)).await, stored(2));
    assert_eq!(find(&stores, &acme(), Operation::UpsertConversation, 1).await, Some(record_of(renewed, 2)));
}

async fn a_key_belongs_to_one_operation_and_one_tenant(stores: TestStores) {
    assert_eq!(upsert(&stores, 1, Some(claim(1, 5))).await, stored(1));
    let other = batch(1, &ConversationId::from_bits(1), Some(record(Operation::CreateMessage, 1, 5)));
    assert_eq!(append(&stores, &other).await, AppendOutcome::Appended);
    assert_eq!(find(&stores, &globex(), Operation::UpsertConversation, 1).await, None);
    let new = upsert_for(&conversation(1, "call-1"));
    let outcome = stores.conversations.upsert(&globex(), &new, from_micros(5), Some(claim(1, 5))).await.unwrap();
    assert_eq!(outcome, stored(1));
}

async fn exactly_one_of_racing_requests_with_one_key_is_executed(stores: TestStores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let id = ConversationId::from_bits(1);
    let barrier = Arc::new(Barrier::new(16));
    let mut racers = JoinSet::new();
    for number in 10..26 {
        let (stores, barrier, id) = (stores.clone(), Arc::clone(&barrier), id.clone());
        racers.spawn(async move {
            let record = Some(record(Operation::CreateMessage, 1, 5));
            let batch = AppendBatch { messages: vec![message(number, &id, from_micros(7))], ..batch(1, &id, record) };
            barrier.wait().await;
            append(&stores, &batch).await
        });
    }
    let outcomes = racers.join_all().await;
    let appended = outcomes.iter().filter(|outcome| **outcome == AppendOutcome::Appended).count();
    let refused = outcomes.iter().filter(|outcome| **outcome == AppendOutcome::KeyTaken).count();
    assert_eq!((appended, refused, count_messages(&stores, &id).await), (1, 15, 1));
}

async fn records_up_to_a_timestamp_are_purged(stores: TestStores) {
    for key in 1..=3 {
        assert_eq!(upsert(&stores, key.into(), Some(claim(key, key.into()))).await, stored(key.into()));
    }
    assert_eq!(stores.idempotency.purge(from_micros(2)).await.unwrap(), 2);
    assert_eq!(find(&stores, &acme(), Operation::UpsertConversation, 2).await, None);
    assert!(find(&stores, &acme(), Operation::UpsertConversation, 3).await.is_some());
}

async fn a_full_batch_of_messages_is_appended(stores: TestStores) {
    assert_eq!(upsert(&stores, 1, None).await, stored(1));
    let id = ConversationId::from_bits(1);
    let full = batch(300, &id, None);
    assert_eq!(append(&stores, &full).await, AppendOutcome::Appended);
    let found = stores.messages.page(&acme(), &id, None, PageLimit::MAX).await.unwrap().messages;
    assert_eq!(found, full.messages);
}

async fn a_batch_for_a_missing_conversation_appends_nothing(stores: TestStores) {
    let id = ConversationId::from_bits(1);
    for expected_tail in [None, Some(Vec::new())] {
        let orphan = AppendBatch { expected_tail, ..batch(3, &id, None) };
        assert_eq!(append(&stores, &orphan).await, AppendOutcome::NoConversation);
    }
    assert_eq!(count_messages(&stores, &id).await, 0);
}
