//! What every store of deliveries does.

use parlance_domain::{
    access::TenantId,
    time::Timestamp,
    vocabulary::{
        Admission, Capacity, Removal,
        delivery::{Delivered, DeliveryFailure, DeliveryProgress, Failure, VocabularyEdition},
    },
};
use support::{
    fixtures::{acme, at, globex, vocabulary},
    stores::Stores,
};

contract![
    a_vocabulary_that_was_never_changed_is_not_due,
    every_change_makes_one_version_more_and_is_pending_since_the_first,
    a_refused_change_is_not_pending,
    an_edition_has_every_entry_oldest_first_and_the_version,
    a_vocabulary_emptied_again_has_an_edition_without_entries,
    a_delivered_version_is_not_due,
    a_change_after_the_version_was_read_stays_pending_since_then,
    an_older_delivery_does_not_undo_a_later_one,
    a_failed_attempt_is_due_again_from_its_moment_on,
    failures_count_until_one_attempt_succeeds,
    a_failure_after_the_delivery_is_forgotten,
    every_kind_of_failure_comes_back,
    a_change_does_not_hasten_the_next_attempt,
    an_attempt_that_was_noted_by_a_clock_that_was_set_back_since_is_due,
    those_that_wait_the_longest_are_due_first,
    what_was_delivered_can_be_begun_again,
    a_tenant_sees_nothing_of_anothers_delivery,
];

const LATE: i64 = 1_000_000;

async fn change(stores: &Stores, tenant: &TenantId, number: u128, micros: i64) {
    let entry = parlance_domain::vocabulary::Vocabulary {
        created_at: at(micros),
        ..vocabulary(number, &format!("phrase {number}"))
    };
    let admission = stores.vocabularies.admit(tenant, &entry, Capacity::PER_TENANT, None).await.unwrap();
    assert_eq!(admission, Admission::Admitted);
}

async fn due(stores: &Stores, micros: i64) -> Vec<TenantId> {
    stores.deliveries.due(at(micros), 10).await.unwrap()
}

async fn progress(stores: &Stores) -> DeliveryProgress {
    stores.deliveries.progress(&acme()).await.unwrap()
}

async fn edition(stores: &Stores) -> VocabularyEdition {
    stores.deliveries.edition(&acme()).await.unwrap()
}

async fn delivered(stores: &Stores, version: u64, micros: i64, read_at: i64) -> Delivered {
    let delivered = Delivered { version, at: at(micros) };
    stores.deliveries.note_delivery(&acme(), &delivered, at(read_at)).await.unwrap();
    delivered
}

async fn failed(stores: &Stores, micros: i64, next: i64) -> Failure {
    let failure = Failure { kind: DeliveryFailure::TimedOut, at: at(micros) };
    stores.deliveries.note_failure(&acme(), &failure, at(next)).await.unwrap();
    failure
}

async fn a_vocabulary_that_was_never_changed_is_not_due(stores: Stores) {
    assert_eq!(due(&stores, LATE).await, []);
    assert_eq!(progress(&stores).await, DeliveryProgress::default());
    assert_eq!(edition(&stores).await, VocabularyEdition { version: 0, changed_at: None, entries: Vec::new() });
}

async fn every_change_makes_one_version_more_and_is_pending_since_the_first(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    change(&stores, &acme(), 2, 20).await;
    let id = vocabulary(1, "x").id;
    assert_eq!(stores.vocabularies.remove(&acme(), &id, at(30)).await.unwrap(), Removal::Removed);
    let expected = DeliveryProgress { version: 3, pending_since: Some(at(10)), ..DeliveryProgress::default() };
    assert_eq!(progress(&stores).await, expected);
    assert_eq!(due(&stores, 0).await, [acme()]);
}

async fn a_refused_change_is_not_pending(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    delivered(&stores, 1, 12, 11).await;
    let again = vocabulary(2, "phrase 1");
    let admission = stores.vocabularies.admit(&acme(), &again, Capacity::PER_TENANT, None).await.unwrap();
    assert_eq!(admission, Admission::PhraseTaken);
    assert_eq!(stores.vocabularies.remove(&acme(), &again.id, at(30)).await.unwrap(), Removal::Absent);
    assert_eq!((progress(&stores).await.version, due(&stores, LATE).await), (1, Vec::new()));
}

async fn an_edition_has_every_entry_oldest_first_and_the_version(stores: Stores) {
    for number in [2, 1, 3] {
        change(&stores, &acme(), number, 10).await;
    }
    let VocabularyEdition { version, changed_at, entries } = edition(&stores).await;
    assert_eq!((version, changed_at), (3, Some(at(10))));
    let phrases: Vec<_> = entries.iter().map(|entry| entry.phrase.as_str()).collect();
    assert_eq!(phrases, ["phrase 1", "phrase 2", "phrase 3"]);
    let first = stores.vocabularies.find(&acme(), &vocabulary(1, "x").id).await.unwrap();
    assert_eq!(entries.first(), first.as_ref());
}

async fn a_vocabulary_emptied_again_has_an_edition_without_entries(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    let id = vocabulary(1, "x").id;
    assert_eq!(stores.vocabularies.remove(&acme(), &id, at(30)).await.unwrap(), Removal::Removed);
    let expected = VocabularyEdition { version: 2, changed_at: Some(at(30)), entries: Vec::new() };
    assert_eq!(edition(&stores).await, expected);
}

async fn a_delivered_version_is_not_due(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    let last = delivered(&stores, 1, 12, 11).await;
    let expected = DeliveryProgress { version: 1, delivered: Some(last), ..DeliveryProgress::default() };
    assert_eq!((progress(&stores).await, due(&stores, LATE).await), (expected, Vec::new()));
}

async fn a_change_after_the_version_was_read_stays_pending_since_then(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    change(&stores, &acme(), 2, 20).await;
    let last = delivered(&stores, 1, 22, 15).await;
    let expected = DeliveryProgress {
        version: 2,
        pending_since: Some(at(15)),
        delivered: Some(last),
        ..DeliveryProgress::default()
    };
    assert_eq!((progress(&stores).await, due(&stores, LATE).await), (expected, vec![acme()]));
}

async fn an_older_delivery_does_not_undo_a_later_one(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    change(&stores, &acme(), 2, 20).await;
    let last = delivered(&stores, 2, 25, 21).await;
    for version in [1, 2] {
        delivered(&stores, version, 30, 15).await;
        assert_eq!((progress(&stores).await.delivered, due(&stores, LATE).await), (Some(last), Vec::new()));
    }
}

async fn a_failed_attempt_is_due_again_from_its_moment_on(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    let failure = failed(&stores, 12, 40).await;
    let expected = DeliveryProgress {
        version: 1,
        pending_since: Some(at(10)),
        delivered: None,
        failures: 1,
        last_failure: Some(failure),
        next_attempt: Some(at(40)),
    };
    assert_eq!(progress(&stores).await, expected);
    assert_eq!((due(&stores, 39).await, due(&stores, 40).await), (Vec::new(), vec![acme()]));
}

async fn failures_count_until_one_attempt_succeeds(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    for count in 1..=3 {
        failed(&stores, 12, 13).await;
        assert_eq!(progress(&stores).await.failures, count);
    }
    delivered(&stores, 1, 14, 13).await;
    let DeliveryProgress { failures, last_failure, next_attempt, .. } = progress(&stores).await;
    assert_eq!((failures, last_failure, next_attempt), (0, None, None));
}

async fn a_failure_after_the_delivery_is_forgotten(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    delivered(&stores, 1, 12, 11).await;
    failed(&stores, 13, 14).await;
    assert_eq!((progress(&stores).await.failures, due(&stores, LATE).await), (0, Vec::new()));
}

async fn every_kind_of_failure_comes_back(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    for kind in DeliveryFailure::ALL {
        let failure = Failure { kind, at: Timestamp::MAX };
        stores.deliveries.note_failure(&acme(), &failure, at(20)).await.unwrap();
        assert_eq!(progress(&stores).await.last_failure, Some(failure));
    }
}

async fn a_change_does_not_hasten_the_next_attempt(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    failed(&stores, 12, 40).await;
    change(&stores, &acme(), 2, 20).await;
    assert_eq!((progress(&stores).await.pending_since, due(&stores, 39).await), (Some(at(10)), Vec::new()));
}

async fn an_attempt_that_was_noted_by_a_clock_that_was_set_back_since_is_due(stores: Stores) {
    let day = 86_400_000_000;
    change(&stores, &acme(), 1, day).await;
    failed(&stores, day + 1, day + 15_000_000).await;
    assert_eq!(due(&stores, day + 2).await, []);
    assert_eq!(due(&stores, 2).await, [acme()]);
}

async fn those_that_wait_the_longest_are_due_first(stores: Stores) {
    let names: Vec<_> = (0..4).map(|number| TenantId::parse(&format!("tenant-{number}")).unwrap()).collect();
    for (tenant, micros) in names.iter().zip([30, 10, 20, 10]) {
        change(&stores, tenant, 1, micros).await;
    }
    let due = stores.deliveries.due(at(LATE), 3).await.unwrap();
    let due: Vec<_> = due.iter().map(TenantId::as_str).collect();
    assert_eq!(due, ["tenant-1", "tenant-3", "tenant-2"]);
}

async fn what_was_delivered_can_be_begun_again(stores: Stores) {
    for tenant in [acme(), globex()] {
        change(&stores, &tenant, 1, 10).await;
    }
    delivered(&stores, 1, 12, 11).await;
    assert_eq!(stores.deliveries.begin_again(Some(&acme()), at(50)).await.unwrap(), 1);
    let expected = DeliveryProgress { version: 1, pending_since: Some(at(50)), ..DeliveryProgress::default() };
    assert_eq!(progress(&stores).await, expected);
    let last = delivered(&stores, 1, 52, 51).await;
    assert_eq!((progress(&stores).await.delivered, due(&stores, LATE).await), (Some(last), vec![globex()]));
    assert_eq!(stores.deliveries.begin_again(None, at(60)).await.unwrap(), 2);
    assert_eq!(due(&stores, LATE).await, [globex(), acme()]);
}

async fn a_tenant_sees_nothing_of_anothers_delivery(stores: Stores) {
    change(&stores, &acme(), 1, 10).await;
    change(&stores, &globex(), 2, 10).await;
    delivered(&stores, 1, 12, 11).await;
    let own = stores.deliveries.progress(&globex()).await.unwrap();
    assert_eq!((own.delivered, due(&stores, LATE).await), (None, vec![globex()]));
    let edition = stores.deliveries.edition(&globex()).await.unwrap();
    assert_eq!(edition.entries.iter().map(|entry| entry.phrase.as_str()).collect::<Vec<_>>(), ["phrase 2"]);
}
