//! Tests of feeds that are written again after the erasure of a customer.

use parlance::system::SystemClock;
use parlance_domain::{
    feed::{DayRange, FileFormat},
    time::{Clock, MICROS_PER_DAY, MICROS_PER_HOUR},
};
use support::{client::Client, database::TestDatabase, service::TestService};

use crate::{
    erasure::{holds, start_with},
    privacy_requests::{body, create, path_of, run, send},
};

/// What no file holds after the erasure.
const CANARY: &[u8] = b"the parcel of Ada Lovelace is blue";
const STAYS: &[u8] = b"this one stays";
const UNCOMPRESSED: (&str, &str) = ("PARLANCE_FEED_COMPRESSION", "none");
const PRODUCED: (&str, &str) = ("PARLANCE_FEED_EXPORT_AT", "23:59");
const ONLY_JSON_LINES: (&str, &str) = ("PARLANCE_FEED_FORMATS", "jsonl");

/// Stores a message of the customer and one of another customer, which arrived some microseconds ago.
async fn store(service: &TestService, client: &Client, age_micros: i64) {
    let (own, others) = (create(client, "call-1", "ada").await, create(client, "call-2", "grace").await);
    send(client, &own, "ada", str::from_utf8(CANARY).unwrap()).await;
    send(client, &others, "ada", str::from_utf8(CANARY).unwrap()).await;
    send(client, &others, "grace", str::from_utf8(STAYS).unwrap()).await;
    for table in ["messages", "conversations"] {
        let earlier = format!("UPDATE {table} SET created_at = created_at - {age_micros}");
        service.test_database().execute(&earlier).await;
    }
}

/// Erases the customer, and checks that exactly their messages are gone from all files.
async fn assert_erased(service: &TestService, client: &Client) {
    assert!(holds(service.feeds_directory(), CANARY));
    let ended = run(client, &body("erasure", "ada")).await;
    assert!(!holds(service.feeds_directory(), CANARY));
    assert!(holds(service.feeds_directory(), STAYS));
    assert!(ended["counts"]["feedPeriods"].as_u64().unwrap() > 0, "{ended}");
    let receipt = client.get(&path_of(&ended, "receipt")).await;
    assert!(!receipt.text.contains("feed_files"), "{}", receipt.text);
}

#[actix_web::test]
async fn feeds_are_written_again_before_the_request_is_completed() {
    let (service, client, _key) = start_with(TestDatabase::sqlite(), &[PRODUCED, UNCOMPRESSED]).await;
    store(&service, &client, 2 * MICROS_PER_DAY).await;
    service.export_feeds_at("acme", SystemClock.now(), DayRange::default()).await;
    assert_erased(&service, &client).await;
}

#[actix_web::test]
async fn feeds_are_written_again_although_nothing_older_is_left() {
    let (service, client, _key) = start_with(TestDatabase::sqlite(), &[PRODUCED, UNCOMPRESSED]).await;
    let own = create(&client, "call-1", "ada").await;
    send(&client, &own, "ada", str::from_utf8(CANARY).unwrap()).await;
    for table in ["messages", "conversations"] {
        let long_ago = format!("UPDATE {table} SET created_at = created_at - {}", 20 * MICROS_PER_DAY);
        service.test_database().execute(&long_ago).await;
    }
    service.export_feeds_at("acme", SystemClock.now(), DayRange::default()).await;
    assert!(holds(service.feeds_directory(), CANARY));
    run(&client, &body("erasure", "ada")).await;
    assert!(!holds(service.feeds_directory(), CANARY));
}

#[actix_web::test]
async fn a_format_that_is_not_produced_any_more_is_written_again() {
    let (service, client, _key) = start_with(TestDatabase::sqlite(), &[PRODUCED, UNCOMPRESSED, ONLY_JSON_LINES]).await;
    store(&service, &client, 2 * MICROS_PER_DAY).await;
    service.export_feeds_in(&FileFormat::ALL, "acme", SystemClock.now(), DayRange::default()).await;
    assert_erased(&service, &client).await;
}

#[actix_web::test]
async fn a_format_that_was_never_produced_is_not_written_by_an_erasure() {
    let (service, client, _key) = start_with(TestDatabase::sqlite(), &[PRODUCED, UNCOMPRESSED, ONLY_JSON_LINES]).await;
    store(&service, &client, 2 * MICROS_PER_DAY).await;
    service.export_feeds_at("acme", SystemClock.now(), DayRange::default()).await;
    assert_erased(&service, &client).await;
    assert!(!service.feeds_directory().join("acme/messages/version=1/format=csv").exists());
}

#[actix_web::test]
async fn an_unfinished_day_is_written_again() {
    let (service, client, _key) = start_with(TestDatabase::sqlite(), &[PRODUCED, UNCOMPRESSED]).await;
    store(&service, &client, 0).await;
    let unfinished = DayRange { include_open: true, ..DayRange::default() };
    service.export_feeds_at("acme", SystemClock.now(), unfinished).await;
    assert_erased(&service, &client).await;
}

#[actix_web::test]
async fn complete_hours_of_a_day_that_is_not_over_are_written_again() {
    let hourly = ("PARLANCE_FEED_INTERVALS", "hourly");
    let (service, client, _key) = start_with(TestDatabase::sqlite(), &[PRODUCED, UNCOMPRESSED, hourly]).await;
    store(&service, &client, 2 * MICROS_PER_HOUR).await;
    service.export_feeds_at("acme", SystemClock.now(), DayRange::default()).await;
    assert_erased(&service, &client).await;
}
