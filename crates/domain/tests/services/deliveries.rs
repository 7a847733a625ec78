use std::{sync::Arc, time::Duration};

use mockall::predicate::{always, eq};
use parlance_domain::{
    access::Permission,
    error::{Error, StoreError, StoreErrorKind},
    time::{MockClock, Timestamp},
    vocabulary::delivery::{
        Attempt, Delivered, Deliveries, DeliveryError, DeliveryFailure, DeliveryProgress, DeliveryState, Failure,
        MockDeliveryStore, MockTranscriptionComponent, Reconciler, VocabularyEdition,
    },
};
use pollster::block_on;

use super::{at, caller, tenant};

/// Version 7, of which nothing since the change at second 10 is delivered.
fn pending() -> DeliveryProgress {
    DeliveryProgress { version: 7, pending_since: Some(at(10)), ..DeliveryProgress::default() }
}

fn edition(version: u64) -> VocabularyEdition {
    VocabularyEdition { version, changed_at: Some(at(10)), entries: Vec::new() }
}

fn store(progress: DeliveryProgress) -> MockDeliveryStore {
    let mut store = MockDeliveryStore::new();
    store.expect_progress().with(eq(tenant())).return_once(move |_| Ok(progress));
    store
}

fn holding(progress: DeliveryProgress) -> MockDeliveryStore {
    let mut store = store(progress);
    store.expect_edition().with(eq(tenant())).return_once(|_| Ok(edition(7)));
    store
}

fn component(outcome: Result<(), DeliveryFailure>) -> MockTranscriptionComponent {
    let mut component = MockTranscriptionComponent::new();
    component
        .expect_bring()
        .withf(|to, brought| *to == tenant() && *brought == edition(7))
        .return_once(move |_, _| outcome.map_err(|kind| DeliveryError::new(kind, "why")));
    component
}

/// Reads the vocabulary at second 20, and has its answer at second 22.
fn reconciler(store: MockDeliveryStore, component: MockTranscriptionComponent) -> Reconciler {
    let mut clock = MockClock::new();
    let mut moments = [at(20), at(22)].into_iter();
    clock.expect_now().returning(move || moments.next().unwrap());
    Reconciler::new(Arc::new(store), Arc::new(component), Arc::new(clock))
}

#[test]
fn a_delivery_is_noted_with_its_version_and_when_that_was_read() {
    let mut store = holding(pending());
    let delivered = Delivered { version: 7, at: at(22) };
    store.expect_note_delivery().with(eq(tenant()), eq(delivered), eq(at(20))).return_once(|_, _, _| Ok(()));
    let attempt = block_on(reconciler(store, component(Ok(()))).deliver(&tenant())).unwrap();
    assert!(matches!(attempt, Attempt::Delivered { version: 7, took } if took == Duration::from_secs(12)));
}

#[test]
fn a_change_by_a_clock_that_is_ahead_took_no_time() {
    let mut store = holding(DeliveryProgress { pending_since: Some(at(99)), ..pending() });
    store.expect_note_delivery().return_once(|_, _, _| Ok(()));
    let attempt = block_on(reconciler(store, component(Ok(()))).deliver(&tenant())).unwrap();
    assert!(matches!(attempt, Attempt::Delivered { took: Duration::ZERO, .. }));
}

fn next_attempt(failures: u32) -> Timestamp {
    let (noted, next) = std::sync::mpsc::channel();
    let mut store = holding(DeliveryProgress { failures, ..pending() });
    let failure = Failure { kind: DeliveryFailure::Unreachable, at: at(22) };
    store.expect_note_failure().with(eq(tenant()), eq(failure), always()).return_once(move |_, _, next| {
        noted.send(next).unwrap();
        Ok(())
    });
    let component = component(Err(DeliveryFailure::Unreachable));
    let attempt = block_on(reconciler(store, component).deliver(&tenant())).unwrap();
    assert!(matches!(attempt, Attempt::Failed { failures: told, .. } if told == failures + 1));
    next.recv().unwrap()
}

#[test]
fn a_failure_is_noted_with_its_kind_and_tried_again_ever_later_up_to_a_bound() {
    let moments = [0, 1, 2, 3, 4, 100].map(next_attempt);
    assert_eq!(moments, [23, 24, 26, 30, 37, 37].map(at));
}

#[test]
fn a_vocabulary_that_cannot_be_read_back_is_a_failed_attempt() {
    let mut store = store(pending());
    store.expect_edition().return_once(|_| Err(StoreError::new(StoreErrorKind::Corrupt, "row")));
    let unreadable = |failure: &Failure| failure.kind == DeliveryFailure::Unreadable;
    store.expect_note_failure().withf(move |_, failure, _| unreadable(failure)).return_once(|_, _, _| Ok(()));
    let attempt = block_on(reconciler(store, MockTranscriptionComponent::new()).deliver(&tenant())).unwrap();
    assert!(matches!(attempt, Attempt::Failed { failures: 1, .. }));
}

#[test]
fn nothing_is_brought_where_nothing_is_pending() {
    let store = store(DeliveryProgress { pending_since: None, ..pending() });
    let attempt = block_on(reconciler(store, MockTranscriptionComponent::new()).deliver(&tenant())).unwrap();
    assert!(matches!(attempt, Attempt::Idle));
}

#[test]
fn a_store_that_is_out_of_reach_is_no_failed_attempt() {
    let mut store = store(pending());
    store.expect_edition().return_once(|_| Err(StoreError::new(StoreErrorKind::Unavailable, "down")));
    let outcome = block_on(reconciler(store, MockTranscriptionComponent::new()).deliver(&tenant()));
    assert_eq!(outcome.err().map(|error| error.kind()), Some(StoreErrorKind::Unavailable));
}

fn status(progress: DeliveryProgress, configured: bool) -> (DeliveryState, Option<Timestamp>) {
    let deliveries = Deliveries::new(Arc::new(store(progress)), configured);
    let report = block_on(deliveries.status(&caller(&[Permission::ReadConfiguration]))).unwrap();
    assert_eq!(report.progress, progress);
    (report.state, report.since)
}

#[test]
fn the_status_says_whether_the_newest_version_is_delivered_and_since_when() {
    let delivered = Some(Delivered { version: 7, at: at(12) });
    assert_eq!(status(DeliveryProgress { delivered, ..pending() }, true), (DeliveryState::Pending, Some(at(10))));
    let done = DeliveryProgress { delivered, pending_since: None, ..pending() };
    assert_eq!(status(done, true), (DeliveryState::Delivered, Some(at(12))));
    assert_eq!(status(DeliveryProgress::default(), true), (DeliveryState::Delivered, None));
    assert_eq!(status(pending(), false), (DeliveryState::NotConfigured, None));
}

#[test]
fn the_status_needs_the_permission_to_read_the_configuration() {
    let deliveries = Deliveries::new(Arc::new(MockDeliveryStore::new()), true);
    let refused = block_on(deliveries.status(&caller(&[Permission::WriteConfiguration])));
    assert!(matches!(refused, Err(Error::Denied(_))));
}
