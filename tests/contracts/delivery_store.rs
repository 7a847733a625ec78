//! Contract of delivery stores.

use std::sync::Arc;

use parlance_domain::{
    access::TenantId,
    time::{MICROS_PER_DAY, Timestamp},
    vocabulary::{
        Capacity, InsertOutcome, RemoveOutcome,
        delivery::{
            AttemptFailure, DeliveredVersion, DeliveryErrorKind, DeliveryProgress, Redelivery, VocabularySnapshot,
        },
    },
};
use support::{
    fixtures::{FrozenClock, acme, from_micros, globex, vocabulary_entry},
    stores::TestStores,
};

contract![
    a_vocabulary_that_was_never_changed_is_not_due,
    every_change_increments_the_version_and_is_pending_since_the_first_change,
    a_refused_change_is_not_pending,
    a_snapshot_has_the_version_and_every_entry_oldest_first,
    an_emptied_vocabulary_has_a_snapshot_without_entries,
    a_delivered_version_is_not_due,
    a_change_after_the_version_was_read_stays_pending_since_the_read,
    an_older_delivery_does_not_replace_a_newer_one,
    a_failed_delivery_is_due_again_from_its_next_attempt_on,
    failures_are_counted_until_an_attempt_succeeds,
    a_failure_after_the_delivery_is_ignored,
    every_kind_of_failure_is_read_back,
    a_change_does_not_hasten_the_next_attempt,
    an_attempt_that_was_recorded_before_the_clock_was_set_back_is_due,
    tenants_that_wait_longest_are_due_first,
    a_delivered_vocabulary_can_be_requeued,
    a_tenant_does_not_see_another_tenants_delivery,
    a_lost_comparison_stores_nothing,
    a_comparison_fails_for_a_vocabulary_that_was_never_changed,
];

const FAR_FUTURE: i64 = 1_000_000;

async fn add_entry(stores: &TestStores, tenant: &TenantId, number: u128, micros: i64) {
    let entry = parlance_domain::vocabulary::VocabularyEntry {
        created_at: from_micros(micros),
        ..vocabulary_entry(number, &format!("phrase {number}"))
    };
    let admission = stores.vocabularies.insert(tenant, &entry, Capacity::PER_TENANT, None).await.unwrap();
    assert_eq!(admission, InsertOutcome::Inserted);
}

async fn due(stores: &TestStores, micros: i64) -> Vec<TenantId> {
    stores.deliveries.due(from_micros(micros), 10).await.unwrap()
}

async fn progress(stores: &TestStores) -> DeliveryProgress {
    stores.deliveries.progress(&acme()).await.unwrap()
}

async fn snapshot(stores: &TestStores) -> VocabularySnapshot {
    stores.deliveries.snapshot(&acme()).await.unwrap()
}

async fn store(stores: &TestStores, expected: &DeliveryProgress, next: &DeliveryProgress) -> bool {
    stores.deliveries.compare_and_set(&acme(), expected, next).await.unwrap()
}

async fn record_delivery(stores: &TestStores, version: u64, micros: i64, read_at: i64) -> DeliveredVersion {
    let (delivered, before) = (DeliveredVersion { version, delivered_at: from_micros(micros) }, progress(stores).await);
    if let Some(next) = before.after_delivery(delivered, from_micros(read_at)) {
        assert!(store(stores, &before, &next).await);
    }
    delivered
}

async fn record_failure(stores: &TestStores, micros: i64, next: i64) -> AttemptFailure {
    let failure = AttemptFailure { kind: DeliveryErrorKind::TimedOut, failed_at: from_micros(micros) };
    record_failure_until(stores, failure, from_micros(next)).await;
    failure
}

/// Records a failure with this time of the next attempt.
async fn record_failure_until(stores: &TestStores, failure: AttemptFailure, next_attempt: Timestamp) {
    let before = progress(stores).await;
    if let Some(next) = before.after_failure(failure) {
        let next = DeliveryProgress { next_attempt: Some(next_attempt), ..next };
        assert!(store(stores, &before, &next).await);
    }
}

async fn requeue(stores: &TestStores, tenant: Option<&TenantId>, micros: i64) -> u64 {
    let clock = Arc::new(FrozenClock(from_micros(micros)));
    Redelivery::new(Arc::clone(&stores.deliveries), clock).requeue(tenant).await.unwrap()
}

async fn a_vocabulary_that_was_never_changed_is_not_due(stores: TestStores) {
    assert_eq!(due(&stores, FAR_FUTURE).await, []);
    assert_eq!(progress(&stores).await, DeliveryProgress::default());
    assert_eq!(snapshot(&stores).await, VocabularySnapshot { version: 0, changed_at: None, entries: Vec::new() });
}

async fn every_change_increments_the_version_and_is_pending_since_the_first_change(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    add_entry(&stores, &acme(), 2, 20).await;
    let id = vocabulary_entry(1, "x").id;
    assert_eq!(stores.vocabularies.remove(&acme(), &id, from_micros(30)).await.unwrap(), RemoveOutcome::Removed);
    let expected = DeliveryProgress { version: 3, pending_since: Some(from_micros(10)), ..DeliveryProgress::default() };
    assert_eq!(progress(&stores).await, expected);
    assert_eq!(due(&stores, 0).await, [acme()]);
}

async fn a_refused_change_is_not_pending(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    record_delivery(&stores, 1, 12, 11).await;
    let duplicate = vocabulary_entry(2, "phrase 1");
    let admission = stores.vocabularies.insert(&acme(), &duplicate, Capacity::PER_TENANT, None).await.unwrap();
    assert_eq!(admission, InsertOutcome::PhraseTaken);
    assert_eq!(
        stores.vocabularies.remove(&acme(), &duplicate.id, from_micros(30)).await.unwrap(),
        RemoveOutcome::NotFound
    );
    assert_eq!((progress(&stores).await.version, due(&stores, FAR_FUTURE).await), (1, Vec::new()));
}

async fn a_snapshot_has_the_version_and_every_entry_oldest_first(stores: TestStores) {
    for number in [2, 1, 3] {
        add_entry(&stores, &acme(), number, 10).await;
    }
    let VocabularySnapshot { version, changed_at, entries } = snapshot(&stores).await;
    assert_eq!((version, changed_at), (3, Some(from_micros(10))));
    let phrases: Vec<_> = entries.iter().map(|entry| entry.phrase.as_str()).collect();
    assert_eq!(phrases, ["phrase 1", "phrase 2", "phrase 3"]);
    let first = stores.vocabularies.find(&acme(), &vocabulary_entry(1, "x").id).await.unwrap();
    assert_eq!(entries.first(), first.as_ref());
}

async fn an_emptied_vocabulary_has_a_snapshot_without_entries(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    let id = vocabulary_entry(1, "x").id;
    assert_eq!(stores.vocabularies.remove(&acme(), &id, from_micros(30)).await.unwrap(), RemoveOutcome::Removed);
    let expected = VocabularySnapshot { version: 2, changed_at: Some(from_micros(30)), entries: Vec::new() };
    assert_eq!(snapshot(&stores).await, expected);
}

async fn a_delivered_version_is_not_due(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    let last = record_delivery(&stores, 1, 12, 11).await;
    let expected = DeliveryProgress { version: 1, delivered: Some(last), ..DeliveryProgress::default() };
    assert_eq!((progress(&stores).await, due(&stores, FAR_FUTURE).await), (expected, Vec::new()));
}

async fn a_change_after_the_version_was_read_stays_pending_since_the_read(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    add_entry(&stores, &acme(), 2, 20).await;
    let last = record_delivery(&stores, 1, 22, 15).await;
    let expected = DeliveryProgress {
        version: 2,
        pending_since: Some(from_micros(15)),
        delivered: Some(last),
        ..DeliveryProgress::default()
    };
    assert_eq!((progress(&stores).await, due(&stores, FAR_FUTURE).await), (expected, vec![acme()]));
}

async fn an_older_delivery_does_not_replace_a_newer_one(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    add_entry(&stores, &acme(), 2, 20).await;
    let last = record_delivery(&stores, 2, 25, 21).await;
    for version in [1, 2] {
        record_delivery(&stores, version, 30, 15).await;
        assert_eq!((progress(&stores).await.delivered, due(&stores, FAR_FUTURE).await), (Some(last), Vec::new()));
    }
}

async fn a_failed_delivery_is_due_again_from_its_next_attempt_on(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    let failure = record_failure(&stores, 12, 40).await;
    let expected = DeliveryProgress {
        version: 1,
        pending_since: Some(from_micros(10)),
        delivered: None,
        failures: 1,
        last_failure: Some(failure),
        next_attempt: Some(from_micros(40)),
    };
    assert_eq!(progress(&stores).await, expected);
    assert_eq!((due(&stores, 39).await, due(&stores, 40).await), (Vec::new(), vec![acme()]));
}

async fn failures_are_counted_until_an_attempt_succeeds(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    for count in 1..=3 {
        record_failure(&stores, 12, 13).await;
        assert_eq!(progress(&stores).await.failures, count);
    }
    record_delivery(&stores, 1, 14, 13).await;
    let DeliveryProgress { failures, last_failure, next_attempt, .. } = progress(&stores).await;
    assert_eq!((failures, last_failure, next_attempt), (0, None, None));
}

async fn a_failure_after_the_delivery_is_ignored(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    record_delivery(&stores, 1, 12, 11).await;
    record_failure(&stores, 13, 14).await;
    assert_eq!((progress(&stores).await.failures, due(&stores, FAR_FUTURE).await), (0, Vec::new()));
}

async fn every_kind_of_failure_is_read_back(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    for kind in DeliveryErrorKind::ALL {
        let failure = AttemptFailure { kind, failed_at: Timestamp::MAX };
        record_failure_until(&stores, failure, from_micros(20)).await;
        assert_eq!(progress(&stores).await.last_failure, Some(failure));
    }
}

async fn a_change_does_not_hasten_the_next_attempt(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    record_failure(&stores, 12, 40).await;
    add_entry(&stores, &acme(), 2, 20).await;
    assert_eq!((progress(&stores).await.pending_since, due(&stores, 39).await), (Some(from_micros(10)), Vec::new()));
}

async fn an_attempt_that_was_recorded_before_the_clock_was_set_back_is_due(stores: TestStores) {
    let day = MICROS_PER_DAY;
    add_entry(&stores, &acme(), 1, day).await;
    record_failure(&stores, day + 1, day + 15_000_000).await;
    assert_eq!(due(&stores, day + 2).await, []);
    assert_eq!(due(&stores, 2).await, [acme()]);
}

async fn tenants_that_wait_longest_are_due_first(stores: TestStores) {
    let tenants: Vec<_> = (0..4).map(|number| TenantId::parse(&format!("tenant-{number}")).unwrap()).collect();
    for (tenant, micros) in tenants.iter().zip([30, 10, 20, 10]) {
        add_entry(&stores, tenant, 1, micros).await;
    }
    let due = stores.deliveries.due(from_micros(FAR_FUTURE), 3).await.unwrap();
    let due: Vec<_> = due.iter().map(TenantId::as_str).collect();
    assert_eq!(due, ["tenant-1", "tenant-3", "tenant-2"]);
}

async fn a_delivered_vocabulary_can_be_requeued(stores: TestStores) {
    for tenant in [acme(), globex()] {
        add_entry(&stores, &tenant, 1, 10).await;
    }
    record_delivery(&stores, 1, 12, 11).await;
    assert_eq!(requeue(&stores, Some(&acme()), 50).await, 1);
    let expected = DeliveryProgress { version: 1, pending_since: Some(from_micros(50)), ..DeliveryProgress::default() };
    assert_eq!(progress(&stores).await, expected);
    let last = record_delivery(&stores, 1, 52, 51).await;
    assert_eq!((progress(&stores).await.delivered, due(&stores, FAR_FUTURE).await), (Some(last), vec![globex()]));
    assert_eq!(requeue(&stores, None, 60).await, 2);
    assert_eq!(due(&stores, FAR_FUTURE).await, [globex(), acme()]);
}

async fn a_tenant_does_not_see_another_tenants_delivery(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    add_entry(&stores, &globex(), 2, 10).await;
    record_delivery(&stores, 1, 12, 11).await;
    let progress = stores.deliveries.progress(&globex()).await.unwrap();
    assert_eq!((progress.delivered, due(&stores, FAR_FUTURE).await), (None, vec![globex()]));
    let snapshot = stores.deliveries.snapshot(&globex()).await.unwrap();
    assert_eq!(snapshot.entries.iter().map(|entry| entry.phrase.as_str()).collect::<Vec<_>>(), ["phrase 2"]);
}

async fn a_lost_comparison_stores_nothing(stores: TestStores) {
    add_entry(&stores, &acme(), 1, 10).await;
    let read = progress(&stores).await;
    add_entry(&stores, &acme(), 2, 20).await;
    let delivered = DeliveredVersion { version: 1, delivered_at: from_micros(22) };
    let complete = read.after_delivery(delivered, from_micros(15)).unwrap();
    assert!(!store(&stores, &read, &complete).await);
    let unchanged =
        DeliveryProgress { version: 2, pending_since: Some(from_micros(10)), ..DeliveryProgress::default() };
    assert_eq!(progress(&stores).await, unchanged);
}

async fn a_comparison_fails_for_a_vocabulary_that_was_never_changed(stores: TestStores) {
    let none = DeliveryProgress::default();
    assert!(!store(&stores, &none, &none.after_change(from_micros(10))).await);
    assert_eq!((progress(&stores).await, stores.deliveries.tenants().await.unwrap()), (none, Vec::new()));
}
