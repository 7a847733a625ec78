//! The caps of connections, the sweep, and who makes room for whom.

use std::sync::Arc;

use parlance_domain::{access::ApiId, id::MockIdSource, time::MockClock};

use super::{
    admission::Admitted,
    deadline::tests::LIMITS,
    limits::{PIPELINED_PER_TICK, RESERVED_CONNECTIONS},
    registry::ConnectionRegistry,
    replies::ReplyIds,
    state::{CutReason, Phase},
};

fn registry() -> ConnectionRegistry {
    let ids = ReplyIds::new(Arc::new(MockIdSource::new()), Arc::new(MockClock::new()));
    ConnectionRegistry::new(LIMITS, ids)
}

fn admit(registry: &ConnectionRegistry, address: &str) -> Option<Admitted> {
    registry.admit(Some(address.parse().unwrap()))
}

/// A connection that waits for its next request.
fn idle(registry: &ConnectionRegistry, address: &str) -> Admitted {
    in_phase(Phase::Idle, registry, address)
}

fn busy(registry: &ConnectionRegistry, address: &str) -> Admitted {
    in_phase(Phase::Request, registry, address)
}

fn in_phase(phase: Phase, registry: &ConnectionRegistry, address: &str) -> Admitted {
    let admitted = admit(registry, address).unwrap();
    admitted.state.enter(phase, registry.now());
    admitted
}

fn sweep(registry: &ConnectionRegistry, seconds: u32) {
    for _ in 0..seconds * 5 {
        registry.sweep();
    }
}

#[test]
fn one_more_of_an_address_takes_the_place_of_its_longest_waiting() {
    let registry = registry();
    let first = idle(&registry, "10.0.0.1");
    sweep(&registry, 1);
    let (second, third) = (idle(&registry, "10.0.0.1"), busy(&registry, "10.0.0.1"));
    let _fourth = admit(&registry, "10.0.0.1").unwrap();
    assert_eq!([&first, &second, &third].map(|admitted| admitted.state.cut()), [Some(CutReason::Evicted), None, None]);
}

#[test]
fn an_address_whose_connections_are_all_busy_may_only_ask_for_health_and_others_for_all() {
    let registry = registry();
    let busy: Vec<_> = (0..3).map(|_| busy(&registry, "10.0.0.1")).collect();
    let health_only = |address| admit(&registry, address).unwrap().state.health_only;
    assert!(health_only("10.0.0.1") && !health_only("10.0.0.2"));
    assert!(busy.iter().all(|admitted| admitted.state.cut().is_none()));
}

#[test]
fn who_never_sent_a_request_goes_before_who_waits_for_longer_between_two() {
    let registry = registry();
    let kept = idle(&registry, "10.0.0.1");
    sweep(&registry, 1);
    let silent = admit(&registry, "10.0.0.1").unwrap();
    sweep(&registry, 1);
    let _third = idle(&registry, "10.0.0.1");
    let _fourth = admit(&registry, "10.0.0.1").unwrap();
    assert_eq!((kept.state.cut(), silent.state.cut()), (None, Some(CutReason::Evicted)));
}

#[test]
fn who_does_not_read_or_send_a_body_goes_before_who_waits_between_two_requests() {
    let registry = registry();
    let kept = idle(&registry, "10.0.0.1");
    let (unread, unsent) = (busy(&registry, "10.0.0.1"), busy(&registry, "10.0.0.1"));
    unread.state.set_blocked(true);
    unsent.state.set_body_incomplete(true);
    sweep(&registry, 5);
    let first = busy(&registry, "10.0.0.1");
    let _second = busy(&registry, "10.0.0.1");
    let cut = [&kept, &unread, &unsent, &first].map(|admitted| admitted.state.cut());
    assert_eq!(cut, [None, Some(CutReason::Evicted), Some(CutReason::Evicted), None]);
}

#[test]
fn who_has_fewer_connections_keeps_them() {
    let registry = registry();
    let credential = |tenant: &str| ApiId::parse(&format!("{tenant}.01JZX900000000000000000000")).unwrap();
    let idle: Vec<_> = (1..=4).map(|host| idle(&registry, &format!("10.0.0.{host}"))).collect();
    for (admitted, tenant) in idle.iter().zip(["few", "many", "many"]) {
        assert!(registry.attribute(admitted.state.id, &credential(tenant)));
    }
    sweep(&registry, 1);
    let cut = || idle.iter().map(|admitted| admitted.state.cut().is_some()).collect::<Vec<_>>();
    let _fifth = busy(&registry, "10.0.0.5");
    assert_eq!(cut(), [false, false, false, true], "before others one that carried no credential");
    let _sixth = busy(&registry, "10.0.0.6");
    assert_eq!(cut(), [false, true, false, true]);
}

#[test]
fn beyond_the_cap_of_all_only_health_is_answered() {
    let registry = registry();
    let _busy: Vec<_> = (1..=4).map(|host| busy(&registry, &format!("10.0.0.{host}"))).collect();
    let reserved: Vec<_> = (0..RESERVED_CONNECTIONS).map(|_| registry.admit(None).unwrap()).collect();
    assert!(reserved.iter().all(|admitted| admitted.state.health_only));
    let newest = registry.admit(None).unwrap();
    assert!(newest.state.health_only);
    assert_eq!(reserved[0].state.cut(), Some(CutReason::Evicted), "the longest waiting of the reserve makes room");
}

#[test]
fn a_place_is_free_again_once_its_connection_is_gone() {
    let registry = registry();
    let mut busy: Vec<_> = (0..3).map(|_| busy(&registry, "10.0.0.1")).collect();
    busy.pop();
    let _newest = admit(&registry, "10.0.0.1").unwrap();
    assert_eq!(registry.counts().open, 3);
}

#[test]
fn a_credential_with_as_many_busy_connections_as_it_may_have_gets_no_more() {
    let registry = registry();
    let credential = ApiId::parse("acme.01JZX900000000000000000000").unwrap();
    let busy: Vec<_> = (1..=3).map(|host| busy(&registry, &format!("10.0.0.{host}"))).collect();
    let admitted: Vec<_> = busy.iter().map(|busy| registry.attribute(busy.state.id, &credential)).collect();
    assert_eq!(admitted, [true, true, false]);
    busy[0].state.enter(Phase::Idle, 0);
    sweep(&registry, 1);
    assert!(registry.attribute(busy[2].state.id, &credential));
    assert_eq!(busy[0].state.cut(), Some(CutReason::Evicted));
}

#[test]
fn what_is_overdue_is_ended_and_counted() {
    let registry = registry();
    let (opening, idle) = (admit(&registry, "10.0.0.1").unwrap(), idle(&registry, "10.0.0.2"));
    sweep(&registry, 5);
    assert_eq!((opening.state.cut(), idle.state.cut()), (Some(CutReason::HeadTimeout), None));
    sweep(&registry, 70);
    assert_eq!(idle.state.cut(), Some(CutReason::IdleTimeout));
    let counts = registry.counts().cut;
    assert!(counts.contains(&(CutReason::HeadTimeout, 1)) && counts.contains(&(CutReason::IdleTimeout, 1)));
}

#[test]
fn who_does_not_read_is_cut_off() {
    let registry = registry();
    let admitted = busy(&registry, "10.0.0.1");
    admitted.state.set_blocked(true);
    sweep(&registry, 9);
    assert_eq!(admitted.state.cut(), None);
    sweep(&registry, 1);
    assert_eq!(admitted.state.cut(), Some(CutReason::SlowReader));
}

#[test]
fn a_server_that_stops_ends_idle_connections_at_once_and_others_after_their_answer() {
    let registry = registry();
    let (waiting, working) = (idle(&registry, "10.0.0.1"), busy(&registry, "10.0.0.2"));
    registry.drain();
    assert_eq!((waiting.state.cut(), working.state.cut()), (Some(CutReason::Draining), None));
    working.state.enter(Phase::Idle, registry.now());
    registry.sweep();
    assert_eq!(working.state.cut(), Some(CutReason::Draining));
}

#[test]
fn a_client_that_does_not_notice_that_it_is_cut_off_is_ended_at_once() {
    let registry = registry();
    let silent = admit(&registry, "10.0.0.1").unwrap();
    sweep(&registry, 5);
    assert_eq!(silent.state.cut(), Some(CutReason::HeadTimeout));
    sweep(&registry, 2);
    assert_eq!(silent.state.cut(), Some(CutReason::LingerTimeout));
}

#[test]
fn an_answer_that_waits_for_its_reader_is_judged_by_the_reading_alone() {
    let registry = registry();
    let closing = in_phase(Phase::Closing, &registry, "10.0.0.1");
    closing.state.set_blocked(true);
    for _ in 0..50 {
        closing.state.count_written(1_000);
        registry.sweep();
    }
    assert_eq!(closing.state.cut(), None);
}

#[test]
fn pipelined_requests_without_a_credential_have_a_rate_in_all() {
    let registry = registry();
    let all: Vec<_> = (0..8).map(|host| admit(&registry, &format!("10.0.0.{host}"))).collect();
    let all: Vec<_> = all.into_iter().flatten().collect();
    let begun = all.iter().map(|one| (0..100).filter(|_| registry.take_pipelined_turn(&one.state)).count());
    assert_eq!(begun.sum::<usize>(), PIPELINED_PER_TICK as usize);
    registry.sweep();
    assert!(registry.take_pipelined_turn(&all[0].state));
}

#[test]
fn pipelined_requests_with_a_credential_have_none_here() {
    let registry = registry();
    let connection = idle(&registry, "10.0.0.1");
    connection.state.set_authenticated(true);
    assert!((0..=PIPELINED_PER_TICK).all(|_| registry.take_pipelined_turn(&connection.state)));
}

#[test]
fn who_has_a_credential_and_had_an_answer_a_moment_ago_goes_last() {
    let registry = registry();
    let credential = |tenant: &str| ApiId::parse(&format!("{tenant}.01JZX900000000000000000000")).unwrap();
    let rested = idle(&registry, "10.0.0.1");
    sweep(&registry, 1);
    let active: Vec<_> = (2..=4).map(|host| idle(&registry, &format!("10.0.0.{host}"))).collect();
    assert!(registry.attribute(rested.state.id, &credential("acme")));
    for (admitted, tenant) in active.iter().zip(["globex", "globex", "initech"]) {
        assert!(registry.attribute(admitted.state.id, &credential(tenant)));
    }
    let _newest = admit(&registry, "10.0.0.5").unwrap();
    assert!(rested.state.cut().is_some() && active.iter().all(|active| active.state.cut().is_none()));
}

#[test]
fn who_sends_a_body_without_a_credential_makes_room_where_nobody_else_does() {
    let registry = registry();
    let (sending, idle) = (busy(&registry, "10.0.0.1"), idle(&registry, "10.0.0.2"));
    sending.state.set_body_incomplete(true);
    let _busy: Vec<_> = (3..=4).map(|host| busy(&registry, &format!("10.0.0.{host}"))).collect();
    let _fifth = busy(&registry, "10.0.0.5");
    assert_eq!((sending.state.cut(), idle.state.cut()), (None, Some(CutReason::Evicted)));
    let _sixth = busy(&registry, "10.0.0.6");
    assert_eq!(sending.state.cut(), Some(CutReason::Evicted));
}

#[test]
fn one_connection_does_not_take_every_turn_of_pipelined_requests() {
    let registry = registry();
    let (one, other) = (idle(&registry, "10.0.0.1"), idle(&registry, "10.0.0.2"));
    let begun = (0..100).filter(|_| registry.take_pipelined_turn(&one.state)).count();
    assert!(begun < PIPELINED_PER_TICK as usize && registry.take_pipelined_turn(&other.state));
    registry.sweep();
    assert!(registry.take_pipelined_turn(&one.state));
}
