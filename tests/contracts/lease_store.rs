//! Contract of lease stores.

use std::sync::Arc;

use parlance_domain::lease::{LeaseName, LeaseRequest, LeaseTerm, ReplicaId};
use support::stores::TestStores;
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_free_lease_is_granted,
    a_held_lease_is_refused_to_another_replica,
    a_held_lease_is_renewed_in_the_same_term,
    an_expired_lease_is_granted_to_another_replica_in_a_new_term,
    an_expired_lease_starts_a_new_term_for_its_own_holder_too,
    a_lease_acquired_before_the_clock_was_set_back_is_granted_in_a_new_term,
    a_refusal_leaves_the_lease_unchanged,
    a_released_lease_is_free_at_once,
    only_the_holder_can_release_a_lease,
    leases_are_independent_of_each_other,
    exactly_one_of_racing_replicas_gets_the_lease,
];

const LEASE: LeaseName = LeaseName::VocabularyDelivery;

/// Longer than any test takes.
const LONG: i64 = 1_000;

fn request(replica: u128, seconds: i64) -> LeaseRequest {
    LeaseRequest { name: LEASE, replica: ReplicaId::from_bits(replica), seconds }
}

/// Acquires the lease for this number of seconds. With 0 seconds, it expires at once.
async fn acquire(stores: &TestStores, replica: u128, seconds: i64) -> Option<LeaseTerm> {
    stores.leases.acquire(&request(replica, seconds)).await.unwrap()
}

async fn a_free_lease_is_granted(stores: TestStores) {
    assert_eq!(acquire(&stores, 1, LONG).await, Some(LeaseTerm(1)));
}

async fn a_held_lease_is_refused_to_another_replica(stores: TestStores) {
    acquire(&stores, 1, LONG).await;
    assert_eq!(acquire(&stores, 2, LONG).await, None);
}

async fn a_held_lease_is_renewed_in_the_same_term(stores: TestStores) {
    acquire(&stores, 1, LONG).await;
    assert_eq!(acquire(&stores, 1, LONG).await, Some(LeaseTerm(1)));
    assert_eq!(acquire(&stores, 2, LONG).await, None);
}

async fn an_expired_lease_is_granted_to_another_replica_in_a_new_term(stores: TestStores) {
    acquire(&stores, 1, 0).await;
    assert_eq!(acquire(&stores, 2, LONG).await, Some(LeaseTerm(2)));
    assert_eq!(acquire(&stores, 1, LONG).await, None);
}

async fn an_expired_lease_starts_a_new_term_for_its_own_holder_too(stores: TestStores) {
    acquire(&stores, 1, 0).await;
    assert_eq!(acquire(&stores, 1, LONG).await, Some(LeaseTerm(2)));
}

/// A lease that expires later than twice the duration from now was acquired before the clock was set back.
async fn a_lease_acquired_before_the_clock_was_set_back_is_granted_in_a_new_term(stores: TestStores) {
    acquire(&stores, 1, LONG + LONG / 2).await;
    assert_eq!(acquire(&stores, 2, LONG).await, None, "the expiry is plausible");
    assert_eq!(acquire(&stores, 2, LONG / 10).await, Some(LeaseTerm(2)));
    assert_eq!(acquire(&stores, 1, LONG / 10).await, None);
}

async fn a_refusal_leaves_the_lease_unchanged(stores: TestStores) {
    acquire(&stores, 1, LONG).await;
    assert_eq!(acquire(&stores, 2, LONG).await, None);
    assert_eq!(acquire(&stores, 1, LONG).await, Some(LeaseTerm(1)));
    stores.leases.release(LEASE, &ReplicaId::from_bits(1)).await.unwrap();
    assert_eq!(acquire(&stores, 3, LONG).await, Some(LeaseTerm(2)));
}

async fn a_released_lease_is_free_at_once(stores: TestStores) {
    acquire(&stores, 1, LONG).await;
    stores.leases.release(LEASE, &ReplicaId::from_bits(1)).await.unwrap();
    assert_eq!(acquire(&stores, 2, LONG).await, Some(LeaseTerm(2)));
}

async fn only_the_holder_can_release_a_lease(stores: TestStores) {
    acquire(&stores, 1, LONG).await;
    stores.leases.release(LEASE, &ReplicaId::from_bits(2)).await.unwrap();
    assert_eq!(acquire(&stores, 2, LONG).await, None);
}

async fn leases_are_independent_of_each_other(stores: TestStores) {
    for (number, name) in (1..).zip(LeaseName::ALL) {
        let request = LeaseRequest { name, ..request(number, LONG) };
        assert_eq!(stores.leases.acquire(&request).await.unwrap(), Some(LeaseTerm(1)), "{name:?}");
    }
}

async fn exactly_one_of_racing_replicas_gets_the_lease(stores: TestStores) {
    acquire(&stores, 99, 0).await;
    let barrier = Arc::new(Barrier::new(20));
    let mut racers = JoinSet::new();
    for replica in 0..20 {
        let (stores, barrier) = (stores.clone(), Arc::clone(&barrier));
        racers.spawn(async move {
            barrier.wait().await;
            acquire(&stores, replica, LONG).await
        });
    }
    let terms: Vec<LeaseTerm> = racers.join_all().await.into_iter().flatten().collect();
    assert_eq!(terms, [LeaseTerm(2)]);
}
