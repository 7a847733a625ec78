//! Tests of connection limits, of the sweep, and of the order of eviction.

use std::sync::Arc;

use parlance_domain::{access::ApiId, id::MockIdSource, time::MockClock};

use super::{
    admission::AdmittedConnection,
    cut_reason::CutReason,
    deadline::tests::LIMITS,
    limits::{PIPELINED_PER_TICK, RESERVED_CONNECTIONS},
    registry::ConnectionRegistry,
    replies::GuardReplies,
    state::Phase,
};

fn registry() -> ConnectionRegistry {
    let ids = GuardReplies::new(Arc::new(MockIdSource::new()), Arc::new(MockClock::new()));
    ConnectionRegistry::new(LIMITS, ids)
}

fn admit(registry: &ConnectionRegistry, address: &str) -> Option<AdmittedConnection> {
    registry.admit(Some(address.parse().unwrap()))
}

/// An admitted connection between two requests.
fn idle(registry: &ConnectionRegistry, address: &str) -> AdmittedConnection {
    in_phase(Phase::Idle, registry, address)
}

fn busy(registry: &ConnectionRegistry, address: &str) -> AdmittedConnection {
    in_phase(Phase::Request, registry, address)
}

fn in_phase(phase: Phase, registry: &ConnectionRegistry, address: &str) -> AdmittedConnection {
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
fn a_connection_over_the_address_cap_evicts_the_longest_idle_one() {
    let registry = registry();
    let first = idle(&registry, "10.0.0.1");
    sweep(&registry, 1);
    let (second, third) = (idle(&registry, "10.0.0.1"), busy(&registry, "10.0.0.1"));
    let _fourth = admit(&registry, "10.0.0.1").unwrap();
    assert_eq!(
        [&first, &second, &third].map(|admitted| admitted.state.cut_reason()),
        [Some(CutReason::Evicted), None, None]
    );
}

#[test]
fn an_address_with_only_busy_connections_gets_a_health_only_connection() {
    let registry = registry();
    let busy: Vec<_> = (0..3).map(|_| busy(&registry, "10.0.0.1")).collect();
    let health_only = |address| admit(&registry, address).unwrap().state.health_only;
    assert!(health_only("10.0.0.1") && !health_only("10.0.0.2"));
    assert!(busy.iter().all(|admitted| admitted.state.cut_reason().is_none()));
}

#[test]
fn a_connection_without_a_request_is_evicted_before_an_idle_one() {
    let registry = registry();
    let kept = idle(&registry, "10.0.0.1");
    sweep(&registry, 1);
    let silent = admit(&registry, "10.0.0.1").unwrap();
    sweep(&registry, 1);
    let _third = idle(&registry, "10.0.0.1");
    let _fourth = admit(&registry, "10.0.0.1").unwrap();
    assert_eq!((kept.state.cut_reason(), silent.state.cut_reason()), (None, Some(CutReason::Evicted)));
}

#[test]
fn a_slow_connection_is_evicted_before_an_idle_one() {
    let registry = registry();
    let kept = idle(&registry, "10.0.0.1");
    let (unread, unsent) = (busy(&registry, "10.0.0.1"), busy(&registry, "10.0.0.1"));
    unread.state.set_blocked(true);
    unsent.state.set_body_incomplete(true);
    sweep(&registry, 5);
    let first = busy(&registry, "10.0.0.1");
    let _second = busy(&registry, "10.0.0.1");
    let cut = [&kept, &unread, &unsent, &first].map(|admitted| admitted.state.cut_reason());
    assert_eq!(cut, [None, Some(CutReason::Evicted), Some(CutReason::Evicted), None]);
}

#[test]
fn the_owner_with_most_connections_is_evicted_first() {
    let registry = registry();
    let credential = |tenant: &str| ApiId::parse(&format!("{tenant}.01JZX900000000000000000000")).unwrap();
    let idle: Vec<_> = (1..=4).map(|host| idle(&registry, &format!("10.0.0.{host}"))).collect();
    for (admitted, tenant) in idle.iter().zip(["few", "many", "many"]) {
        assert!(registry.attribute(admitted.state.id, &credential(tenant)));
    }
    sweep(&registry, 1);
    let cut = || idle.iter().map(|admitted| admitted.state.cut_reason().is_some()).collect::<Vec<_>>();
    let _fifth = busy(&registry, "10.0.0.5");
    assert_eq!(cut(), [false, false, false, true], "the connection without a credential is evicted first");
    let _sixth = busy(&registry, "10.0.0.6");
    assert_eq!(cut(), [false, true, false, true]);
}

#[test]
fn connections_beyond_the_total_cap_are_health_only() {
    let registry = registry();
    let _busy: Vec<_> = (1..=4).map(|host| busy(&registry, &format!("10.0.0.{host}"))).collect();
    let reserved: Vec<_> = (0..RESERVED_CONNECTIONS).map(|_| registry.admit(None).unwrap()).collect();
    assert!(reserved.iter().all(|admitted| admitted.state.health_only));
    let newest = registry.admit(None).unwrap();
    assert!(newest.state.health_only);
    assert_eq!(
        reserved[0].state.cut_reason(),
        Some(CutReason::Evicted),
        "the longest waiting reserved connection is evicted"
    );
}

#[test]
fn a_dropped_connection_frees_its_slot() {
    let registry = registry();
    let mut busy: Vec<_> = (0..3).map(|_| busy(&registry, "10.0.0.1")).collect();
    busy.pop();
    let _newest = admit(&registry, "10.0.0.1").unwrap();
    assert_eq!(registry.counts().open, 3);
}

#[test]
fn a_credential_at_its_cap_with_only_busy_connections_gets_no_more() {
    let registry = registry();
    let credential = ApiId::parse("acme.01JZX900000000000000000000").unwrap();
    let busy: Vec<_> = (1..=3).map(|host| busy(&registry, &format!("10.0.0.{host}"))).collect();
    let admitted: Vec<_> = busy.iter().map(|busy| registry.attribute(busy.state.id, &credential)).collect();
    assert_eq!(admitted, [true, true, false]);
    busy[0].state.enter(Phase::Idle, 0);
    sweep(&registry, 1);
    assert!(registry.attribute(busy[2].state.id, &credential));
    assert_eq!(busy[0].state.cut_reason(), Some(CutReason::Evicted));
}

#[test]
fn overdue_connections_are_cut_and_counted() {
    let registry = registry();
    let (opening, idle) = (admit(&registry, "10.0.0.1").unwrap(), idle(&registry, "10.0.0.2"));
    sweep(&registry, 5);
    assert_eq!((opening.state.cut_reason(), idle.state.cut_reason()), (Some(CutReason::HeadTimeout), None));
    sweep(&registry, 70);
    assert_eq!(idle.state.cut_reason(), Some(CutReason::IdleTimeout));
    let counts = registry.counts().cut;
    assert!(counts.contains(&(CutReason::HeadTimeout, 1)) && counts.contains(&(CutReason::IdleTimeout, 1)));
}

#[test]
fn a_client_that_does_not_read_is_cut() {
    let registry = registry();
    let admitted = busy(&registry, "10.0.0.1");
    admitted.state.set_blocked(true);
    sweep(&registry, 9);
    assert_eq!(admitted.state.cut_reason(), None);
    sweep(&registry, 1);
    assert_eq!(admitted.state.cut_reason(), Some(CutReason::SlowReader));
}

#[test]
fn draining_cuts_idle_connections_immediately_and_others_after_their_response() {
    let registry = registry();
    let (waiting, working) = (idle(&registry, "10.0.0.1"), busy(&registry, "10.0.0.2"));
    registry.drain();
    assert_eq!((waiting.state.cut_reason(), working.state.cut_reason()), (Some(CutReason::Draining), None));
    working.state.enter(Phase::Idle, registry.now());
    registry.sweep();
    assert_eq!(working.state.cut_reason(), Some(CutReason::Draining));
}

#[test]
fn a_client_that_ignores_its_cut_is_closed_after_two_seconds() {
    let registry = registry();
    let silent = admit(&registry, "10.0.0.1").unwrap();
    sweep(&registry, 5);
    assert_eq!(silent.state.cut_reason(), Some(CutReason::HeadTimeout));
    sweep(&registry, 2);
    assert_eq!(silent.state.cut_reason(), Some(CutReason::LingerTimeout));
}

#[test]
fn a_waiting_response_has_only_the_write_deadline() {
    let registry = registry();
    let closing = in_phase(Phase::Closing, &registry, "10.0.0.1");
    closing.state.set_blocked(true);
    for _ in 0..50 {
        closing.state.count_written(1_000);
        registry.sweep();
    }
    assert_eq!(closing.state.cut_reason(), None);
}

#[test]
fn pipelined_requests_without_a_credential_share_a_total_rate() {
    let registry = registry();
    let all: Vec<_> = (0..8).map(|host| admit(&registry, &format!("10.0.0.{host}"))).collect();
    let all: Vec<_> = all.into_iter().flatten().collect();
    let begun =
        all.iter().map(|connection| (0..100).filter(|_| registry.try_begin_pipelined(&connection.state)).count());
    assert_eq!(begun.sum::<usize>(), PIPELINED_PER_TICK as usize);
    registry.sweep();
    assert!(registry.try_begin_pipelined(&all[0].state));
}

#[test]
fn pipelined_requests_with_a_credential_have_no_rate_here() {
    let registry = registry();
    let connection = idle(&registry, "10.0.0.1");
    connection.state.set_authenticated(true);
    assert!((0..=PIPELINED_PER_TICK).all(|_| registry.try_begin_pipelined(&connection.state)));
}

#[test]
fn a_recently_active_connection_with_a_credential_is_evicted_last() {
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
    assert!(rested.state.cut_reason().is_some() && active.iter().all(|active| active.state.cut_reason().is_none()));
}

#[test]
fn an_anonymous_connection_that_sends_a_body_is_evicted_after_an_idle_one() {
    let registry = registry();
    let (sending, idle) = (busy(&registry, "10.0.0.1"), idle(&registry, "10.0.0.2"));
    sending.state.set_body_incomplete(true);
    let _busy: Vec<_> = (3..=4).map(|host| busy(&registry, &format!("10.0.0.{host}"))).collect();
    let _fifth = busy(&registry, "10.0.0.5");
    assert_eq!((sending.state.cut_reason(), idle.state.cut_reason()), (None, Some(CutReason::Evicted)));
    let _sixth = busy(&registry, "10.0.0.6");
    assert_eq!(sending.state.cut_reason(), Some(CutReason::Evicted));
}

#[test]
fn one_connection_cannot_use_the_whole_pipelining_rate() {
    let registry = registry();
    let (first, second) = (idle(&registry, "10.0.0.1"), idle(&registry, "10.0.0.2"));
    let begun = (0..100).filter(|_| registry.try_begin_pipelined(&first.state)).count();
    assert!(begun < PIPELINED_PER_TICK as usize && registry.try_begin_pipelined(&second.state));
    registry.sweep();
    assert!(registry.try_begin_pipelined(&first.state));
}
