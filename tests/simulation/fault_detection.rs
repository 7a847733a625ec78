//! The simulation proves itself: it finds each known fault.

use std::io::{self, Write};

use crate::{
    event_protocol::EventProtocol,
    fault::Fault,
    feed_protocol::FeedProtocol,
    lease_protocol::LeaseProtocol,
    protocol::Protocol,
    seeds::{SEEDS, find_failing_seed, report},
    vocabulary_protocol::VocabularyProtocol,
    webhook_protocol::WebhookProtocol,
};

/// Prints the seed that finds each fault. Without a fault, none of these seeds fails.
fn assert_faults_are_found<P: Protocol>() {
    let seeds = P::FAULTS.iter().map(|fault| (fault, find_failing_seed::<P>(1..SEEDS + 1, Some(*fault))));
    let (found, missed): (Vec<_>, Vec<_>) = seeds.partition(|(_, seed)| seed.is_some());
    let found: Vec<_> = found.iter().map(|(fault, seed)| format!("{fault:?} {}", seed.unwrap_or_default())).collect();
    let _ = writeln!(io::stderr(), "{}: faults and the seeds that find them: {}", P::NAME, found.join(", "));
    assert!(missed.is_empty(), "no seed of {} finds these faults: {missed:?}", P::NAME);
}

#[test]
fn every_fault_of_the_change_log_is_found() {
    assert_faults_are_found::<EventProtocol>();
}

#[test]
fn every_fault_of_vocabulary_delivery_is_found() {
    assert_faults_are_found::<VocabularyProtocol>();
}

#[test]
fn every_fault_of_leases_is_found() {
    assert_faults_are_found::<LeaseProtocol>();
}

#[test]
fn every_fault_of_webhooks_is_found() {
    assert_faults_are_found::<WebhookProtocol>();
}

#[test]
fn every_fault_of_feeds_is_found() {
    assert_faults_are_found::<FeedProtocol>();
}

#[test]
fn a_failing_seed_is_reported_with_its_trace() {
    let fault = Some(Fault::CursorBeforeEffect);
    let seed = find_failing_seed::<EventProtocol>(1..SEEDS + 1, fault).unwrap();
    let report = report::<EventProtocol>(seed, fault);
    assert!(report.starts_with(&format!("events: seed {seed}: event ")), "{report}");
    assert!(report.contains("receives event") && report.trim_end().contains("VIOLATION"), "{report}");
}
