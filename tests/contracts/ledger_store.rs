//! Contract of the queue and the objects of the ledger of erasures.

use parlance_domain::{
    audit::AuditEntry,
    conversation::{Conversation, Upsert, UpsertOutcome},
    id::ConversationId,
    message::PageLimit,
    privacy::{ErasureOutcome, ErasurePageLimit, LedgerEntry, LedgerObjectId},
};
use support::{
    fixtures::{acme, conversation, from_micros, globex, message},
    stores::TestStores,
};

use crate::erasure_store::{count_messages, create, erase, erasure, upsert};

contract![
    an_erasure_is_queued_with_its_digest_and_its_time,
    an_erasure_that_finds_nothing_is_not_queued,
    the_queue_gives_up_to_a_number_of_entries,
    a_written_entry_leaves_the_queue,
    every_erasure_is_queued_again_if_an_object_is_missing,
    an_object_is_recorded_once,
    an_applied_erasure_removes_the_conversation,
    an_applied_erasure_of_a_missing_conversation_refuses_its_identifier,
    an_erasure_is_applied_once,
    an_applied_erasure_is_listed_with_its_own_time,
    an_applied_erasure_has_an_audit_entry,
    an_applied_erasure_is_not_queued,
    an_applied_erasure_leaves_other_tenants_alone,
    one_message_is_removed_and_the_others_stay,
];

async fn apply(stores: &TestStores, conversation: &Conversation) -> bool {
    let entry = AuditEntry::erasure_applied_from_ledger(&erasure(conversation), from_micros(70));
    stores.ledger.apply_erasure(&acme(), &erasure(conversation), entry).await.unwrap()
}

fn entry(conversation: &Conversation) -> LedgerEntry {
    LedgerEntry::of_conversation(&acme(), &erasure(conversation))
}

async fn create_and_erase(stores: &TestStores, number: u128) -> Conversation {
    let created = create(stores, number).await;
    assert!(matches!(erase(stores, &acme(), &created).await, ErasureOutcome::Erased(_)));
    created
}

async fn an_erasure_is_queued_with_its_digest_and_its_time(stores: TestStores) {
    let erased = create_and_erase(&stores, 1).await;
    assert_eq!(stores.ledger.queued(10).await.unwrap(), [entry(&erased)]);
}

async fn an_erasure_that_finds_nothing_is_not_queued(stores: TestStores) {
    assert_eq!(erase(&stores, &acme(), &conversation(1, "call-1")).await, ErasureOutcome::NoConversation);
    assert_eq!(stores.ledger.queued(10).await.unwrap(), []);
}

async fn the_queue_gives_up_to_a_number_of_entries(stores: TestStores) {
    for number in 1..=3 {
        create_and_erase(&stores, number).await;
    }
    assert_eq!(stores.ledger.queued(2).await.unwrap().len(), 2);
}

async fn a_written_entry_leaves_the_queue(stores: TestStores) {
    let (written, queued) = (create_and_erase(&stores, 1).await, create_and_erase(&stores, 2).await);
    stores.ledger.record_object(&LedgerObjectId::from_bits(7), &[entry(&written)]).await.unwrap();
    assert_eq!(stores.ledger.queued(10).await.unwrap(), [entry(&queued)]);
}

async fn every_erasure_is_queued_again_if_an_object_is_missing(stores: TestStores) {
    let (written, applied) = (create_and_erase(&stores, 1).await, create(&stores, 2).await);
    let (kept, missing) = (LedgerObjectId::from_bits(7), LedgerObjectId::from_bits(8));
    stores.ledger.record_object(&missing, &[entry(&written)]).await.unwrap();
    stores.ledger.record_object(&kept, &[]).await.unwrap();
    assert!(apply(&stores, &applied).await);
    stores.ledger.requeue(&[missing].into()).await.unwrap();
    assert_eq!(stores.ledger.queued(10).await.unwrap(), [entry(&written), entry(&applied)]);
    assert_eq!(stores.ledger.recorded_objects().await.unwrap(), [kept].into());
}

async fn an_object_is_recorded_once(stores: TestStores) {
    let objects = [7, 8].map(LedgerObjectId::from_bits);
    for object in [&objects[0], &objects[1], &objects[0]] {
        stores.ledger.record_object(object, &[]).await.unwrap();
    }
    assert_eq!(stores.ledger.recorded_objects().await.unwrap(), objects.into());
}

async fn an_applied_erasure_removes_the_conversation(stores: TestStores) {
    let created = create(&stores, 2).await;
    assert!(apply(&stores, &created).await);
    assert_eq!(stores.conversations.find(&acme(), &created.id).await.unwrap(), None);
    assert_eq!(count_messages(&stores, &created.id).await, 0);
}

async fn an_applied_erasure_of_a_missing_conversation_refuses_its_identifier(stores: TestStores) {
    let missing = conversation(1, "call-1");
    assert!(apply(&stores, &missing).await);
    assert!(stores.erasures.is_erased(&acme(), &missing.id).await.unwrap());
    let late = Upsert { new_id: ConversationId::from_bits(77), ..upsert(&missing) };
    let outcome = stores.conversations.upsert(&acme(), &late, from_micros(80), None).await.unwrap();
    assert_eq!(outcome, UpsertOutcome::Erased);
}

async fn an_erasure_is_applied_once(stores: TestStores) {
    let erased = create_and_erase(&stores, 1).await;
    let records = stores.audit.records(&acme(), 0, 10).await.unwrap();
    assert!(!apply(&stores, &erased).await);
    assert_eq!(stores.audit.records(&acme(), 0, 10).await.unwrap(), records);
}

async fn an_applied_erasure_is_listed_with_its_own_time(stores: TestStores) {
    let missing = conversation(1, "call-1");
    assert!(apply(&stores, &missing).await);
    let listed = stores.erasures.list(&acme(), 0, ErasurePageLimit::default()).await.unwrap();
    let listed: Vec<_> = listed.into_iter().map(|erased| (erased.conversation, erased.erased_at)).collect();
    assert_eq!(listed, [(missing.id.clone(), erasure(&missing).at)]);
}

async fn an_applied_erasure_has_an_audit_entry(stores: TestStores) {
    let missing = conversation(1, "call-1");
    assert!(apply(&stores, &missing).await);
    let records = stores.audit.records(&acme(), 0, 10).await.unwrap();
    let entry = &records.last().unwrap().entry;
    assert_eq!((entry.subject.as_str(), entry.at), (missing.id.as_str(), from_micros(70)));
    assert!(entry.details.starts_with("from the ledger; erased at "), "{}", entry.details);
}

async fn an_applied_erasure_is_not_queued(stores: TestStores) {
    assert!(apply(&stores, &create(&stores, 1).await).await);
    assert_eq!(stores.ledger.queued(10).await.unwrap(), []);
}

async fn an_applied_erasure_leaves_other_tenants_alone(stores: TestStores) {
    let created = create(&stores, 1).await;
    let entry = AuditEntry::erasure_applied_from_ledger(&erasure(&created), from_micros(70));
    assert!(stores.ledger.apply_erasure(&globex(), &erasure(&created), entry).await.unwrap());
    assert_eq!(stores.conversations.find(&acme(), &created.id).await.unwrap(), Some(created));
}

async fn one_message_is_removed_and_the_others_stay(stores: TestStores) {
    let created = create(&stores, 2).await;
    let removed = message(200, &created.id, from_micros(0)).id;
    assert!(!stores.ledger.remove_message(&globex(), &created.id, &removed).await.unwrap());
    assert!(stores.ledger.remove_message(&acme(), &created.id, &removed).await.unwrap());
    assert!(!stores.ledger.remove_message(&acme(), &created.id, &removed).await.unwrap());
    let page = stores.messages.page(&acme(), &created.id, None, PageLimit::new(100).unwrap()).await.unwrap();
    assert_eq!(
        page.messages.iter().map(|kept| kept.id.clone()).collect::<Vec<_>>(),
        [message(201, &created.id, from_micros(1)).id]
    );
}
