//! Requests that are sent more than once.

use std::{cell::Cell, sync::Arc};

use mockall::Sequence;
use parlance_domain::{
    access::Permission,
    error::{Conflict, Error},
    limits::RECEIPT_SECONDS,
    retry::{Answer, Attempt, Claim, KeyDigest, MockReceiptStore, Operation, Receipt, Repeats, RequestDigest},
    time::Timestamp,
};
use pollster::block_on;

use super::{at, caller, clock};

const OPERATION: Operation = Operation::CreateMessage;
const NOW: i64 = 200_000;

fn repeats(store: MockReceiptStore) -> Repeats {
    Repeats::new(Arc::new(store), clock(NOW))
}

fn attempt(request: u8) -> Attempt {
    let [meaning, bytes] = [request, request + 100].map(|byte| [byte; 32]);
    Attempt {
        key: KeyDigest([1; 32]),
        request: RequestDigest::OfMeaning(meaning),
        earlier: RequestDigest::OfBytes(bytes),
    }
}

fn receipt(request: u8, at: Timestamp) -> Receipt {
    let (key, request) = (KeyDigest([1; 32]), RequestDigest::OfMeaning([request; 32]));
    Receipt { operation: OPERATION, key, request, ids: vec!["FIRST".to_owned()], at }
}

fn that_finds(found: Option<Receipt>) -> MockReceiptStore {
    let mut store = MockReceiptStore::new();
    store.expect_find().return_once(|_, _, _| Ok(found));
    store
}

fn first(ids: &[&str]) -> Answer {
    Answer { ids: ids.iter().map(|id| (*id).to_owned()).collect(), replayed: false }
}

fn replayed() -> Answer {
    Answer { ids: vec!["FIRST".to_owned()], replayed: true }
}

async fn create(_: Option<Claim>) -> Result<Vec<String>, Error> {
    Ok(vec!["NEW".to_owned()])
}

/// Its failure is what a test sees where it is carried out.
async fn fail_if_asked(_: Option<Claim>) -> Result<Vec<String>, Error> {
    Err(Error::Unauthenticated)
}

async fn find_the_key_taken(_: Option<Claim>) -> Result<Vec<String>, Error> {
    Err(Error::Conflict(Conflict::KeyTaken))
}

fn once(
    repeats: &Repeats,
    attempt: impl Into<Option<Attempt>>,
    work: impl AsyncFnOnce(Option<Claim>) -> Result<Vec<String>, Error>,
) -> Result<Answer, Error> {
    block_on(repeats.once(&caller(&[Permission::WriteConversations]), OPERATION, attempt.into(), work))
}

#[test]
fn the_first_request_of_a_key_is_carried_out() {
    assert_eq!(once(&repeats(that_finds(None)), attempt(1), create).unwrap(), first(&["NEW"]));
}

#[test]
fn the_claim_of_a_request_makes_a_receipt_of_what_it_created() {
    let kept = Cell::new(None);
    let work = async |claim: Option<Claim>| {
        kept.set(claim.map(|claim| claim.receipt(vec!["FIRST".to_owned()])));
        Ok(Vec::new())
    };
    once(&repeats(that_finds(None)), attempt(7), work).unwrap();
    assert_eq!(kept.take(), Some(receipt(7, at(NOW))));
}

#[test]
fn without_a_key_a_request_is_carried_out_each_time_and_no_receipt_is_looked_for() {
    let repeats = repeats(MockReceiptStore::new());
    for _ in 0..2 {
        assert_eq!(once(&repeats, None, create).unwrap(), first(&["NEW"]));
    }
}

#[test]
fn a_repeat_is_answered_as_the_first_was_and_not_carried_out() {
    let store = that_finds(Some(receipt(1, at(NOW - 1))));
    assert_eq!(once(&repeats(store), attempt(1), fail_if_asked).unwrap(), replayed());
}

#[test]
fn a_receipt_of_version_1_is_that_of_the_request_with_the_same_bytes() {
    let stored = |request| Receipt { request: RequestDigest::OfBytes([request; 32]), ..receipt(1, at(NOW - 1)) };
    assert_eq!(once(&repeats(that_finds(Some(stored(101)))), attempt(1), fail_if_asked).unwrap(), replayed());
    for other in [1, 102] {
        let answer = once(&repeats(that_finds(Some(stored(other)))), attempt(1), fail_if_asked);
        assert!(matches!(answer, Err(Error::KeyReused)), "{other}");
    }
}

#[test]
fn another_request_under_a_used_key_is_refused() {
    let store = that_finds(Some(receipt(2, at(NOW - 1))));
    assert!(matches!(once(&repeats(store), attempt(1), fail_if_asked), Err(Error::KeyReused)));
}

#[test]
fn a_receipt_holds_for_24_hours() {
    let store = that_finds(Some(receipt(1, at(NOW - RECEIPT_SECONDS + 1))));
    assert_eq!(once(&repeats(store), attempt(1), fail_if_asked).unwrap(), replayed());
    let store = that_finds(Some(receipt(2, at(NOW - RECEIPT_SECONDS))));
    assert_eq!(once(&repeats(store), attempt(1), create).unwrap(), first(&["NEW"]));
}

#[test]
fn a_key_whose_request_is_still_carried_out_is_a_conflict() {
    let mut store = MockReceiptStore::new();
    store.expect_find().returning(|_, _, _| Ok(None));
    let repeats = repeats(store);
    let meanwhile = async |_: Option<Claim>| {
        let second = once(&repeats, attempt(1), fail_if_asked);
        assert!(matches!(second, Err(Error::Conflict(Conflict::StillRunning))));
        Ok(vec!["NEW".to_owned()])
    };
    assert_eq!(once(&repeats, attempt(1), meanwhile).unwrap(), first(&["NEW"]));
    assert_eq!(once(&repeats, attempt(1), create).unwrap(), first(&["NEW"]), "the key is free again");
}

#[test]
fn a_request_that_failed_frees_its_key() {
    let mut store = MockReceiptStore::new();
    store.expect_find().returning(|_, _, _| Ok(None));
    let repeats = repeats(store);
    let fail = async |_: Option<Claim>| Err(Error::Conflict(Conflict::PhraseTaken));
    assert!(matches!(once(&repeats, attempt(1), fail), Err(Error::Conflict(Conflict::PhraseTaken))));
    assert_eq!(once(&repeats, attempt(1), create).unwrap(), first(&["NEW"]));
}

#[test]
fn a_request_that_another_process_was_quicker_with_is_answered_as_that_was() {
    let mut store = MockReceiptStore::new();
    let mut order = Sequence::new();
    store.expect_find().times(1).in_sequence(&mut order).return_once(|_, _, _| Ok(None));
    store.expect_find().times(1).in_sequence(&mut order).return_once(|_, _, _| Ok(Some(receipt(1, at(NOW)))));
    assert_eq!(once(&repeats(store), attempt(1), find_the_key_taken).unwrap(), replayed());
}

#[test]
fn a_repeat_needs_the_permission_of_its_operation() {
    let reader = caller(&[Permission::ReadConversations]);
    let outcome = block_on(repeats(MockReceiptStore::new()).once(&reader, OPERATION, Some(attempt(1)), fail_if_asked));
    assert!(matches!(outcome, Err(Error::Denied(_))));
}

#[test]
fn receipts_that_hold_no_longer_are_forgotten() {
    let mut store = MockReceiptStore::new();
    store.expect_forget().withf(|up_to| *up_to == at(NOW - RECEIPT_SECONDS)).return_once(|_| Ok(3));
    assert_eq!(block_on(repeats(store).forget()).unwrap(), 3);
}
