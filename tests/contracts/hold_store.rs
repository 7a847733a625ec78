//! Contract of stores of holds.

use std::sync::Arc;

use parlance_domain::{
    access::TenantId,
    audit::{AuditEntry, HeldSubject},
    conversation::{Conversation, Upsert},
    id::ConversationId,
    privacy::{
        Erasure, ErasureCount, ErasureOutcome, Hold, HoldCursor, HoldId, HoldOutcome, HoldPage, HoldSubject,
        IdentifierDigest, PrivacyReference,
    },
    vocabulary::PageSize,
};
use support::{
    fixtures::{acme, conversation, external_id, from_micros, globex, participant, upsert_for},
    stores::TestStores,
};
use tokio::task::JoinSet;

contract![
    a_hold_is_listed_as_it_was_placed,
    the_same_hold_twice_gives_two_holds,
    a_hold_on_a_missing_conversation_is_not_placed,
    holds_are_listed_by_identifier_in_both_directions,
    holds_of_another_tenant_are_neither_listed_nor_released,
    a_released_hold_is_listed_no_more,
    each_hold_and_each_release_leaves_one_audit_entry,
    a_held_conversation_is_not_erased,
    conversations_of_a_held_customer_are_not_erased,
    a_conversation_that_passed_to_a_held_customer_is_not_erased,
    a_hold_of_another_tenant_does_not_count,
    an_erasure_that_is_refused_leaves_no_trace,
    a_conversation_is_erased_after_its_last_hold_is_released,
    of_a_hold_and_a_racing_erasure_exactly_one_takes_effect,
];

fn hold(number: u128, subject: HoldSubject) -> Hold {
    let reference = PrivacyReference::parse("Case 17").unwrap();
    Hold { id: HoldId::from_bits(number), subject, reference, created_at: from_micros(7) }
}

pub(crate) fn on_customer(number: u128, customer: &str) -> Hold {
    hold(number, HoldSubject::Customer(external_id(customer)))
}

fn on_conversation(number: u128, conversation: &Conversation) -> Hold {
    hold(number, HoldSubject::Conversation(conversation.id.clone()))
}

pub(crate) async fn place(stores: &TestStores, tenant: &TenantId, hold: &Hold) -> HoldOutcome {
    let on_hold = HeldSubject::Customer(IdentifierDigest([3; 32]));
    let entry = AuditEntry::hold_placed(&hold.id, &on_hold, None, hold.created_at);
    stores.holds.place(tenant, hold, entry).await.unwrap()
}

async fn release(stores: &TestStores, tenant: &TenantId, hold: &Hold) -> bool {
    let entry = AuditEntry::hold_released(&hold.id, None, from_micros(8));
    stores.holds.release(tenant, &hold.id, entry).await.unwrap()
}

async fn page(stores: &TestStores, cursor: Option<&HoldCursor>, size: u64) -> HoldPage {
    stores.holds.page(&acme(), cursor, PageSize::new(size).unwrap()).await.unwrap()
}

async fn create(stores: &TestStores, number: u128) -> Conversation {
    let created = conversation(number, &format!("call-{number}"));
    stores.create_conversation(&acme(), &created, from_micros(1)).await;
    created
}

async fn erase(stores: &TestStores, conversation: &Conversation) -> ErasureOutcome {
    let digest = IdentifierDigest([5; 32]);
    let erasure = Erasure { conversation: conversation.id.clone(), digest, at: from_micros(50), request: None };
    let entry = AuditEntry::conversation_erased(&erasure, None);
    stores.erasures.erase(&acme(), &erasure, entry).await.unwrap()
}

const ERASED: ErasureOutcome = ErasureOutcome::Erased(ErasureCount { messages: 0 });

async fn a_hold_is_listed_as_it_was_placed(stores: TestStores) {
    let created = create(&stores, 1).await;
    let holds = vec![on_customer(1, "customer-7"), on_conversation(2, &created)];
    for hold in &holds {
        assert_eq!(place(&stores, &acme(), hold).await, HoldOutcome::Placed);
    }
    assert_eq!(page(&stores, None, 20).await, HoldPage { entries: holds, previous: None, next: None });
}

async fn the_same_hold_twice_gives_two_holds(stores: TestStores) {
    for number in [1, 2] {
        assert_eq!(place(&stores, &acme(), &on_customer(number, "customer-7")).await, HoldOutcome::Placed);
    }
    assert_eq!(page(&stores, None, 20).await.entries.len(), 2);
}

async fn a_hold_on_a_missing_conversation_is_not_placed(stores: TestStores) {
    let missing = on_conversation(1, &conversation(9, "call-9"));
    assert_eq!(place(&stores, &acme(), &missing).await, HoldOutcome::NoConversation);
    assert_eq!(page(&stores, None, 20).await.entries, []);
}

async fn holds_are_listed_by_identifier_in_both_directions(stores: TestStores) {
    let holds: Vec<_> = (1..=3).map(|number| on_customer(number, "customer-7")).collect();
    for hold in holds.iter().rev() {
        assert_eq!(place(&stores, &acme(), hold).await, HoldOutcome::Placed);
    }
    let third = holds[2].id.clone();
    let first = page(&stores, None, 2).await;
    let second = page(&stores, first.next.as_ref(), 2).await;
    let before = page(&stores, second.previous.as_ref(), 2).await;
    let next = Some(HoldCursor::From(third.clone()));
    assert_eq!(first, HoldPage { entries: holds[..2].to_vec(), previous: None, next });
    let previous = Some(HoldCursor::Before(third));
    assert_eq!(second, HoldPage { entries: holds[2..].to_vec(), previous, next: None });
    assert_eq!(before, first);
}

async fn holds_of_another_tenant_are_neither_listed_nor_released(stores: TestStores) {
    let placed = on_customer(1, "customer-7");
    assert_eq!(place(&stores, &globex(), &placed).await, HoldOutcome::Placed);
    assert_eq!(page(&stores, None, 20).await.entries, []);
    assert!(!release(&stores, &acme(), &placed).await);
    assert!(release(&stores, &globex(), &placed).await);
}

async fn a_released_hold_is_listed_no_more(stores: TestStores) {
    let placed = on_customer(1, "customer-7");
    assert_eq!(place(&stores, &acme(), &placed).await, HoldOutcome::Placed);
    assert!(release(&stores, &acme(), &placed).await);
    assert_eq!(page(&stores, None, 20).await.entries, []);
}

async fn each_hold_and_each_release_leaves_one_audit_entry(stores: TestStores) {
    let placed = on_customer(1, "customer-7");
    assert_eq!(place(&stores, &acme(), &placed).await, HoldOutcome::Placed);
    let missing = on_conversation(2, &conversation(9, "call-9"));
    assert_eq!(place(&stores, &acme(), &missing).await, HoldOutcome::NoConversation);
    let released = [release(&stores, &acme(), &placed).await, release(&stores, &acme(), &placed).await];
    let records = stores.audit.records(&acme(), 0, 10).await.unwrap();
    let actions: Vec<_> = records.iter().map(|record| record.entry.action.as_str()).collect();
    assert_eq!((released, actions), ([true, false], vec!["hold.placed", "hold.released"]));
}

async fn a_held_conversation_is_not_erased(stores: TestStores) {
    let (on_hold, other) = (create(&stores, 1).await, create(&stores, 2).await);
    assert_eq!(place(&stores, &acme(), &on_conversation(1, &on_hold)).await, HoldOutcome::Placed);
    assert_eq!((erase(&stores, &on_hold).await, erase(&stores, &other).await), (ErasureOutcome::Held, ERASED));
    assert_eq!(stores.conversations.find(&acme(), &on_hold.id).await.unwrap(), Some(on_hold));
}

async fn conversations_of_a_held_customer_are_not_erased(stores: TestStores) {
    let earlier = create(&stores, 1).await;
    let customer = earlier.customer.external_id.as_str();
    assert_eq!(place(&stores, &acme(), &on_customer(1, customer)).await, HoldOutcome::Placed);
    let later = create(&stores, 2).await;
    let other = Conversation { customer: participant("customer-8", "Joan"), ..conversation(3, "call-3") };
    stores.create_conversation(&acme(), &other, from_micros(1)).await;
    assert_eq!(
        (erase(&stores, &earlier).await, erase(&stores, &later).await),
        (ErasureOutcome::Held, ErasureOutcome::Held)
    );
    assert_eq!(erase(&stores, &other).await, ERASED);
}

async fn a_conversation_that_passed_to_a_held_customer_is_not_erased(stores: TestStores) {
    let created = create(&stores, 1).await;
    assert_eq!(place(&stores, &acme(), &on_customer(1, "customer-8")).await, HoldOutcome::Placed);
    let passed = Conversation { customer: participant("customer-8", "Joan"), ..created };
    let upsert = Upsert { new_id: ConversationId::from_bits(99), ..upsert_for(&passed) };
    let _ = stores.conversations.upsert(&acme(), &upsert, from_micros(2), None).await.unwrap();
    assert_eq!(erase(&stores, &passed).await, ErasureOutcome::Held);
}

async fn a_hold_of_another_tenant_does_not_count(stores: TestStores) {
    let created = create(&stores, 1).await;
    let customer = created.customer.external_id.as_str();
    assert_eq!(place(&stores, &globex(), &on_customer(1, customer)).await, HoldOutcome::Placed);
    assert_eq!(erase(&stores, &created).await, ERASED);
}

async fn an_erasure_that_is_refused_leaves_no_trace(stores: TestStores) {
    let created = create(&stores, 1).await;
    assert_eq!(place(&stores, &acme(), &on_conversation(1, &created)).await, HoldOutcome::Placed);
    assert_eq!(erase(&stores, &created).await, ErasureOutcome::Held);
    assert!(!stores.erasures.is_erased(&acme(), &created.id).await.unwrap());
    assert_eq!(stores.audit.records(&acme(), 0, 10).await.unwrap().len(), 1);
}

async fn a_conversation_is_erased_after_its_last_hold_is_released(stores: TestStores) {
    let created = create(&stores, 1).await;
    let holds = [on_conversation(1, &created), on_conversation(2, &created)];
    for hold in &holds {
        assert_eq!(place(&stores, &acme(), hold).await, HoldOutcome::Placed);
    }
    let mut outcomes = Vec::new();
    for hold in &holds {
        assert!(release(&stores, &acme(), hold).await);
        outcomes.push(erase(&stores, &created).await);
    }
    assert_eq!(outcomes, [ErasureOutcome::Held, ERASED]);
}

async fn of_a_hold_and_a_racing_erasure_exactly_one_takes_effect(stores: TestStores) {
    let stores = Arc::new(stores);
    for number in 1..=16 {
        let created = create(&stores, number).await;
        let mut placing = JoinSet::new();
        for hold in 0..3 {
            let (stores, hold) = (Arc::clone(&stores), on_conversation(number * 10 + hold, &created));
            placing.spawn(async move { place(&stores, &acme(), &hold).await });
        }
        let erased = erase(&stores, &created).await;
        let placed = placing.join_all().await.into_iter().filter(|outcome| *outcome == HoldOutcome::Placed).count();
        let exists = stores.conversations.find(&acme(), &created.id).await.unwrap().is_some();
        let expected = if exists { (ErasureOutcome::Held, 3) } else { (ERASED, 0) };
        // Holds that were placed before the erasure prevent it; none can be placed after it.
        assert_eq!((erased, placed), expected);
    }
}
