//! Failures of privacy requests on every store: a request that cannot be carried out ends, and says why.

use std::sync::Arc;

use parlance::keys::KeyedDigester;
use parlance_domain::{
    access::TenantId,
    audit::{AuditAction, AuditEntry},
    conversation::UpsertOutcome,
    error::{StoreError, StoreErrorKind},
    limits::PRIVACY_REQUEST_MAX_FAILED_RUNS,
    privacy::{
        FailureReason, IdentifierDigest, IdentifierDigester, PrivacyRequest, PrivacyRequestStatus, PrivacyRequestType,
        RemovalOutcome, RunProgress, WaitReason,
    },
    text::ExternalId,
};
use support::{
    fixtures::{acme, from_micros},
    stores::TestStores,
};

use crate::{
    privacy_request_runs::{Setup, set_up_over},
    privacy_request_store::{complete, create, found, upsert},
};

contract![
    a_request_fails_once_for_its_reason_and_forgets_its_subject,
    a_completed_request_does_not_fail,
    a_permanent_error_ends_the_request_with_its_reason,
    a_transient_error_never_ends_the_request_and_is_said,
    a_failed_run_is_repeated_before_the_request_fails,
    a_run_of_a_request_that_has_ended_meanwhile_says_how_it_ended,
];

async fn fail(stores: &TestStores, request: &PrivacyRequest, reason: FailureReason) -> bool {
    let at = from_micros(91);
    let entry = AuditEntry::privacy_request_failed(&request.id, reason, at);
    stores.privacy_requests.fail(&acme(), &request.id, (reason, at), entry).await.unwrap()
}

async fn a_request_fails_once_for_its_reason_and_forgets_its_subject(stores: TestStores) {
    for (number, reason) in (1..).zip(FailureReason::ALL) {
        let request = create(&stores, number, PrivacyRequestType::Erasure).await;
        stores.privacy_requests.set_waiting(&acme(), &request.id, WaitReason::Service).await.unwrap();
        assert!(fail(&stores, &request, reason).await);
        let records = stores.audit.records(&acme(), 0, 10).await.unwrap().len();
        assert!(!fail(&stores, &request, FailureReason::InternalError).await);
        assert_eq!(stores.audit.records(&acme(), 0, 10).await.unwrap().len(), records);
        let ended = found(&stores, &request).await;
        assert_eq!((ended.status, ended.waiting_for), (PrivacyRequestStatus::Failed, None));
        assert_eq!((ended.failure, ended.ended_at), (Some(reason), Some(from_micros(91))));
        assert_eq!(stores.privacy_requests.subject(&acme(), &request.id).await.unwrap(), None);
        assert_eq!(stores.privacy_requests.open(None).await.unwrap().requests, []);
        assert_eq!(complete(&stores, &request).await, None);
    }
    assert!(matches!(upsert(&stores, &acme(), 1, "ada").await, UpsertOutcome::Stored(_)));
}

async fn a_completed_request_does_not_fail(stores: TestStores) {
    let request = create(&stores, 1, PrivacyRequestType::Erasure).await;
    complete(&stores, &request).await;
    assert!(!fail(&stores, &request, FailureReason::InvalidData).await);
    let ended = found(&stores, &request).await;
    assert_eq!((ended.status, ended.failure), (PrivacyRequestStatus::Completed, None));
}

/// Digests of customers, and a failure for conversations.
struct FailingDigester(StoreErrorKind);

impl IdentifierDigester for FailingDigester {
    fn conversation_digest(&self, _: &TenantId, _: &ExternalId) -> Result<IdentifierDigest, StoreError> {
        Err(StoreError::new(self.0, "a scripted failure"))
    }

    fn customer_digest(&self, tenant: &TenantId, external_id: &ExternalId) -> Result<IdentifierDigest, StoreError> {
        KeyedDigester::new(&[3; 32]).customer_digest(tenant, external_id)
    }
}

/// An open erasure whose runs end with an error of this kind.
async fn set_up(stores: TestStores, kind: StoreErrorKind) -> Setup {
    set_up_over(stores, Arc::new(FailingDigester(kind)), (vec![Some(RemovalOutcome::NotKept)], None)).await
}

async fn a_permanent_error_ends_the_request_with_its_reason(stores: TestStores) {
    let setup = set_up(stores, StoreErrorKind::Corrupt).await;
    let last = PRIVACY_REQUEST_MAX_FAILED_RUNS - 1;
    let progress = setup.run(&setup.request, last).await.unwrap();
    assert_eq!(progress, RunProgress::Failed(FailureReason::InvalidData));
    let ended = found(&setup.stores, &setup.request).await;
    assert_eq!((ended.status, ended.failure), (PrivacyRequestStatus::Failed, Some(FailureReason::InvalidData)));
    let records = setup.stores.audit.records(&acme(), 0, 10).await.unwrap();
    let record = &records.last().unwrap().entry;
    assert_eq!((&record.action, record.details.as_str()), (&AuditAction::PrivacyRequestFailed, "invalid_data"));
    assert_eq!(setup.stores.privacy_requests.receipt(&acme(), &setup.request.id, None).await.unwrap(), None);
}

async fn a_transient_error_never_ends_the_request_and_is_said(stores: TestStores) {
    let setup = set_up(stores, StoreErrorKind::Unavailable).await;
    assert!(setup.run(&setup.request, u32::MAX).await.is_err());
    let open = found(&setup.stores, &setup.request).await;
    assert_eq!((open.status, open.waiting_for), (PrivacyRequestStatus::Running, Some(WaitReason::Service)));
}

async fn a_failed_run_is_repeated_before_the_request_fails(stores: TestStores) {
    let setup = set_up(stores, StoreErrorKind::Unexpected).await;
    for failed_runs in 0..PRIVACY_REQUEST_MAX_FAILED_RUNS - 1 {
        assert!(setup.run(&setup.request, failed_runs).await.is_err());
        let open = found(&setup.stores, &setup.request).await;
        assert_eq!((open.status, open.waiting_for), (PrivacyRequestStatus::Running, Some(WaitReason::Service)));
    }
}

async fn a_run_of_a_request_that_has_ended_meanwhile_says_how_it_ended(stores: TestStores) {
    let setup = set_up(stores, StoreErrorKind::Corrupt).await;
    assert!(fail(&setup.stores, &setup.request, FailureReason::InternalError).await);
    let progress = setup.run(&setup.request, PRIVACY_REQUEST_MAX_FAILED_RUNS).await.unwrap();
    assert_eq!(progress, RunProgress::Failed(FailureReason::InternalError));
    let completed = create(&setup.stores, 9, PrivacyRequestType::Access).await;
    complete(&setup.stores, &completed).await;
    assert_eq!(setup.run(&completed, 0).await.unwrap(), RunProgress::Completed);
}
