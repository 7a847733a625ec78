//! How long a duty is asked for.

use std::sync::Arc;

use parlance_domain::{
    lease::{Duties, Duty, LeaseRequest, MockLeaseStore, ReplicaId, Term},
    limits::LEASE_SECONDS,
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
