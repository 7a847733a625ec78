//! Tests of the use cases of holds.

use std::sync::Arc;

use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    id::ConversationId,
    privacy::{
        Hold, HoldError, HoldId, HoldOutcome, HoldSubject, Holds, IdentifierDigest, MockHoldStore,
        MockIdentifierDigester, PrivacyReference,
    },
};
use pollster::block_on;

use super::{at, caller, clock, external_id, ids, tenant};

fn holds(store: MockHoldStore) -> Holds {
    let mut digester = MockIdentifierDigester::new();
    digester.expect_customer_digest().returning(|_, _| Ok(IdentifierDigest([0xab; 32])));
    Holds::new(Arc::new(store), Arc::new(digester), ids(), clock(9))
}

fn customer() -> HoldSubject {
    HoldSubject::Customer(external_id("customer-7"))
}

fn conversation() -> HoldSubject {
    HoldSubject::Conversation(ConversationId::from_bits(5))
}

fn place(holds: &Holds, subject: HoldSubject) -> Result<Hold, HoldError> {
    block_on(holds.place(&caller(), subject, PrivacyReference::parse("Case 17").unwrap()))
}

/// A store that places a hold whose audit entry has these details.
fn store_placing(details: String) -> MockHoldStore {
    let mut store = MockHoldStore::new();
    store
        .expect_place()
        .withf(move |owner, hold, entry| {
            *owner == tenant()
                && hold.created_at == at(9)
                && entry.subject == hold.id.as_str()
                && entry.details == details
        })
        .return_once(|_, _, _| Ok(HoldOutcome::Placed));
    store
}

#[test]
fn the_audit_entry_names_a_customer_by_the_keyed_digest() {
    let details = format!("on the customer with the digest {}, by a caller without a credential", "ab".repeat(32));
    let placed = place(&holds(store_placing(details)), customer()).unwrap();
    assert_eq!((placed.id, placed.subject), (HoldId::from_bits(7), customer()));
}

#[test]
fn the_audit_entry_names_a_conversation_by_its_id() {
    let id = ConversationId::from_bits(5);
    let details = format!("on the conversation {id}, by a caller without a credential");
    assert!(place(&holds(store_placing(details)), conversation()).is_ok());
}

#[test]
fn a_hold_on_a_missing_conversation_is_refused() {
    let mut store = MockHoldStore::new();
    store.expect_place().return_once(|_, _, _| Ok(HoldOutcome::NoConversation));
    assert!(matches!(place(&holds(store), conversation()), Err(HoldError::NoConversation)));
}

#[test]
fn a_customer_is_not_held_without_a_digest() {
    let mut digester = MockIdentifierDigester::new();
    let missing = || StoreError::new(StoreErrorKind::Unavailable, "no key");
    digester.expect_customer_digest().return_once(move |_, _| Err(missing()));
    let holds = Holds::new(Arc::new(MockHoldStore::new()), Arc::new(digester), ids(), clock(9));
    assert!(matches!(place(&holds, customer()), Err(HoldError::Store(_))));
}

#[test]
fn a_hold_that_does_not_exist_is_not_released() {
    let mut store = MockHoldStore::new();
    store.expect_release().return_once(|_, _, _| Ok(false));
    let released = block_on(holds(store).release(&caller(), &HoldId::from_bits(1)));
    assert!(matches!(released, Err(HoldError::NotFound)));
}
