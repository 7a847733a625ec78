//! Runs of the erasure of whole tenants, on every implementation of the stores.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use parlance_adapters_objects::ObjectLedger;
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    id::IdSource,
    privacy::{
        AuthenticationCode, ContentAuthenticator, ErasureKind, ErasurePlace, Ledger, RemovalOutcome, SignedReceipt,
        TenantErasures, TenantRemoval, TenantRemovalObserver, TenantRemovalStep, TenantRows, TenantRunProgress,
        TenantWait,
    },
    time::Clock,
};
use support::{
    fixtures::{CountingIds, FrozenClock, acme, from_micros, globex},
    stores::TestStores,
};

use crate::{
    privacy_request_store::signer,
    scripted_feeds::ScriptedFeeds,
    tenant_erasure_store::{begin, count_of, erasure, fill},
};

contract![
    a_run_removes_everything_and_gives_a_receipt,
    a_run_that_ended_after_any_step_is_taken_up,
    a_run_waits_for_derived_data,
    a_failure_of_derived_data_leaves_the_erasure_open,
    an_erasure_of_the_ledger_is_applied_to_a_database_that_lacks_it,
    an_erasure_of_the_ledger_that_was_interrupted_is_applied_again,
];

/// The places from which something was removed.
#[derive(Default)]
struct Removed(Mutex<BTreeSet<ErasurePlace>>);

impl TenantRemovalObserver for Removed {
    fn removed(&self, place: Option<ErasurePlace>, _: u64) {
        self.0.lock().unwrap().extend(place);
    }
}

fn removal(stores: &TestStores, outcomes: Vec<Option<RemovalOutcome>>) -> TenantRemoval {
    let clock: Arc<dyn Clock> = Arc::new(FrozenClock(from_micros(60)));
    let ids: Arc<dyn IdSource> = Arc::new(CountingIds::default());
    let feeds = Arc::new(ScriptedFeeds::new(outcomes, None));
    let ports = (Arc::clone(&stores.tenant_erasures), Arc::clone(&stores.deleted_bytes));
    TenantRemoval::new(ports, vec![feeds], ids, clock)
}

fn service(stores: &TestStores, outcomes: Vec<Option<RemovalOutcome>>) -> TenantErasures {
    TenantErasures::new(removal(stores, outcomes), Arc::clone(&stores.tenants), (Some(signer()), Vec::new()))
}

/// Nothing was left to remove.
const NOTHING_LEFT: Option<RemovalOutcome> = Some(RemovalOutcome::Done(0));

async fn run(service: &TenantErasures) -> TenantRunProgress {
    service.run(&acme(), &Removed::default()).await.unwrap()
}

async fn a_run_removes_everything_and_gives_a_receipt(stores: TestStores) {
    fill(&stores, &acme()).await;
    fill(&stores, &globex()).await;
    let others = stores.tenant_erasures.count(&globex()).await.unwrap();
    let service = service(&stores, vec![Some(RemovalOutcome::Done(4)), NOTHING_LEFT]);
    let preview = service.preview(&acme()).await.unwrap();
    assert_eq!((count_of(&preview.counts, "messages"), count_of(&preview.counts, "feed_files")), (2, 4));
    let start = service.begin(&acme(), erasure().approval.unwrap()).await.unwrap();
    assert!(start.is_new);
    let removed = Removed::default();
    assert_eq!(service.run(&acme(), &removed).await.unwrap(), TenantRunProgress::Completed);
    assert!(removed.0.lock().unwrap().is_superset(&[ErasurePlace::FeedFiles, ErasurePlace::Messages].into()));
    let file = service.receipt(&acme()).await.unwrap().unwrap();
    let receipt = SignedReceipt::parse(file.as_bytes()).unwrap().receipt;
    assert_eq!((receipt.kind, receipt.subject, receipt.reference.as_str()), (ErasureKind::Tenant, None, "CHG-1041"));
    assert_eq!((count_of(&receipt.counts, "messages"), count_of(&receipt.counts, "feed_files")), (2, 4));
    assert_eq!(stores.tenant_erasures.count(&globex()).await.unwrap(), others);
    let again = service.begin(&acme(), erasure().approval.unwrap()).await.unwrap();
    assert!(!again.is_new && again.erasure.completed_at.is_some());
    assert_eq!(run(&service).await, TenantRunProgress::Completed);
}

async fn a_run_that_ended_after_any_step_is_taken_up(stores: TestStores) {
    fill(&stores, &acme()).await;
    let service = service(&stores, vec![NOTHING_LEFT]);
    let approval = || erasure().approval.unwrap();
    assert!(service.begin(&acme(), approval()).await.unwrap().is_new);
    // Each earlier run ended after one step.
    let store = &stores.tenant_erasures;
    let first = TenantRemovalStep::first(TenantRows::Content);
    while store.remove_some(&acme(), first, from_micros(60)).await.unwrap().is_some() {
        assert!(!service.begin(&acme(), approval()).await.unwrap().is_new);
        assert_eq!(service.receipt(&acme()).await.unwrap(), None);
    }
    assert_eq!(run(&service).await, TenantRunProgress::Completed);
    let counts = store.erased_counts(&acme()).await.unwrap();
    assert_eq!((count_of(&counts, "messages"), count_of(&counts, "conversations")), (2, 1));
}

async fn a_run_waits_for_derived_data(stores: TestStores) {
    fill(&stores, &acme()).await;
    let service = service(&stores, vec![Some(RemovalOutcome::Waiting), NOTHING_LEFT]);
    service.begin(&acme(), erasure().approval.unwrap()).await.unwrap();
    assert_eq!(run(&service).await, TenantRunProgress::Waiting(TenantWait::Feeds));
    assert_eq!(service.receipt(&acme()).await.unwrap(), None);
    assert_eq!(run(&service).await, TenantRunProgress::Completed);
}

async fn a_failure_of_derived_data_leaves_the_erasure_open(stores: TestStores) {
    fill(&stores, &acme()).await;
    let service = service(&stores, vec![None, NOTHING_LEFT]);
    service.begin(&acme(), erasure().approval.unwrap()).await.unwrap();
    let failed = service.run(&acme(), &Removed::default()).await.unwrap_err();
    assert_eq!(failed.kind(), StoreErrorKind::Unavailable);
    assert_eq!(stores.tenant_erasures.find(&acme()).await.unwrap().unwrap().completed_at, None);
    assert_eq!(run(&service).await, TenantRunProgress::Completed);
}

/// Both databases have the key of this one code.
struct OneCode;

impl ContentAuthenticator for OneCode {
    fn code(&self, _: &[u8]) -> Result<AuthenticationCode, StoreError> {
        Ok([1; 32])
    }

    fn is_code_of(&self, _: &[u8], code: &AuthenticationCode) -> Result<bool, StoreError> {
        Ok(*code == [1; 32])
    }
}

/// A ledger in a directory with the erasure of a tenant that another database wrote.
async fn ledger_of_another_database(stores: &TestStores) -> (tempfile::TempDir, Ledger) {
    let (directory, other) = (tempfile::tempdir().unwrap(), TestStores::in_memory());
    let url = format!("file://{}", directory.path().display());
    let open = || Arc::new(ObjectLedger::open(&url).unwrap());
    let clock = || Arc::new(FrozenClock(from_micros(80))) as Arc<dyn Clock>;
    fill(&other, &acme()).await;
    let _ = begin(&other, &erasure()).await;
    let ledger = |stores: &TestStores| {
        let store = (Arc::clone(&stores.ledger), Arc::clone(&stores.deleted_bytes));
        Ledger::new((open(), Arc::new(OneCode)), store, Arc::new(CountingIds::default()), clock())
    };
    let written = ledger(&other);
    assert_eq!(written.write_queued().await.unwrap(), 1);
    (directory, ledger(stores).with_tenants(removal(stores, vec![Some(RemovalOutcome::Done(1)), NOTHING_LEFT])))
}

async fn an_erasure_of_the_ledger_is_applied_to_a_database_that_lacks_it(stores: TestStores) {
    fill(&stores, &acme()).await;
    fill(&stores, &globex()).await;
    let others = stores.tenant_erasures.count(&globex()).await.unwrap();
    let (_directory, ledger) = ledger_of_another_database(&stores).await;
    assert_eq!(ledger.apply().await.unwrap().applied, 1);
    assert_eq!(stores.tenant_erasures.count(&acme()).await.unwrap(), []);
    assert_eq!(stores.tenant_erasures.count(&globex()).await.unwrap(), others);
    let applied = stores.tenant_erasures.find(&acme()).await.unwrap().unwrap();
    assert_eq!((applied.approval, applied.requested_at), (None, from_micros(50)));
    assert!(applied.completed_at.is_some());
    assert_eq!(stores.tenant_erasures.receipt(&acme()).await.unwrap(), None);
    assert_eq!(ledger.apply().await.unwrap().applied, 0);
}

async fn an_erasure_of_the_ledger_that_was_interrupted_is_applied_again(stores: TestStores) {
    fill(&stores, &acme()).await;
    let (_directory, ledger) = ledger_of_another_database(&stores).await;
    let interrupted = ledger.clone().with_tenants(removal(&stores, vec![None]));
    assert!(interrupted.apply().await.is_err());
    assert_eq!(stores.tenant_erasures.find(&acme()).await.unwrap().unwrap().completed_at, None);
    assert_eq!(ledger.apply().await.unwrap().applied, 1);
    assert!(stores.tenant_erasures.find(&acme()).await.unwrap().unwrap().completed_at.is_some());
}
