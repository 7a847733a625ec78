//! What every store of leases does.

use std::sync::Arc;

use parlance_domain::lease::{Duty, LeaseRequest, ReplicaId, Term};
use support::{fixtures::at, stores::Stores};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_duty_that_nobody_has_is_given,
    a_duty_that_another_has_is_refused,
    a_duty_that_one_has_is_prolonged_in_the_same_term,
    a_duty_that_has_run_out_goes_to_the_next_in_a_new_term,
    a_duty_that_has_run_out_begins_a_new_term_for_its_own_holder_too,
    a_lease_taken_by_a_clock_that_was_set_back_since_goes_to_the_next_in_a_new_term,
    a_refusal_leaves_the_lease_as_it_was,
    a_duty_given_back_is_free_at_once,
    only_its_holder_can_give_a_duty_back,
    duties_do_not_hinder_each_other,
    of_racing_replicas_one_is_given_the_duty,
];

const DUTY: Duty = Duty::VocabularyDelivery;

fn ask(replica: u128, now: i64, until: i64) -> LeaseRequest {
    LeaseRequest { duty: DUTY, replica: ReplicaId::from_bits(replica), now: at(now), until: at(until) }
}

async fn take(stores: &Stores, replica: u128, now: i64, until: i64) -> Option<Term> {
    stores.leases.take(&ask(replica, now, until)).await.unwrap()
}

async fn a_duty_that_nobody_has_is_given(stores: Stores) {
    assert_eq!(take(&stores, 1, 10, 20).await, Some(Term(1)));
}

async fn a_duty_that_another_has_is_refused(stores: Stores) {
    take(&stores, 1, 10, 20).await;
    assert_eq!(take(&stores, 2, 19, 30).await, None);
}

async fn a_duty_that_one_has_is_prolonged_in_the_same_term(stores: Stores) {
    take(&stores, 1, 10, 20).await;
    assert_eq!(take(&stores, 1, 15, 40).await, Some(Term(1)));
    assert_eq!(take(&stores, 2, 39, 50).await, None);
}

async fn a_duty_that_has_run_out_goes_to_the_next_in_a_new_term(stores: Stores) {
    take(&stores, 1, 10, 20).await;
    assert_eq!(take(&stores, 2, 20, 30).await, Some(Term(2)));
    assert_eq!(take(&stores, 1, 21, 30).await, None);
}

async fn a_duty_that_has_run_out_begins_a_new_term_for_its_own_holder_too(stores: Stores) {
    take(&stores, 1, 10, 20).await;
    assert_eq!(take(&stores, 1, 20, 30).await, Some(Term(2)));
}

async fn a_lease_taken_by_a_clock_that_was_set_back_since_goes_to_the_next_in_a_new_term(stores: Stores) {
    take(&stores, 1, 1_000, 1_010).await;
    assert_eq!(take(&stores, 2, 991, 1_001).await, None, "clocks may differ by as much as a lease");
    assert_eq!(take(&stores, 2, 10, 20).await, Some(Term(2)));
    assert_eq!(take(&stores, 1, 11, 21).await, None);
}

async fn a_refusal_leaves_the_lease_as_it_was(stores: Stores) {
    take(&stores, 1, 10, 20).await;
    assert_eq!(take(&stores, 2, 15, 90).await, None);
    assert_eq!(take(&stores, 3, 20, 90).await, Some(Term(2)));
}

async fn a_duty_given_back_is_free_at_once(stores: Stores) {
    take(&stores, 1, 10, 20).await;
    stores.leases.give_back(DUTY, &ReplicaId::from_bits(1)).await.unwrap();
    assert_eq!(take(&stores, 2, 11, 20).await, Some(Term(2)));
}

async fn only_its_holder_can_give_a_duty_back(stores: Stores) {
    take(&stores, 1, 10, 20).await;
    stores.leases.give_back(DUTY, &ReplicaId::from_bits(2)).await.unwrap();
    assert_eq!(take(&stores, 2, 11, 20).await, None);
}

async fn duties_do_not_hinder_each_other(stores: Stores) {
    for (number, duty) in (1..).zip(Duty::ALL) {
        let request = LeaseRequest { duty, ..ask(number, 10, 20) };
        assert_eq!(stores.leases.take(&request).await.unwrap(), Some(Term(1)), "{duty:?}");
    }
}

async fn of_racing_replicas_one_is_given_the_duty(stores: Stores) {
    take(&stores, 99, 1, 10).await;
    let start = Arc::new(Barrier::new(20));
    let mut racers = JoinSet::new();
    for replica in 0..20 {
        let (stores, start) = (stores.clone(), Arc::clone(&start));
        racers.spawn(async move {
            start.wait().await;
            take(&stores, replica, 10, 20).await
        });
    }
    let given: Vec<Term> = racers.join_all().await.into_iter().flatten().collect();
    assert_eq!(given, [Term(2)]);
}
