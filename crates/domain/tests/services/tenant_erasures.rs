//! Tests of the use cases of the erasure of whole tenants.

use std::sync::Arc;

use parlance_domain::{
    access::{MockTenantStore, TenantId},
    audit::AuditAction,
    error::{StoreError, StoreErrorKind},
    privacy::{
        DerivedDataKind, ErasurePlace, Ledger, MockDeletedByteStore, MockDerivedData, MockErasureLedger,
        MockLedgerStore, MockTenantErasureStore, PrivacyRequestId, RemovalOutcome, RemovedRows, TenantCompletion,
        TenantErasure, TenantErasureError, TenantErasures, TenantFenceOutcome, TenantRemoval, TenantRemovalObserver,
        TenantRemovalStep, TenantRows, TenantRunProgress, TenantWait,
    },
    redaction::{Approval, Approver, ChangeReference},
    signing::{KeyFingerprint, MockSigner, PublicKey, Signature, Signer},
};
use pollster::block_on;

use super::{at, authenticator, clock, ids, tenant};

struct NoObserver;

impl TenantRemovalObserver for NoObserver {
    fn removed(&self, _: Option<ErasurePlace>, _: u64) {}
}

fn approval() -> Approval {
    let approver = |name| Approver::parse(name).unwrap();
    Approval::new(ChangeReference::parse("CHG-1041").unwrap(), approver("Ada"), approver("Grace")).unwrap()
}

fn erasure() -> TenantErasure {
    let id = PrivacyRequestId::from_bits(7);
    TenantErasure { id, approval: Some(approval()), requested_at: at(9), completed_at: None }
}

fn signer() -> Arc<dyn Signer> {
    let mut signer = MockSigner::new();
    signer.expect_sign().returning(|_| Signature([1; 64]));
    signer.expect_fingerprint().returning(|| KeyFingerprint([2; 32]));
    signer.expect_public_key().returning(|| PublicKey([3; 32]));
    Arc::new(signer)
}

fn service_with(store: MockTenantErasureStore, exists: bool, signer: Option<Arc<dyn Signer>>) -> TenantErasures {
    let removal = TenantRemoval::new((Arc::new(store), deleted_bytes(true)), Vec::new(), ids(), clock(9));
    service_of(removal, exists, signer)
}

fn service_of(removal: TenantRemoval, exists: bool, signer: Option<Arc<dyn Signer>>) -> TenantErasures {
    let mut tenants = MockTenantStore::new();
    tenants.expect_exists().returning(move |_| Ok(exists));
    TenantErasures::new(removal, Arc::new(tenants), (signer, Vec::new()))
}

/// Removes deleted bytes with this outcome.
fn deleted_bytes(are_removed: bool) -> Arc<MockDeletedByteStore> {
    let mut deleted_bytes = MockDeletedByteStore::new();
    deleted_bytes.expect_remove_deleted_bytes().returning(move || Ok(are_removed));
    Arc::new(deleted_bytes)
}

fn service(store: MockTenantErasureStore) -> TenantErasures {
    service_with(store, true, Some(signer()))
}

/// A store with an erasure that began and of which no row is left.
fn emptied_store() -> MockTenantErasureStore {
    let mut store = MockTenantErasureStore::new();
    store.expect_find().returning(|_| Ok(Some(erasure())));
    store.expect_wait_for_earlier_writes().returning(|| Ok(()));
    store.expect_remove_some().returning(|_, _, _| Ok(None));
    store.expect_erased_counts().returning(|_| Ok(vec![ErasurePlace::Messages.with_count(12).unwrap()]));
    store
}

fn run(service: &TenantErasures) -> TenantRunProgress {
    block_on(service.run(&tenant(), &NoObserver)).unwrap()
}

#[test]
fn an_erasure_begins_with_its_approval_in_the_audit_log() {
    let mut store = MockTenantErasureStore::new();
    store.expect_find().returning(|_| Ok(None));
    store
        .expect_begin()
        .withf(|_, stored, entry| {
            *stored == erasure()
                && entry.action == AuditAction::TenantErasureBegan
                && entry.details == "on \"CHG-1041\", approved by \"Ada\" and \"Grace\""
        })
        .once()
        .returning(|_, _, _| Ok(TenantFenceOutcome::Stored));
    assert!(block_on(service(store).begin(&tenant(), approval())).unwrap().is_new);
}

#[test]
fn an_erasure_that_began_before_keeps_its_own_approval() {
    let mut store = MockTenantErasureStore::new();
    store.expect_find().returning(|_| Ok(Some(erasure())));
    let other = Approval::new(
        ChangeReference::parse("CHG-9").unwrap(),
        Approver::parse("Joan").unwrap(),
        Approver::parse("Barbara").unwrap(),
    );
    let start = block_on(service(store).begin(&tenant(), other.unwrap())).unwrap();
    assert_eq!((start.is_new, start.erasure), (false, erasure()));
}

#[test]
fn holds_refuse_an_erasure_and_are_counted() {
    for (holds, text) in [
        (1, "1 hold protects data of the tenant: release it by "),
        (3, "3 holds protect data of the tenant: release each by "),
    ] {
        let mut store = MockTenantErasureStore::new();
        store.expect_find().returning(|_| Ok(None));
        store.expect_begin().returning(move |_, _, _| Ok(TenantFenceOutcome::Held(holds)));
        let refused = block_on(service(store).begin(&tenant(), approval())).unwrap_err();
        assert!(refused.to_string().starts_with(text), "{refused}");
    }
}

#[test]
fn a_tenant_that_does_not_exist_or_a_missing_key_is_refused_before_anything_is_stored() {
    let store = || {
        let mut store = MockTenantErasureStore::new();
        store.expect_find().returning(|_: &TenantId| Ok(None));
        store
    };
    let unknown = block_on(service_with(store(), false, Some(signer())).begin(&tenant(), approval()));
    assert!(matches!(unknown, Err(TenantErasureError::NotFound)));
    let unsigned = block_on(service_with(store(), true, None).begin(&tenant(), approval()));
    assert!(matches!(unsigned, Err(TenantErasureError::NoSigner)));
}

#[test]
fn rows_are_removed_until_none_is_left_and_then_their_progress() {
    let mut store = MockTenantErasureStore::new();
    store.expect_find().returning(|_| Ok(Some(erasure())));
    store.expect_wait_for_earlier_writes().once().returning(|| Ok(()));
    // Two steps of content and the empty one after them, then the empty one of the progress. Each goes on where the last one
    // ended.
    let mut steps =
        [(TenantRows::Content, 0), (TenantRows::Content, 3), (TenantRows::Content, 5), (TenantRows::Progress, 0)]
            .map(|(rows, emptied_tables)| TenantRemovalStep { rows, emptied_tables })
            .into_iter()
            .peekable();
    store.expect_remove_some().times(4).returning(move |_, step, _| {
        assert_eq!(Some(step), steps.next());
        let next = steps.peek().copied().filter(|next| next.rows == step.rows);
        let place = Some(ErasurePlace::Messages);
        Ok(next.map(|next| RemovedRows { place, rows: 500, next }))
    });
    let removal = TenantRemoval::new((Arc::new(store), deleted_bytes(false)), Vec::new(), ids(), clock(9));
    let service = service_of(removal, true, Some(signer()));
    assert_eq!(run(&service), TenantRunProgress::Waiting(TenantWait::Readers));
}

#[test]
fn an_erasure_is_completed_with_its_counts() {
    let mut store = emptied_store();
    store
        .expect_complete()
        .withf(|_, _, entry, receipt| {
            entry.action == AuditAction::TenantErased && entry.details == "messages 12" && receipt.is_some()
        })
        .once()
        .returning(|_, _, _, _| Ok(TenantCompletion::Completed));
    assert_eq!(run(&service(store)), TenantRunProgress::Completed);
}

#[test]
fn rows_that_were_stored_meanwhile_need_a_further_pass() {
    let mut store = emptied_store();
    store.expect_complete().returning(|_, _, _, _| Ok(TenantCompletion::RowsLeft));
    assert_eq!(run(&service(store)), TenantRunProgress::Waiting(TenantWait::Rows));
}

#[test]
fn an_erasure_is_not_completed_before_it_is_in_the_ledger() {
    let (mut ledger, mut queue) = (MockErasureLedger::new(), MockLedgerStore::new());
    queue.expect_queued().returning(|_| Err(StoreError::new(StoreErrorKind::Unavailable, "away")));
    ledger.expect_write().never();
    let ledger = Ledger::new(
        (Arc::new(ledger), Arc::new(authenticator())),
        (Arc::new(queue), deleted_bytes(true)),
        ids(),
        clock(9),
    );
    let service = service(emptied_store()).with_ledger(ledger);
    assert_eq!(run(&service), TenantRunProgress::Waiting(TenantWait::Ledger));
}

/// A store in which the erasure is completed.
fn completed_store() -> MockTenantErasureStore {
    let mut store = MockTenantErasureStore::new();
    store.expect_find().returning(|_| Ok(Some(TenantErasure { completed_at: Some(at(10)), ..erasure() })));
    store
}

#[test]
fn a_completed_erasure_removes_no_row_again() {
    assert_eq!(run(&service(completed_store())), TenantRunProgress::Completed);
}

#[test]
fn a_repetition_after_the_completion_removes_feeds_that_came_back() {
    let mut feeds = MockDerivedData::new();
    feeds.expect_kind().return_const(DerivedDataKind::Feeds);
    feeds.expect_remove_tenant().once().returning(|_| Ok(RemovalOutcome::Done(3)));
    let mut store = completed_store();
    store
        .expect_add_count()
        .withf(|_, place, count| *place == ErasurePlace::FeedFiles && *count == 3)
        .once()
        .returning(|_, _, _| Ok(()));
    let removal = TenantRemoval::new((Arc::new(store), deleted_bytes(true)), vec![Arc::new(feeds)], ids(), clock(9));
    let service = TenantErasures::new(removal, Arc::new(MockTenantStore::new()), (Some(signer()), Vec::new()));
    assert_eq!(run(&service), TenantRunProgress::Completed);
}
