//! Open privacy requests whose stored rows are invalid: they are told apart, and an operator can end them.

use std::sync::Arc;

use parlance_domain::{
    audit::AuditAction,
    conversation::UpsertOutcome,
    privacy::{
        FailRequestError, FailureReason, InvalidRequests, PrivacyRequest, PrivacyRequestId, PrivacyRequestStatus,
        PrivacyRequestType,
    },
};
use support::{
    database::TestDatabase,
    fixtures::{FrozenClock, acme, from_micros, globex},
    stores::TestStores,
};

use crate::privacy_request_store::{complete, create, found, upsert};

sql_contract![
    an_open_request_with_an_invalid_row_is_told_apart_from_the_others,
    a_request_with_an_invalid_row_is_ended_and_forgets_its_subject,
    a_request_with_a_valid_row_is_not_ended,
    a_request_that_has_ended_is_not_ended_again,
];

/// Values that break a rule, each with its column.
const INVALID: [(&str, &str); 5] = [
    ("kind", "'hush'"),
    ("status", "'hush'"),
    ("waiting_for", "'hush'"),
    ("subject", " x'00'"),
    ("requested_at", "9111111111111111111"),
];

fn requests(stores: &TestStores) -> InvalidRequests {
    InvalidRequests::new(Arc::clone(&stores.privacy_requests), Arc::new(FrozenClock(from_micros(60))))
}

async fn invalidate(test_db: &TestDatabase, request: &PrivacyRequest, (column, value): (&str, &str)) {
    test_db.execute(&format!("UPDATE privacy_requests SET {column} = {value} WHERE id = '{}'", request.id)).await;
}

async fn an_open_request_with_an_invalid_row_is_told_apart_from_the_others(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    for (number, invalid) in (1..).zip(INVALID) {
        let request = create(&stores, number, PrivacyRequestType::Erasure).await;
        invalidate(test_db, &request, invalid).await;
    }
    let valid = create(&stores, 99, PrivacyRequestType::Erasure).await;
    let open = stores.privacy_requests.open(None).await.unwrap();
    assert_eq!(open.requests, [(acme(), valid)]);
    assert_eq!(open.invalid.len(), INVALID.len());
    for (number, (column, _)) in (1..).zip(INVALID) {
        let id = PrivacyRequestId::from_bits(number);
        let found = open.invalid.iter().find(|invalid| invalid.id == id.as_str()).unwrap();
        let cause = found.error.cause_chain();
        assert!(found.tenant == "acme" && cause.contains(column) && !cause.contains("hush"), "{cause}");
    }
}

async fn a_request_with_an_invalid_row_is_ended_and_forgets_its_subject(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    for (number, invalid) in (1..).zip(INVALID) {
        let request = create(&stores, number, PrivacyRequestType::Erasure).await;
        invalidate(test_db, &request, invalid).await;
        requests(&stores).fail(&acme(), &request.id).await.unwrap();
        assert!(requests(&stores).list().await.unwrap().is_empty(), "{invalid:?}");
        assert_eq!(stores.privacy_requests.subject(&acme(), &request.id).await.unwrap(), None);
    }
    assert!(matches!(upsert(&stores, &acme(), 1, "ada").await, UpsertOutcome::Stored(_)));
    let records = stores.audit.records(&acme(), 0, 100).await.unwrap();
    let failed = records.iter().filter(|record| record.entry.action == AuditAction::PrivacyRequestFailed);
    assert_eq!(
        failed.map(|record| record.entry.details.as_str()).collect::<Vec<_>>(),
        [FailureReason::InvalidData.as_str(); INVALID.len()]
    );
    let mended = stores.privacy_requests.find(&acme(), &PrivacyRequestId::from_bits(2)).await.unwrap().unwrap();
    assert_eq!(mended.status, PrivacyRequestStatus::Failed);
}

async fn a_request_with_a_valid_row_is_not_ended(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let request = create(&stores, 1, PrivacyRequestType::Erasure).await;
    assert!(matches!(requests(&stores).fail(&acme(), &request.id).await, Err(FailRequestError::Valid)));
    assert!(matches!(requests(&stores).fail(&globex(), &request.id).await, Err(FailRequestError::NotFound)));
    assert_eq!(found(&stores, &request).await, request);
}

async fn a_request_that_has_ended_is_not_ended_again(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let request = create(&stores, 1, PrivacyRequestType::Erasure).await;
    complete(&stores, &request).await;
    let failed = requests(&stores).fail(&acme(), &request.id).await;
    assert!(matches!(failed, Err(FailRequestError::Ended(PrivacyRequestStatus::Completed))), "{failed:?}");
    invalidate(test_db, &request, ("kind", "'hush'")).await;
    let failed = requests(&stores).fail(&acme(), &request.id).await;
    assert!(matches!(failed, Err(FailRequestError::EndedInvalid)), "{failed:?}");
}
