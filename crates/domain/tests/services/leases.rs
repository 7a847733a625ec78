//! How long a duty is asked for, and how it is given back.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    lease::{Duties, Duty, LeaseRequest, MockLeaseStore, ReplicaId, Term},
    limits::{LEASE_RETURN_ATTEMPTS, LEASE_SECONDS},
    time::{MockClock, Timestamp},
};

#[test]
fn a_duty_is_asked_for_from_the_present_moment_for_the_length_of_a_lease() {
    let now = Timestamp::from_micros(5).unwrap();
    let replica = ReplicaId::from_bits(7);
    let until = now.plus_seconds(LEASE_SECONDS);
    let expected = LeaseRequest { duty: Duty::FeedProduction, replica: replica.clone(), now, until };
    let mut clock = MockClock::new();
    clock.expect_now().return_const(now);
    let mut store = MockLeaseStore::new();
    store.expect_take().withf(move |request| *request == expected).return_once(|_| Ok(Some(Term(3))));
    let duties = Duties::new(Arc::new(store), Arc::new(clock), replica);
    assert_eq!(pollster::block_on(duties.take(Duty::FeedProduction)).unwrap(), Some(Term(3)));
}

/// Whether a duty is given back to a store that fails so many times first, and how often it was asked.
fn given_back(kind: StoreErrorKind, failures: usize) -> (bool, usize) {
    let asked = Arc::new(AtomicUsize::new(0));
    let mut store = MockLeaseStore::new();
    let count = Arc::clone(&asked);
    store.expect_give_back().returning(move |_, _| {
        let before = count.fetch_add(1, Ordering::Relaxed);
        if before < failures { Err(StoreError::new(kind, "fails")) } else { Ok(()) }
    });
    let duties = Duties::new(Arc::new(store), Arc::new(MockClock::new()), ReplicaId::from_bits(7));
    let done = pollster::block_on(duties.give_back(Duty::VocabularyDelivery)).is_ok();
    (done, asked.load(Ordering::Relaxed))
}

#[test]
fn a_duty_is_given_back_to_a_store_that_was_out_of_reach_for_a_moment() {
    assert_eq!(given_back(StoreErrorKind::Unavailable, 0), (true, 1));
    assert_eq!(given_back(StoreErrorKind::Unavailable, LEASE_RETURN_ATTEMPTS - 1), (true, LEASE_RETURN_ATTEMPTS));
}

#[test]
fn a_duty_is_left_to_end_by_itself_where_the_store_stays_out_of_reach_or_fails_otherwise() {
    assert_eq!(given_back(StoreErrorKind::Unavailable, usize::MAX), (false, LEASE_RETURN_ATTEMPTS));
    assert_eq!(given_back(StoreErrorKind::Unexpected, usize::MAX), (false, 1));
}
