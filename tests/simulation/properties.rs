//! The properties of each protocol, over many seeds. A failing seed prints its trace.

use crate::{
    event_protocol::EventProtocol,
    feed_protocol::FeedProtocol,
    lease_protocol::LeaseProtocol,
    protocol::Protocol,
    seeds::{chosen_seeds, find_failing_seed, report},
    vocabulary_protocol::VocabularyProtocol,
    webhook_protocol::WebhookProtocol,
};

fn assert_no_seed_fails<P: Protocol>() {
    if let Some(seed) = find_failing_seed::<P>(chosen_seeds(), None) {
        panic!("{}", report::<P>(seed, None));
    }
}

#[test]
fn every_event_arrives_once_in_the_order_of_the_log() {
    assert_no_seed_fails::<EventProtocol>();
}

#[test]
fn every_vocabulary_arrives_and_no_older_version_replaces_a_newer_one() {
    assert_no_seed_fails::<VocabularyProtocol>();
}

#[test]
fn no_write_of_an_overtaken_holder_of_a_lease_lands() {
    assert_no_seed_fails::<LeaseProtocol>();
}

#[test]
fn every_event_reaches_each_active_endpoint_in_the_order_of_its_conversation() {
    assert_no_seed_fails::<WebhookProtocol>();
}

#[test]
fn a_listed_day_of_a_feed_is_complete_and_readable() {
    assert_no_seed_fails::<FeedProtocol>();
}
