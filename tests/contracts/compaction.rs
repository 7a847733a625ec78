//! Compactions on every store: the second receipts, and who gets one.

use std::sync::Arc;

use async_trait::async_trait;
use parlance::keys::{KeyPurpose, MasterKey};
use parlance_domain::{
    audit::{AuditAction, AuditEntry},
    ports::Signer,
    privacy::{
        Compaction, CompactionError, CompactionOutcome, CompactionReport, DatabaseCompactor, KnownUncoveredCopy,
        PrivacyRequest, PrivacyRequestType, ReceiptDraft, ReceiptIssue, SignedReceipt,
    },
};
use support::{
    fixtures::{FrozenClock, acme, from_micros},
    stores::TestStores,
};

use crate::privacy_request_store::{create, signer};

contract![
    a_compaction_issues_a_second_receipt_that_names_the_bytes_no_more,
    a_compaction_that_is_run_again_issues_no_further_receipt,
    a_receipt_that_names_no_bytes_of_postgresql_is_not_followed,
    a_receipt_that_another_key_signed_is_not_followed,
    an_erasure_that_is_completed_during_a_compaction_waits_for_the_next,
    receipts_without_a_key_stop_the_compaction,
    a_receipt_is_superseded_once,
    a_receipt_is_found_by_its_number,
];

/// Says that it has rewritten the database, and completes a request meanwhile.
struct ScriptedCompactor {
    completed_meanwhile: Option<(TestStores, PrivacyRequest)>,
}

#[async_trait]
impl DatabaseCompactor for ScriptedCompactor {
    async fn compact(&self) -> Result<CompactionOutcome, CompactionError> {
        if let Some((stores, request)) = &self.completed_meanwhile {
            complete(stores, request, &KnownUncoveredCopy::ALL, &signer()).await;
        }
        Ok(CompactionOutcome::Rewritten { tables: Vec::new(), is_log_switched: true })
    }
}

async fn complete(
    stores: &TestStores,
    request: &PrivacyRequest,
    not_covered: &[KnownUncoveredCopy],
    signer: &Arc<dyn Signer>,
) {
    let at = from_micros(90);
    let draft = ReceiptDraft::for_request(&acme(), request, at, not_covered).unwrap();
    let entry = AuditEntry::privacy_request_completed(request, at);
    stores.privacy_requests.complete(&acme(), &request.id, at, entry, Some((draft, &**signer))).await.unwrap();
}

/// A completed erasure whose receipt names every copy.
pub(crate) async fn completed(stores: &TestStores, number: u128) -> PrivacyRequest {
    let request = create(stores, number, PrivacyRequestType::Erasure).await;
    complete(stores, &request, &KnownUncoveredCopy::ALL, &signer()).await;
    request
}

pub(crate) fn compaction(stores: &TestStores, compactor: Arc<dyn DatabaseCompactor>) -> Compaction {
    let clock = Arc::new(FrozenClock(from_micros(700)));
    Compaction::new(compactor, Arc::clone(&stores.privacy_requests), Some(signer()), clock)
}

async fn run(stores: &TestStores) -> CompactionReport {
    compaction(stores, Arc::new(ScriptedCompactor { completed_meanwhile: None })).run().await.unwrap()
}

pub(crate) async fn receipt(
    stores: &TestStores,
    request: &PrivacyRequest,
    issue: Option<u64>,
) -> Option<SignedReceipt> {
    let issue = issue.map(|number| ReceiptIssue::new(number).unwrap());
    let file = stores.privacy_requests.receipt(&acme(), &request.id, issue).await.unwrap();
    file.map(|file| SignedReceipt::parse(file.as_bytes()).unwrap())
}

fn codes(receipt: &SignedReceipt) -> Vec<&str> {
    receipt.receipt.not_covered.iter().map(|copy| copy.code.as_str()).collect()
}

async fn a_compaction_issues_a_second_receipt_that_names_the_bytes_no_more(stores: TestStores) {
    let (one, two) = (completed(&stores, 1).await, completed(&stores, 2).await);
    let report = run(&stores).await;
    assert_eq!((report.receipts, report.unverified), (2, 0));
    let mut chain = Vec::new();
    for issue in [1, 2] {
        chain.extend([receipt(&stores, &one, Some(issue)).await, receipt(&stores, &two, Some(issue)).await]);
    }
    let chain: Vec<_> = chain.into_iter().map(Option::unwrap).collect();
    assert!(chain.windows(2).all(|pair| pair[1].check_follows(&pair[0]).is_ok()));
    let (first, second) = (&chain[0], &chain[2]);
    assert!(codes(first).contains(&"postgresql_bytes") && !codes(second).contains(&"postgresql_bytes"));
    assert!(codes(second).contains(&"wal_segments"));
    assert_eq!((second.receipt.subject, &second.receipt.counts), (first.receipt.subject, &first.receipt.counts));
    assert_eq!(second.receipt.requested_at, first.receipt.requested_at);
    assert_eq!((second.verify(&*signer()), second.receipt.completed_at), (Ok(()), from_micros(700)));
    let head = stores.audit.head(&acme()).await.unwrap().unwrap().head;
    assert_eq!(chain[3].receipt.audit, head);
    let records = stores.audit.records(&acme(), 0, 100).await.unwrap();
    let compacted = records.iter().filter(|record| record.entry.action == AuditAction::PrivacyRequestCompacted);
    assert_eq!(compacted.map(|record| &*record.entry.subject).collect::<Vec<_>>(), [one.id.as_str(), two.id.as_str()]);
}

async fn a_compaction_that_is_run_again_issues_no_further_receipt(stores: TestStores) {
    let request = completed(&stores, 1).await;
    assert_eq!([run(&stores).await.receipts, run(&stores).await.receipts], [1, 0]);
    assert_eq!(receipt(&stores, &request, Some(3)).await, None);
}

async fn a_receipt_that_names_no_bytes_of_postgresql_is_not_followed(stores: TestStores) {
    let request = create(&stores, 1, PrivacyRequestType::Erasure).await;
    complete(&stores, &request, &[KnownUncoveredCopy::ServerLogs], &signer()).await;
    assert_eq!(run(&stores).await.receipts, 0);
}

async fn a_receipt_that_another_key_signed_is_not_followed(stores: TestStores) {
    let other: Arc<dyn Signer> = Arc::new(MasterKey::from_bytes([8; 32]).signer(KeyPurpose::AuditHeads).unwrap());
    let request = create(&stores, 1, PrivacyRequestType::Erasure).await;
    complete(&stores, &request, &KnownUncoveredCopy::ALL, &other).await;
    let report = run(&stores).await;
    assert_eq!((report.receipts, report.unverified), (0, 1));
}

async fn an_erasure_that_is_completed_during_a_compaction_waits_for_the_next(stores: TestStores) {
    let (before, during) = (completed(&stores, 1).await, create(&stores, 2, PrivacyRequestType::Erasure).await);
    let completed_meanwhile = Some((stores.clone(), during.clone()));
    let report = compaction(&stores, Arc::new(ScriptedCompactor { completed_meanwhile })).run().await.unwrap();
    assert_eq!(report.receipts, 1);
    assert!(receipt(&stores, &before, Some(2)).await.is_some() && receipt(&stores, &during, Some(2)).await.is_none());
    assert_eq!(run(&stores).await.receipts, 1);
}

async fn receipts_without_a_key_stop_the_compaction(stores: TestStores) {
    completed(&stores, 1).await;
    let compactor = Arc::new(ScriptedCompactor { completed_meanwhile: None });
    let clock = Arc::new(FrozenClock(from_micros(700)));
    let compaction = Compaction::new(compactor, Arc::clone(&stores.privacy_requests), None, clock);
    assert!(matches!(compaction.run().await, Err(CompactionError::NoSigner)));
}

async fn a_receipt_is_superseded_once(stores: TestStores) {
    let request = completed(&stores, 1).await;
    let first = receipt(&stores, &request, None).await.unwrap();
    let mut outcomes = Vec::new();
    for _ in 0..2 {
        let at = from_micros(800);
        let draft = ReceiptDraft::after_compaction(&first.receipt, at);
        let entry = AuditEntry::privacy_request_compacted(&request.id, at);
        outcomes.push(stores.privacy_requests.supersede_receipt(&first, entry, draft, signer()).await.unwrap());
    }
    assert_eq!(outcomes, [true, false]);
    let head = stores.audit.head(&acme()).await.unwrap().unwrap().head;
    assert_eq!(receipt(&stores, &request, None).await.unwrap().receipt.audit, head);
}

async fn a_receipt_is_found_by_its_number(stores: TestStores) {
    let request = completed(&stores, 1).await;
    let first = receipt(&stores, &request, None).await;
    assert_eq!((receipt(&stores, &request, Some(1)).await, receipt(&stores, &request, Some(2)).await), (first, None));
    run(&stores).await;
    assert_eq!(receipt(&stores, &request, None).await, receipt(&stores, &request, Some(2)).await);
}
