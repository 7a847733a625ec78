//! Tests of the runs of several privacy requests of one tenant.

use std::sync::{Arc, Mutex};

use parlance_domain::{
    conversation::MockConversationStore,
    error::{StoreError, StoreErrorKind},
    event::MessageReference,
    id::{ConversationId, MessageId},
    message::MessagePosition,
    privacy::{
        DerivedDataKind, DueRequest, Erasures, IdentifierDigest, MockDeletedByteStore, MockDerivedData,
        MockErasureStore, MockIdentifierDigester, MockPrivacyRequestStore, MockSubjectStore, PrivacyCounts,
        PrivacyReference, PrivacyRequest, PrivacyRequestId, PrivacyRequestRunner, PrivacyRequestStatus,
        PrivacyRequestType, RemovalOutcome, RunProgress, SentMessages, WaitReason,
    },
    text::ExternalId,
};
use pollster::block_on;

use super::{at, clock, tenant};

type Calls = Arc<Mutex<Vec<&'static str>>>;

fn id(number: u128) -> PrivacyRequestId {
    PrivacyRequestId::from_bits(number)
}

fn due(kind: PrivacyRequestType, number: u128) -> DueRequest {
    let request = PrivacyRequest {
        id: id(number),
        kind,
        dry_run: false,
        subject: IdentifierDigest([9; 32]),
        reference: PrivacyReference::parse("CHG-7").unwrap(),
        status: PrivacyRequestStatus::Pending,
        waiting_for: None,
        failure: None,
        counts: PrivacyCounts::default(),
        requested_at: at(1),
        ended_at: None,
    };
    DueRequest { request, failed_runs: 0 }
}

/// The erasures 1 and 2.
fn erasures() -> [DueRequest; 2] {
    [1, 2].map(|number| due(PrivacyRequestType::Erasure, number))
}

/// The ports of the runs of a test. The customer of each request is called like its number.
struct Fixture {
    requests: MockPrivacyRequestStore,
    subjects: MockSubjectStore,
    feeds: MockDerivedData,
    deleted_bytes: MockDeletedByteStore,
    calls: Calls,
}

impl Fixture {
    /// Everything succeeds that a test does not change. No customer has a conversation, and what is counted is recorded.
    fn new(removal: Result<RemovalOutcome, StoreErrorKind>) -> Self {
        let (mut requests, calls) = (MockPrivacyRequestStore::new(), Calls::default());
        requests.expect_start().returning(|_, _| Ok(()));
        requests.expect_subject().returning(|_, id| {
            let number = (1..9).find(|number| *id == self::id(*number)).unwrap();
            Ok(Some(ExternalId::parse(number.to_string()).unwrap()))
        });
        requests.expect_set_waiting().returning(|_, _, _| Ok(()));
        requests.expect_set_counts().returning(|_, _, _| Ok(()));
        requests.expect_forget_subject().returning(|_, _| Ok(()));
        requests.expect_find().returning(|_, _| Ok(Some(due(PrivacyRequestType::Erasure, 1).request)));
        requests.expect_complete().returning(|_, _, _, _, _| Ok(true));
        let mut subjects = MockSubjectStore::new();
        let seen = Arc::clone(&calls);
        subjects.expect_wait_for_earlier_writes().returning(move || {
            seen.lock().unwrap().push("rows");
            Ok(())
        });
        subjects.expect_conversations_of().returning(|_, _, _| Ok(Vec::new()));
        let mut feeds = MockDerivedData::new();
        feeds.expect_kind().return_const(DerivedDataKind::Feeds);
        let seen = Arc::clone(&calls);
        feeds.expect_remove_erased().returning(move |_, recorder| {
            seen.lock().unwrap().push("feeds");
            block_on(recorder.record("a day"))?;
            removal.map_err(|kind| StoreError::new(kind, "a scripted failure"))
        });
        let (mut deleted_bytes, seen) = (MockDeletedByteStore::new(), Arc::clone(&calls));
        deleted_bytes.expect_remove_deleted_bytes().returning(move || {
            seen.lock().unwrap().push("bytes");
            Ok(true)
        });
        Self { requests, subjects, feeds, deleted_bytes, calls }
    }

    /// The periods of feeds count for these requests.
    fn counts_for(mut self, numbers: &'static [u128]) -> Self {
        let is_counted =
            |found: &[PrivacyRequestId]| found.iter().eq(numbers.iter().copied().map(id).collect::<Vec<_>>().iter());
        self.requests.expect_add_feed_period().withf(move |_, found, _| is_counted(found)).returning(|_, _, _| Ok(()));
        self
    }

    /// The customer with this name has messages in conversations of others that a hold protects.
    fn holds_messages_of(mut self, name: &'static str) -> Self {
        self.subjects.expect_messages_sent_by().returning(move |_, customer, _| {
            let message = MessageReference {
                conversation: ConversationId::from_bits(1),
                position: MessagePosition { sent_at: at(1), id: MessageId::from_bits(1) },
            };
            let on_hold = if customer.as_str() == name { vec![message] } else { Vec::new() };
            Ok(SentMessages { on_hold, ..SentMessages::default() })
        });
        self
    }

    fn run(self, due: &[DueRequest]) -> (Vec<Result<RunProgress, StoreErrorKind>>, Vec<&'static str>) {
        let Self { requests, subjects, feeds, deleted_bytes, calls } = self;
        let digester = Arc::new(MockIdentifierDigester::new());
        let (erasures, conversations) = (Arc::new(MockErasureStore::new()), Arc::new(MockConversationStore::new()));
        let runner = PrivacyRequestRunner::new(
            (Arc::new(requests), Arc::new(subjects), Arc::new(deleted_bytes)),
            Erasures::new(erasures, conversations, digester, clock(9)),
            vec![Arc::new(feeds)],
            (None, Vec::new()),
            clock(9),
        );
        let results = block_on(runner.run(&tenant(), due)).into_iter();
        let results = results.map(|result| result.map_err(|error| error.kind())).collect();
        drop(runner);
        (results, Arc::into_inner(calls).unwrap().into_inner().unwrap())
    }
}

const DONE: Result<RemovalOutcome, StoreErrorKind> = Ok(RemovalOutcome::Done(0));

#[test]
fn the_feeds_are_written_once_after_the_rows_of_all_customers_are_erased() {
    let (results, calls) = Fixture::new(DONE).counts_for(&[1, 2]).holds_messages_of("nobody").run(&erasures());
    assert_eq!(results, [Ok(RunProgress::Completed), Ok(RunProgress::Completed)]);
    assert_eq!(calls, ["rows", "rows", "feeds", "bytes"]);
}

#[test]
fn an_erasure_that_a_hold_delays_does_not_delay_the_others_and_counts_no_period() {
    let (results, _) = Fixture::new(DONE).counts_for(&[2]).holds_messages_of("1").run(&erasures());
    assert_eq!(results, [Ok(RunProgress::Waiting(WaitReason::Hold)), Ok(RunProgress::Completed)]);
}

#[test]
fn a_request_whose_rows_cannot_be_read_does_not_delay_the_others() {
    let mut fixture = Fixture::new(DONE).counts_for(&[2]);
    fixture.subjects.expect_messages_sent_by().returning(|_, customer, _| match customer.as_str() {
        "1" => Err(StoreError::new(StoreErrorKind::Corrupt, "a scripted failure")),
        _ => Ok(SentMessages::default()),
    });
    let (results, _) = fixture.run(&erasures());
    assert_eq!(results, [Err(StoreErrorKind::Corrupt), Ok(RunProgress::Completed)]);
}

#[test]
fn all_erasures_wait_for_feeds_that_another_run_writes() {
    let fixture = Fixture::new(Ok(RemovalOutcome::Waiting)).counts_for(&[1, 2]).holds_messages_of("nobody");
    let waiting = Ok(RunProgress::Waiting(WaitReason::Feeds));
    assert_eq!(fixture.run(&erasures()), (vec![waiting, waiting], vec!["rows", "rows", "feeds"]));
}

#[test]
fn an_error_of_the_feeds_is_reported_once_and_the_other_erasures_wait_for_them() {
    let fixture = Fixture::new(Err(StoreErrorKind::Unavailable)).counts_for(&[1, 2]).holds_messages_of("nobody");
    let (results, _) = fixture.run(&erasures());
    assert_eq!(results, [Err(StoreErrorKind::Unavailable), Ok(RunProgress::Waiting(WaitReason::Feeds))]);
}

#[test]
fn all_erasures_wait_for_readers_of_the_deleted_bytes() {
    let mut fixture = Fixture::new(DONE).counts_for(&[1, 2]).holds_messages_of("nobody");
    fixture.deleted_bytes = MockDeletedByteStore::new();
    fixture.deleted_bytes.expect_remove_deleted_bytes().once().returning(|| Ok(false));
    let waiting = Ok(RunProgress::Waiting(WaitReason::Readers));
    assert_eq!(fixture.run(&erasures()).0, [waiting, waiting]);
}

#[test]
fn an_access_request_touches_neither_feeds_nor_deleted_bytes() {
    let fixture = Fixture::new(DONE).holds_messages_of("nobody");
    assert_eq!(fixture.run(&[due(PrivacyRequestType::Access, 1)]), (vec![Ok(RunProgress::Completed)], Vec::new()));
}
