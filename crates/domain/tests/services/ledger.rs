//! Tests of the use cases of the ledger of erasures.

use std::{collections::BTreeSet, sync::Arc};

use mockall::Sequence;
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    id::{MessageId, MockIdSource},
    privacy::{
        ErasedPart, Erasure, IdentifierDigest, Ledger, LedgerCheck, LedgerContent, LedgerEntry, LedgerError,
        LedgerObjectId, LedgerReport, MockDeletedByteStore, MockErasureLedger, MockLedgerStore,
    },
};
use pollster::block_on;

use super::{at, authenticator, clock, conversation, tenant};

fn erasure() -> Erasure {
    Erasure { conversation: conversation(1, "call-1").id, digest: IdentifierDigest([5; 32]), at: at(3), request: None }
}

fn entry() -> LedgerEntry {
    LedgerEntry::of_conversation(&tenant(), &erasure())
}

fn object(bits: u128) -> LedgerObjectId {
    LedgerObjectId::from_bits(bits)
}

fn objects(bits: &[u128]) -> BTreeSet<LedgerObjectId> {
    bits.iter().map(|bits| object(*bits)).collect()
}

/// An object with this entry, as the service writes it.
fn content(object: &LedgerObjectId, entry: LedgerEntry) -> LedgerContent {
    LedgerContent::new(object, vec![entry], &authenticator()).unwrap()
}

/// The service over a database that removes deleted bytes.
fn service(ledger: MockErasureLedger, store: MockLedgerStore) -> Ledger {
    let mut deleted_bytes = MockDeletedByteStore::new();
    deleted_bytes.expect_remove_deleted_bytes().returning(|| Ok(true));
    service_with(ledger, store, deleted_bytes)
}

fn service_with(ledger: MockErasureLedger, store: MockLedgerStore, deleted_bytes: MockDeletedByteStore) -> Ledger {
    let mut ids = MockIdSource::new();
    ids.expect_next().returning(|_| 7);
    let ledger = (Arc::new(ledger) as Arc<_>, Arc::new(authenticator()) as Arc<_>);
    Ledger::new(ledger, (Arc::new(store), Arc::new(deleted_bytes)), Arc::new(ids), clock(9))
}

/// A ledger with an object that the database has not recorded, and a database that erases what it names.
fn unrecorded_erasure() -> (MockErasureLedger, MockLedgerStore) {
    let (mut ledger, mut store) = (MockErasureLedger::new(), MockLedgerStore::new());
    ledger.expect_objects().returning(|| Ok(objects(&[1])));
    ledger.expect_read().returning(|read| Ok(content(read, entry())));
    store.expect_recorded_objects().returning(|| Ok(BTreeSet::new()));
    store.expect_apply_erasure().returning(|_, _, _| Ok(true));
    (ledger, store)
}

fn failure() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "away")
}

#[test]
fn a_queued_entry_leaves_the_queue_after_it_is_written() {
    let (mut ledger, mut store, mut order) = (MockErasureLedger::new(), MockLedgerStore::new(), Sequence::new());
    store.expect_queued().once().in_sequence(&mut order).returning(|_| Ok(vec![entry()]));
    let is_written = |written: &LedgerObjectId, given: &LedgerContent| {
        *written == object(7) && *given == content(&object(7), entry())
    };
    ledger.expect_write().withf(is_written).once().in_sequence(&mut order).returning(|_, _| Ok(()));
    let is_recorded = |written: &LedgerObjectId, entries: &[LedgerEntry]| *written == object(7) && entries == [entry()];
    store.expect_record_object().withf(is_recorded).once().in_sequence(&mut order).returning(|_, _| Ok(()));
    store.expect_queued().once().in_sequence(&mut order).returning(|_| Ok(Vec::new()));
    assert_eq!(block_on(service(ledger, store).write_queued()).unwrap(), 1);
}

#[test]
fn an_entry_stays_queued_if_the_ledger_fails() {
    let (mut ledger, mut store) = (MockErasureLedger::new(), MockLedgerStore::new());
    store.expect_queued().returning(|_| Ok(vec![entry()]));
    ledger.expect_write().returning(|_, _| Err(failure()));
    assert!(matches!(block_on(service(ledger, store).write_queued()), Err(LedgerError::Ledger(_))));
}

#[test]
fn only_objects_that_the_database_lacks_are_applied() {
    let (mut ledger, mut store) = (MockErasureLedger::new(), MockLedgerStore::new());
    ledger.expect_objects().returning(|| Ok(objects(&[1, 2])));
    store.expect_recorded_objects().returning(|| Ok(objects(&[1, 3])));
    ledger.expect_read().withf(|read| *read == object(2)).once().returning(|read| Ok(content(read, entry())));
    store
        .expect_apply_erasure()
        .withf(|owner, applied, audit| {
            *owner == tenant()
                && *applied == erasure()
                && audit.at == at(9)
                && audit.details.contains("from the ledger")
        })
        .once()
        .returning(|_, _, _| Ok(true));
    store
        .expect_record_object()
        .withf(|recorded, written| *recorded == object(2) && written.is_empty())
        .once()
        .returning(|_, _| Ok(()));
    store.expect_requeue().never();
    let report = block_on(service(ledger, store).apply()).unwrap();
    assert_eq!(report, LedgerReport { applied: 1, missing_objects: 1, ..LedgerReport::default() });
}

#[test]
fn an_object_is_recorded_after_the_bytes_of_what_it_erased_are_removed() {
    let ((ledger, mut store), mut deleted_bytes) = (unrecorded_erasure(), MockDeletedByteStore::new());
    let mut order = Sequence::new();
    deleted_bytes.expect_remove_deleted_bytes().once().in_sequence(&mut order).returning(|| Ok(true));
    store.expect_record_object().once().in_sequence(&mut order).returning(|_, _| Ok(()));
    assert_eq!(block_on(service_with(ledger, store, deleted_bytes).apply()).unwrap().applied, 1);
}

#[test]
fn an_object_whose_bytes_cannot_be_removed_is_not_recorded() {
    for outcome in [Ok(false), Err(failure())] {
        let ((ledger, mut store), mut deleted_bytes) = (unrecorded_erasure(), MockDeletedByteStore::new());
        deleted_bytes.expect_remove_deleted_bytes().return_once(|| outcome);
        store.expect_record_object().never();
        let report = block_on(service_with(ledger, store, deleted_bytes).apply()).unwrap();
        assert_eq!(report, LedgerReport { applied: 1, has_bytes_left: true, ..LedgerReport::default() });
    }
}

#[test]
fn no_bytes_are_removed_if_the_database_has_recorded_every_object() {
    let (mut ledger, mut store) = (MockErasureLedger::new(), MockLedgerStore::new());
    ledger.expect_objects().returning(|| Ok(objects(&[1])));
    store.expect_recorded_objects().returning(|| Ok(objects(&[1])));
    let service = service_with(ledger, store, MockDeletedByteStore::new());
    assert_eq!(block_on(service.apply()).unwrap(), LedgerReport::default());
}

#[test]
fn a_message_of_the_ledger_is_removed() {
    let (mut ledger, mut store) = (MockErasureLedger::new(), MockLedgerStore::new());
    let message = MessageId::from_bits(4);
    let entry = LedgerEntry { erased: ErasedPart::Message(conversation(1, "call-1").id, message.clone()), ..entry() };
    ledger.expect_objects().returning(|| Ok(objects(&[1])));
    store.expect_recorded_objects().returning(|| Ok(BTreeSet::new()));
    ledger.expect_read().return_once(|read| Ok(content(read, entry)));
    store.expect_remove_message().withf(move |_, _, removed| *removed == message).once().returning(|_, _, _| Ok(true));
    store.expect_record_object().returning(|_, _| Ok(()));
    assert_eq!(block_on(service(ledger, store).apply()).unwrap().applied, 1);
}

#[test]
fn an_object_with_a_malformed_line_is_not_recorded() {
    let (mut ledger, mut store) = (MockErasureLedger::new(), MockLedgerStore::new());
    ledger.expect_objects().returning(|| Ok(objects(&[1])));
    store.expect_recorded_objects().returning(|| Ok(BTreeSet::new()));
    ledger.expect_read().returning(|read| Err(LedgerError::Malformed { object: read.clone(), line: 2 }));
    let error = block_on(service(ledger, store).apply()).unwrap_err();
    assert_eq!(error.to_string(), format!("line 2 of {}.jsonl is not an entry of the ledger", object(1)));
}

#[test]
fn all_erasures_are_queued_again_only_if_an_object_is_missing() {
    for (recorded, requeues) in [(&[1, 3][..], 1), (&[1], 0)] {
        let (mut ledger, mut store) = (MockErasureLedger::new(), MockLedgerStore::new());
        ledger.expect_objects().returning(|| Ok(objects(&[1, 2])));
        store.expect_recorded_objects().returning(move || Ok(objects(recorded)));
        store.expect_requeue().withf(|missing| *missing == objects(&[3])).times(requeues).returning(|_| Ok(()));
        block_on(service(ledger, store).requeue_missing()).unwrap();
    }
}

/// Objects that the service did not write as they are, each with whether it has a code.
fn unauthenticated() -> [(LedgerContent, bool); 4] {
    let written = content(&object(1), entry());
    let other = LedgerEntry { at: at(4), ..entry() };
    [
        (LedgerContent { code: None, ..written.clone() }, false),
        (LedgerContent { code: Some([1; 32]), ..written.clone() }, true),
        (LedgerContent { entries: vec![other], ..written }, true),
        (content(&object(2), entry()), true),
    ]
}

/// A ledger with this object, and a database that has recorded these.
fn with_object(content: LedgerContent, recorded: &'static [u128]) -> (MockErasureLedger, MockLedgerStore) {
    let (mut ledger, mut store) = (MockErasureLedger::new(), MockLedgerStore::new());
    ledger.expect_objects().returning(|| Ok(objects(&[1])));
    ledger.expect_read().returning(move |_| Ok(content.clone()));
    store.expect_recorded_objects().returning(move || Ok(objects(recorded)));
    (ledger, store)
}

#[test]
fn an_object_that_the_service_did_not_write_is_not_applied() {
    for (content, has_code) in unauthenticated() {
        let (ledger, store) = with_object(content.clone(), &[]);
        let error = block_on(service(ledger, store).apply()).unwrap_err();
        assert_eq!(matches!(error, LedgerError::WrongCode { .. }), has_code, "{error}");
        assert_eq!(matches!(error, LedgerError::NoCode { .. }), !has_code, "{error}");
        let (ledger, store) = with_object(content, &[]);
        assert!(block_on(service(ledger, store).check()).is_err());
    }
}

#[test]
fn an_object_without_a_valid_code_is_applied_and_recorded_if_the_operator_accepts_it() {
    for (content, _) in unauthenticated() {
        let (ledger, mut store) = with_object(content, &[]);
        store.expect_apply_erasure().once().returning(|_, _, _| Ok(true));
        store.expect_record_object().once().returning(|_, _| Ok(()));
        let report = block_on(service(ledger, store).apply_unauthenticated()).unwrap();
        assert_eq!(report, LedgerReport { applied: 1, unauthenticated_objects: 1, ..LedgerReport::default() });
    }
}

#[test]
fn an_object_that_the_database_has_recorded_needs_no_code() {
    for (content, _) in unauthenticated() {
        let (ledger, store) = with_object(content.clone(), &[1, 3]);
        assert_eq!(block_on(service(ledger, store).apply()).unwrap().missing_objects, 1);
        let (ledger, store) = with_object(content, &[1, 3]);
        let check = LedgerCheck { objects: 1, missing_objects: 1, unauthenticated_objects: 1 };
        assert_eq!(block_on(service(ledger, store).check()).unwrap(), check);
    }
}
