//! Tests of the reconciler and of the delivery status.

use std::{sync::Arc, time::Duration};

use mockall::predicate::eq;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    time::{MockClock, Timestamp},
    vocabulary::delivery::{
        AttemptFailure, DeliveredVersion, Deliveries, DeliveryError, DeliveryErrorKind, DeliveryOutcome,
        DeliveryProgress, DeliveryState, MockDeliveryStore, MockTranscriptionComponent, Reconciler, Redelivery,
        VocabularySnapshot,
    },
};
use pollster::block_on;

use super::{at, caller, tenant};

/// Version 7, with undelivered changes since second 10.
fn pending() -> DeliveryProgress {
    DeliveryProgress { version: 7, pending_since: Some(at(10)), ..DeliveryProgress::default() }
}

fn snapshot(version: u64) -> VocabularySnapshot {
    VocabularySnapshot { version, changed_at: Some(at(10)), entries: Vec::new() }
}

fn store(progress: DeliveryProgress) -> MockDeliveryStore {
    let mut store = MockDeliveryStore::new();
    store.expect_progress().times(1).with(eq(tenant())).return_once(move |_| Ok(progress));
    store
}

fn store_with_snapshot(progress: DeliveryProgress) -> MockDeliveryStore {
    let mut store = store(progress);
    store.expect_snapshot().with(eq(tenant())).return_once(|_| Ok(snapshot(7)));
    store
}

fn component(outcome: Result<(), DeliveryErrorKind>) -> MockTranscriptionComponent {
    let mut component = MockTranscriptionComponent::new();
    component
        .expect_push()
        .withf(|to, pushed| *to == tenant() && *pushed == snapshot(7))
        .return_once(move |_, _| outcome.map_err(|kind| DeliveryError::new(kind, "cause")));
    component
}

/// A reconciler that reads the vocabulary at second 20 and gets the component's answer at second 22.
fn reconciler(store: MockDeliveryStore, component: MockTranscriptionComponent) -> Reconciler {
    let mut clock = MockClock::new();
    let mut times = [at(20), at(22)].into_iter();
    clock.expect_now().returning(move || times.next().unwrap());
    Reconciler::new(Arc::new(store), Arc::new(component), Arc::new(clock))
}

/// The progress after the delivery of version 7, which the reconciler reads at second 20.
fn delivered(progress: DeliveryProgress) -> DeliveryProgress {
    progress.after_delivery(DeliveredVersion { version: 7, delivered_at: at(22) }, at(20)).unwrap()
}

#[test]
fn a_delivery_is_recorded_with_its_version_and_read_time() {
    let mut store = store_with_snapshot(pending());
    let recorded = delivered(pending());
    store.expect_compare_and_set().with(eq(tenant()), eq(pending()), eq(recorded)).return_once(|_, _, _| Ok(true));
    let attempt = block_on(reconciler(store, component(Ok(()))).deliver(&tenant())).unwrap();
    assert!(
        matches!(attempt, DeliveryOutcome::Delivered { version: 7, latency } if latency == Duration::from_secs(12))
    );
}

#[test]
fn a_change_by_a_clock_that_is_ahead_has_zero_latency() {
    let mut store = store_with_snapshot(DeliveryProgress { pending_since: Some(at(99)), ..pending() });
    store.expect_compare_and_set().return_once(|_, _, _| Ok(true));
    let attempt = block_on(reconciler(store, component(Ok(()))).deliver(&tenant())).unwrap();
    assert!(matches!(attempt, DeliveryOutcome::Delivered { latency: Duration::ZERO, .. }));
}

fn next_attempt(failures: u32) -> Timestamp {
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut store = store_with_snapshot(DeliveryProgress { failures, ..pending() });
    store.expect_compare_and_set().return_once(move |to, _, next| {
        assert_eq!(*to, tenant());
        let failure = AttemptFailure { kind: DeliveryErrorKind::Unreachable, failed_at: at(22) };
        assert_eq!(next.last_failure, Some(failure));
        sender.send(next.next_attempt.unwrap()).unwrap();
        Ok(true)
    });
    let component = component(Err(DeliveryErrorKind::Unreachable));
    let attempt = block_on(reconciler(store, component).deliver(&tenant())).unwrap();
    assert!(matches!(attempt, DeliveryOutcome::Failed { failures: count, .. } if count == failures + 1));
    receiver.recv().unwrap()
}

#[test]
fn a_failure_is_recorded_with_its_kind_and_retried_with_growing_bounded_backoff() {
    let times = [0, 1, 2, 3, 4, 100].map(next_attempt);
    assert_eq!(times, [23, 24, 26, 30, 37, 37].map(at));
}

#[test]
fn an_unreadable_stored_vocabulary_is_a_failed_attempt() {
    let mut store = store(pending());
    store.expect_snapshot().return_once(|_| Err(StoreError::new(StoreErrorKind::Corrupt, "row")));
    let unreadable = |next: &DeliveryProgress| next.last_failure.unwrap().kind == DeliveryErrorKind::Unreadable;
    store.expect_compare_and_set().withf(move |_, _, next| unreadable(next)).return_once(|_, _, _| Ok(true));
    let attempt = block_on(reconciler(store, MockTranscriptionComponent::new()).deliver(&tenant())).unwrap();
    assert!(matches!(attempt, DeliveryOutcome::Failed { failures: 1, .. }));
}

#[test]
fn nothing_is_pushed_if_nothing_is_pending() {
    let store = store(DeliveryProgress { pending_since: None, ..pending() });
    let attempt = block_on(reconciler(store, MockTranscriptionComponent::new()).deliver(&tenant())).unwrap();
    assert!(matches!(attempt, DeliveryOutcome::Idle));
}

#[test]
fn an_unavailable_store_is_not_a_failed_attempt() {
    let mut store = store(pending());
    store.expect_snapshot().return_once(|_| Err(StoreError::new(StoreErrorKind::Unavailable, "down")));
    let outcome = block_on(reconciler(store, MockTranscriptionComponent::new()).deliver(&tenant()));
    assert_eq!(outcome.err().map(|error| error.kind()), Some(StoreErrorKind::Unavailable));
}

#[test]
fn a_change_during_the_push_stays_pending_since_the_read() {
    let changed = pending().after_change(at(21));
    let mut store = store_with_snapshot(pending());
    store
        .expect_compare_and_set()
        .times(1)
        .with(eq(tenant()), eq(pending()), eq(delivered(pending())))
        .return_once(|_, _, _| Ok(false));
    store.expect_progress().return_once(move |_| Ok(changed));
    let recorded = delivered(changed);
    assert_eq!(recorded.pending_since, Some(at(20)));
    store.expect_compare_and_set().with(eq(tenant()), eq(changed), eq(recorded)).return_once(|_, _, _| Ok(true));
    let attempt = block_on(reconciler(store, component(Ok(()))).deliver(&tenant())).unwrap();
    assert!(matches!(attempt, DeliveryOutcome::Delivered { version: 7, .. }));
}

#[test]
fn a_delivery_that_another_process_has_recorded_is_not_recorded_again() {
    let mut store = store_with_snapshot(pending());
    store.expect_compare_and_set().times(1).return_once(|_, _, _| Ok(false));
    store.expect_progress().return_once(|_| Ok(delivered(pending())));
    let attempt = block_on(reconciler(store, component(Ok(()))).deliver(&tenant())).unwrap();
    assert!(matches!(attempt, DeliveryOutcome::Delivered { version: 7, .. }));
}

/// The component may have lost the version that it received before the operator queued the vocabulary anew.
#[test]
fn a_delivery_that_began_before_a_requeue_is_not_recorded() {
    for before in [pending(), DeliveryProgress { failures: 2, ..pending() }] {
        let mut store = store_with_snapshot(before);
        store.expect_compare_and_set().times(1).return_once(|_, _, _| Ok(false));
        store.expect_progress().return_once(move |_| Ok(before.after_requeue(at(21)).unwrap()));
        let attempt = block_on(reconciler(store, component(Ok(()))).deliver(&tenant())).unwrap();
        assert!(matches!(attempt, DeliveryOutcome::Delivered { version: 7, .. }));
    }
}

#[test]
fn a_progress_that_changes_during_every_attempt_ends_as_an_unavailable_store() {
    let mut store = MockDeliveryStore::new();
    store.expect_progress().returning(|_| Ok(pending()));
    store.expect_snapshot().return_once(|_| Ok(snapshot(7)));
    store.expect_compare_and_set().times(8).returning(|_, _, _| Ok(false));
    let outcome = block_on(reconciler(store, component(Ok(()))).deliver(&tenant()));
    assert_eq!(outcome.err().map(|error| error.kind()), Some(StoreErrorKind::Unavailable));
}

fn requeue(store: MockDeliveryStore) -> Result<u64, StoreError> {
    let mut clock = MockClock::new();
    clock.expect_now().return_const(at(50));
    block_on(Redelivery::new(Arc::new(store), Arc::new(clock)).requeue(None))
}

#[test]
fn a_damaged_progress_is_an_error_after_every_other_vocabulary_is_queued() {
    let other = TenantId::parse("other").unwrap();
    let (mut store, tenants) = (MockDeliveryStore::new(), vec![tenant(), other.clone()]);
    store.expect_tenants().return_once(|| Ok(tenants));
    let damaged = StoreError::new(StoreErrorKind::Corrupt, "row");
    store.expect_progress().with(eq(tenant())).return_once(|_| Err(damaged));
    store.expect_progress().with(eq(other.clone())).return_once(|_| Ok(delivered(pending())));
    let queued = DeliveryProgress { pending_since: Some(at(50)), ..pending() };
    store
        .expect_compare_and_set()
        .times(1)
        .with(eq(other), eq(delivered(pending())), eq(queued))
        .return_once(|_, _, _| Ok(true));
    assert!(matches!(requeue(store), Err(error) if error.kind() == StoreErrorKind::Corrupt));
}

fn status(progress: DeliveryProgress, configured: bool) -> (DeliveryState, Option<Timestamp>) {
    let deliveries = Deliveries::new(Arc::new(store(progress)), configured);
    let report = block_on(deliveries.status(&caller())).unwrap();
    assert_eq!(report.progress, progress);
    (report.state, report.since)
}

#[test]
fn the_status_tells_whether_and_since_when_the_newest_version_is_delivered() {
    let delivered = Some(DeliveredVersion { version: 7, delivered_at: at(12) });
    assert_eq!(status(DeliveryProgress { delivered, ..pending() }, true), (DeliveryState::Pending, Some(at(10))));
    let done = DeliveryProgress { delivered, pending_since: None, ..pending() };
    assert_eq!(status(done, true), (DeliveryState::Delivered, Some(at(12))));
    assert_eq!(status(DeliveryProgress::default(), true), (DeliveryState::Delivered, None));
    assert_eq!(status(pending(), false), (DeliveryState::NotConfigured, None));
}
