//! Tests of leases: the requested duration, and the release.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    lease::{LeaseName, LeaseRequest, LeaseTerm, Leases, MockLeaseStore, ReplicaId},
    limits::{LEASE_RELEASE_ATTEMPTS, LEASE_SECONDS},
};

#[test]
fn a_lease_is_requested_for_the_length_of_a_lease() {
    let replica = ReplicaId::from_bits(7);
    let expected = LeaseRequest { name: LeaseName::FeedProduction, replica: replica.clone(), seconds: LEASE_SECONDS };
    let mut store = MockLeaseStore::new();
    store.expect_acquire().withf(move |request| *request == expected).return_once(|_| Ok(Some(LeaseTerm(3))));
    let leases = Leases::new(Arc::new(store), replica);
    assert_eq!(pollster::block_on(leases.acquire(LeaseName::FeedProduction)).unwrap(), Some(LeaseTerm(3)));
}

/// Releases a lease in a store that first fails this number of times. Returns whether the release succeeded, and the
/// number of calls.
fn release(kind: StoreErrorKind, failures: usize) -> (bool, usize) {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut store = MockLeaseStore::new();
    let count = Arc::clone(&calls);
    store.expect_release().returning(move |_, _| {
        let earlier_calls = count.fetch_add(1, Ordering::Relaxed);
        if earlier_calls < failures { Err(StoreError::new(kind, "fails")) } else { Ok(()) }
    });
    let leases = Leases::new(Arc::new(store), ReplicaId::from_bits(7));
    let done = pollster::block_on(leases.release(LeaseName::VocabularyDelivery)).is_ok();
    (done, calls.load(Ordering::Relaxed))
}

#[test]
fn a_release_is_retried_while_the_store_is_unavailable() {
    assert_eq!(release(StoreErrorKind::Unavailable, 0), (true, 1));
    assert_eq!(release(StoreErrorKind::Unavailable, LEASE_RELEASE_ATTEMPTS - 1), (true, LEASE_RELEASE_ATTEMPTS));
}

#[test]
fn a_release_gives_up_if_the_store_stays_unavailable_or_fails_otherwise() {
    assert_eq!(release(StoreErrorKind::Unavailable, usize::MAX), (false, LEASE_RELEASE_ATTEMPTS));
    assert_eq!(release(StoreErrorKind::Unexpected, usize::MAX), (false, 1));
}
