//! Tests of idempotency: requests that are sent more than once with one key.

use std::{cell::Cell, sync::Arc};

use mockall::Sequence;
use parlance_domain::{
    access::WriteConversations,
    id::{ConversationId, MessageId},
    idempotency::{
        CanonicalForm, Canonicalize, Claim, Idempotency, IdempotencyRecord, IdempotentRequest, IdempotentResponse,
        KeyDigest, KeyRefusal, MockIdempotencyStore, Operation, OperationRequest, RequestDigest,
    },
    limits::IDEMPOTENCY_RECORD_SECONDS,
    message::{AppendError, MessagePosition},
    privacy::MockErasureStore,
    time::Timestamp,
};
use pollster::block_on;

use super::{at, caller, clock};

const OPERATION: Operation = Operation::CreateMessage;
const NOW: i64 = 200_000;

/// A request without content.
struct EmptyRequest;

impl Canonicalize for EmptyRequest {
    fn write_canonical(&self, _: &mut CanonicalForm) {}
}

impl OperationRequest for EmptyRequest {
    const OPERATION: Operation = OPERATION;
    type Permission = WriteConversations;
}

fn idempotency(store: MockIdempotencyStore) -> Idempotency {
    Idempotency::new(Arc::new(store), clock(NOW))
}

fn keyed_request(request: u8) -> IdempotentRequest {
    let [meaning, bytes] = [request, request + 100].map(|byte| [byte; 32]);
    IdempotentRequest {
        key: KeyDigest([1; 32]),
        digest: RequestDigest::Canonical(meaning),
        legacy_digest: RequestDigest::Body(bytes),
    }
}

fn record(request: u8, at: Timestamp) -> IdempotencyRecord {
    let (key, request) = (KeyDigest([1; 32]), RequestDigest::Canonical([request; 32]));
    IdempotencyRecord { operation: OPERATION, key, digest: request, ids: vec!["FIRST".to_owned()], at }
}

fn store_with(record: Option<IdempotencyRecord>) -> MockIdempotencyStore {
    let mut store = MockIdempotencyStore::new();
    store.expect_find().return_once(|_, _, _| Ok(record));
    store
}

fn executed(ids: &[&str]) -> IdempotentResponse {
    IdempotentResponse { ids: ids.iter().map(|id| (*id).to_owned()).collect(), replayed: false }
}

fn replayed() -> IdempotentResponse {
    IdempotentResponse { ids: vec!["FIRST".to_owned()], replayed: true }
}

async fn create(_: EmptyRequest, _: Option<Claim>) -> Result<Vec<String>, AppendError> {
    Ok(vec!["NEW".to_owned()])
}

/// Work that must not run: its error shows in the test if it does.
async fn fail_if_executed(_: EmptyRequest, _: Option<Claim>) -> Result<Vec<String>, AppendError> {
    Err(AppendError::NoConversation)
}

async fn fail_with_taken_key(_: EmptyRequest, _: Option<Claim>) -> Result<Vec<String>, AppendError> {
    Err(AppendError::Key(KeyRefusal::Taken))
}

fn execute(
    idempotency: &Idempotency,
    keyed_request: impl Into<Option<IdempotentRequest>>,
    work: impl AsyncFnOnce(EmptyRequest, Option<Claim>) -> Result<Vec<String>, AppendError>,
) -> Result<IdempotentResponse, AppendError> {
    block_on(idempotency.execute(&caller(), (EmptyRequest, None), keyed_request.into(), work))
}

#[test]
fn the_first_request_with_a_key_is_executed() {
    assert_eq!(execute(&idempotency(store_with(None)), keyed_request(1), create).unwrap(), executed(&["NEW"]));
}

#[test]
fn the_claim_of_a_request_makes_a_record_of_the_created_ids() {
    let stored_record = Cell::new(None);
    let work = async |_, claim: Option<Claim>| {
        stored_record.set(claim.map(|claim| claim.into_record(vec!["FIRST".to_owned()])));
        Ok(Vec::new())
    };
    execute(&idempotency(store_with(None)), keyed_request(7), work).unwrap();
    assert_eq!(stored_record.take(), Some(record(7, at(NOW))));
}

#[test]
fn without_a_key_a_request_is_executed_each_time_and_no_record_is_read() {
    let idempotency = idempotency(MockIdempotencyStore::new());
    for _ in 0..2 {
        assert_eq!(execute(&idempotency, None, create).unwrap(), executed(&["NEW"]));
    }
}

#[test]
fn a_repeated_request_gets_the_first_response_and_is_not_executed() {
    let store = store_with(Some(record(1, at(NOW - 1))));
    assert_eq!(execute(&idempotency(store), keyed_request(1), fail_if_executed).unwrap(), replayed());
}

#[test]
fn a_record_of_version_1_matches_the_request_with_the_same_bytes() {
    let stored = |request| IdempotencyRecord { digest: RequestDigest::Body([request; 32]), ..record(1, at(NOW - 1)) };
    assert_eq!(
        execute(&idempotency(store_with(Some(stored(101)))), keyed_request(1), fail_if_executed).unwrap(),
        replayed()
    );
    for request in [1, 102] {
        let response = execute(&idempotency(store_with(Some(stored(request)))), keyed_request(1), fail_if_executed);
        assert!(matches!(response, Err(AppendError::Key(KeyRefusal::Reused))), "{request}");
    }
}

#[test]
fn a_different_request_with_a_used_key_is_refused() {
    let store = store_with(Some(record(2, at(NOW - 1))));
    assert!(matches!(
        execute(&idempotency(store), keyed_request(1), fail_if_executed),
        Err(AppendError::Key(KeyRefusal::Reused))
    ));
}

#[test]
fn a_record_is_valid_for_24_hours() {
    let store = store_with(Some(record(1, at(NOW - IDEMPOTENCY_RECORD_SECONDS + 1))));
    assert_eq!(execute(&idempotency(store), keyed_request(1), fail_if_executed).unwrap(), replayed());
    let store = store_with(Some(record(2, at(NOW - IDEMPOTENCY_RECORD_SECONDS))));
    assert_eq!(execute(&idempotency(store), keyed_request(1), create).unwrap(), executed(&["NEW"]));
}

#[test]
fn a_key_whose_request_is_still_running_is_a_conflict() {
    let mut store = MockIdempotencyStore::new();
    store.expect_find().returning(|_, _, _| Ok(None));
    let idempotency = idempotency(store);
    let run_second_request = async |_, _: Option<Claim>| {
        let second = execute(&idempotency, keyed_request(1), fail_if_executed);
        assert!(matches!(second, Err(AppendError::Key(KeyRefusal::InProgress))));
        Ok(vec!["NEW".to_owned()])
    };
    assert_eq!(execute(&idempotency, keyed_request(1), run_second_request).unwrap(), executed(&["NEW"]));
    assert_eq!(
        execute(&idempotency, keyed_request(1), create).unwrap(),
        executed(&["NEW"]),
        "the key can be used again"
    );
}

#[test]
fn a_request_that_failed_frees_its_key() {
    let mut store = MockIdempotencyStore::new();
    store.expect_find().returning(|_, _, _| Ok(None));
    let idempotency = idempotency(store);
    let fail = async |_, _: Option<Claim>| Err(AppendError::NoConversation);
    assert!(matches!(execute(&idempotency, keyed_request(1), fail), Err(AppendError::NoConversation)));
    assert_eq!(execute(&idempotency, keyed_request(1), create).unwrap(), executed(&["NEW"]));
}

#[test]
fn a_request_that_another_process_executed_first_gets_its_response() {
    let mut store = MockIdempotencyStore::new();
    let mut order = Sequence::new();
    store.expect_find().times(1).in_sequence(&mut order).return_once(|_, _, _| Ok(None));
    store.expect_find().times(1).in_sequence(&mut order).return_once(|_, _, _| Ok(Some(record(1, at(NOW)))));
    assert_eq!(execute(&idempotency(store), keyed_request(1), fail_with_taken_key).unwrap(), replayed());
}

#[test]
fn expired_records_are_purged() {
    let mut store = MockIdempotencyStore::new();
    store.expect_purge().withf(|before| *before == at(NOW - IDEMPOTENCY_RECORD_SECONDS)).return_once(|_| Ok(3));
    assert_eq!(block_on(idempotency(store).purge_expired()).unwrap(), 3);
}

#[test]
fn a_repeat_of_what_was_erased_is_refused() {
    let conversation = ConversationId::from_bits(4);
    let execute = |is_erased| {
        let mut erasures = MockErasureStore::new();
        erasures
            .expect_is_erased()
            .withf(|_, id| *id == ConversationId::from_bits(4))
            .return_once(move |_, _| Ok(is_erased));
        erasures.expect_erased_messages().returning(|_, _| Ok([].into()));
        let idempotency = idempotency(store_with(Some(record(7, at(NOW - 1))))).with_erasures(Arc::new(erasures));
        let request = (EmptyRequest, Some(&conversation));
        block_on(idempotency.execute(&caller(), request, Some(keyed_request(7)), fail_if_executed))
    };
    assert_eq!(execute(false).unwrap(), replayed());
    assert!(matches!(execute(true), Err(AppendError::Key(KeyRefusal::Erased))));
}

#[test]
fn a_repeat_of_a_message_that_was_erased_alone_is_refused() {
    let conversation = ConversationId::from_bits(4);
    let mut erasures = MockErasureStore::new();
    erasures.expect_is_erased().returning(|_, _| Ok(false));
    let id = MessageId::parse(record(7, at(NOW - 1)).ids[0].as_str()).unwrap();
    let erased = MessagePosition { sent_at: at(NOW), id };
    erasures.expect_erased_messages().return_once(move |_, _| Ok([erased].into()));
    let idempotency = idempotency(store_with(Some(record(7, at(NOW - 1))))).with_erasures(Arc::new(erasures));
    let request = (EmptyRequest, Some(&conversation));
    let outcome = block_on(idempotency.execute(&caller(), request, Some(keyed_request(7)), fail_if_executed));
    assert!(matches!(outcome, Err(AppendError::Key(KeyRefusal::Erased))));
}
