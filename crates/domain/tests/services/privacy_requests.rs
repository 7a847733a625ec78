//! Tests of the runs of privacy requests that another run or an operator ends meanwhile.

use std::sync::Arc;

use parlance_domain::{
    conversation::MockConversationStore,
    error::{StoreError, StoreErrorKind},
    limits::PRIVACY_REQUEST_MAX_FAILED_RUNS,
    privacy::{
        DueRequest, Erasures, FailureReason, IdentifierDigest, MockDeletedByteStore, MockErasureStore,
        MockIdentifierDigester, MockPrivacyRequestStore, MockSubjectStore, PrivacyCounts, PrivacyReference,
        PrivacyRequest, PrivacyRequestId, PrivacyRequestRunner, PrivacyRequestStatus, PrivacyRequestType, RunProgress,
    },
};
use pollster::block_on;

use super::{at, clock, tenant};

fn request(status: PrivacyRequestStatus, failure: Option<FailureReason>) -> PrivacyRequest {
    PrivacyRequest {
        id: PrivacyRequestId::from_bits(7),
        kind: PrivacyRequestType::Access,
        dry_run: false,
        subject: IdentifierDigest([9; 32]),
        reference: PrivacyReference::parse("CHG-7").unwrap(),
        status,
        waiting_for: None,
        failure,
        counts: PrivacyCounts::default(),
        requested_at: at(1),
        ended_at: None,
    }
}

/// Runs a request for the last allowed time.
fn run(mut store: MockPrivacyRequestStore) -> Result<RunProgress, StoreError> {
    store.expect_start().returning(|_, _| Ok(()));
    let digester = Arc::new(MockIdentifierDigester::new());
    let (erasures, conversations) = (Arc::new(MockErasureStore::new()), Arc::new(MockConversationStore::new()));
    let runner = PrivacyRequestRunner::new(
        (Arc::new(store), Arc::new(MockSubjectStore::new()), Arc::new(MockDeletedByteStore::new())),
        Erasures::new(erasures, conversations, digester, clock(9)),
        Vec::new(),
        (None, Vec::new()),
        clock(9),
    );
    let request = request(PrivacyRequestStatus::Running, None);
    let due = DueRequest { request, failed_runs: PRIVACY_REQUEST_MAX_FAILED_RUNS - 1 };
    block_on(runner.run(&tenant(), &[due])).pop().unwrap()
}

/// The ends of a request by others, each with what a run says then.
fn ends() -> [(PrivacyRequest, RunProgress); 2] {
    let reason = FailureReason::InternalError;
    [
        (request(PrivacyRequestStatus::Completed, None), RunProgress::Completed),
        (request(PrivacyRequestStatus::Failed, Some(reason)), RunProgress::Failed(reason)),
    ]
}

#[test]
fn a_run_that_cannot_fail_its_request_because_it_has_ended_says_how_it_ended() {
    for (ended, progress) in ends() {
        let mut store = MockPrivacyRequestStore::new();
        store.expect_subject().returning(|_, _| Err(StoreError::new(StoreErrorKind::Corrupt, "a subject")));
        store.expect_fail().once().returning(|_, _, _, _| Ok(false));
        store.expect_find().returning(move |_, _| Ok(Some(ended.clone())));
        assert_eq!(run(store).unwrap(), progress);
    }
}

#[test]
fn a_run_that_cannot_complete_its_request_because_it_has_ended_says_how_it_ended() {
    for (ended, progress) in ends() {
        let mut store = MockPrivacyRequestStore::new();
        store.expect_subject().returning(|_, _| Ok(None));
        store.expect_complete().once().returning(|_, _, _, _, _| Ok(false));
        store.expect_find().returning(move |_, _| Ok(Some(ended.clone())));
        assert_eq!(run(store).unwrap(), progress);
    }
}

#[test]
fn a_request_that_is_gone_is_an_error() {
    let mut store = MockPrivacyRequestStore::new();
    store.expect_subject().returning(|_, _| Err(StoreError::new(StoreErrorKind::Corrupt, "a subject")));
    store.expect_fail().returning(|_, _, _, _| Ok(false));
    store.expect_find().returning(|_, _| Ok(None));
    assert!(run(store).is_err());
}
