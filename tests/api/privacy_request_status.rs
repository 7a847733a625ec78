//! Tests of what an open privacy request says, and of the list of requests.

use std::{
    fs::{self, File},
    path::Path,
    time::{Duration, Instant},
};

use parlance::system::SystemClock;
use parlance_domain::{
    feed::DayRange,
    time::{Clock, MICROS_PER_DAY},
};
use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::{Value, json};
use support::{
    client::{Client, message_body},
    database::TestDatabase,
    raw_connection::IO_TIMEOUT,
};

use crate::erasure::{start, start_on, start_with};

const CONVERSATIONS: &str = "/conversation/v1/conversations";
const REQUESTS: &str = "/privacy/v1/requests";
const HOLDS: &str = "/privacy/v1/holds";
const AT: &str = "2026-01-31T09:30:00Z";

async fn create(client: &Client, kind: &str, customer: &str) -> Value {
    let body = json!({"type": kind, "subject": {"customerExternalId": customer}, "reference": "CHG-7"});
    let created = client.post(REQUESTS, &body).await;
    assert_eq!(created.status, 202, "{}", created.text);
    created.json()
}

/// Reads a request until it is as expected.
async fn wait_until(client: &Client, request: &Value, is_reached: impl Fn(&Value) -> bool) -> Value {
    let path = format!("{REQUESTS}/{}", request["id"].as_str().unwrap());
    let deadline = Instant::now() + IO_TIMEOUT;
    loop {
        let found = client.get(&path).await.ok();
        if is_reached(&found) {
            return found;
        }
        assert!(Instant::now() < deadline, "{found}");
        actix_web::rt::time::sleep(Duration::from_millis(20)).await;
    }
}

#[actix_web::test]
async fn an_erasure_waits_for_the_release_of_a_hold_and_says_so() {
    let (_service, client, _key) = start().await;
    let body = json!({"externalId": "call-1", "customer": {"externalId": "grace"}, "timestamp": AT});
    let conversation = client.post(CONVERSATIONS, &body).await.ok()["id"].as_str().unwrap().to_owned();
    let mut message = message_body("the parcel is blue", AT);
    message["sender"] = json!({"role": "customer", "externalId": "ada"});
    assert_eq!(client.post(&format!("{CONVERSATIONS}/{conversation}/messages"), &message).await.status, 200);
    let hold = client.post(HOLDS, &json!({"conversationId": conversation, "reference": "Case 17"})).await;
    let request = create(&client, "erasure", "ada").await;
    let waiting = wait_until(&client, &request, |found| found.get("waitingFor").is_some()).await;
    assert_eq!((&waiting["status"], &waiting["waitingFor"]), (&json!("running"), &json!("hold")));
    let released = client.delete(&format!("{HOLDS}/{}", hold.json()["id"].as_str().unwrap())).await;
    assert_eq!(released.status, 204);
    let ended = wait_until(&client, &request, |found| !found["endedAt"].is_null()).await;
    assert_eq!((&ended["status"], ended.get("waitingFor")), (&json!("completed"), None));
    assert_eq!(ended["counts"]["messagesElsewhere"], json!(1));
}

#[actix_web::test]
async fn an_erasure_on_sqlite_waits_for_a_reader_of_an_old_state() {
    let (service, client, _key) = start_on(TestDatabase::sqlite()).await;
    let connection = service.test_database().connect().await;
    let body = json!({"externalId": "call-1", "customer": {"externalId": "zeppelin-pilot"}, "timestamp": AT});
    assert_eq!(client.post(CONVERSATIONS, &body).await.status, 200);
    let reader = connection.begin().await.unwrap();
    reader.execute_unprepared("SELECT id FROM conversations").await.unwrap();
    let request = create(&client, "erasure", "zeppelin-pilot").await;
    let waiting = wait_until(&client, &request, |found| found.get("waitingFor").is_some()).await;
    assert_eq!(waiting["waitingFor"], json!("readers"));
    reader.commit().await.unwrap();
    let ended = wait_until(&client, &request, |found| !found["endedAt"].is_null()).await;
    assert_eq!(ended["counts"]["conversations"], json!(1));
}

/// Erases a customer with feeds while another process holds the locks of all feeds, until it releases them.
async fn an_erasure_waits_for_the_lock_of_a_feed(database: TestDatabase) {
    let feeds = [("PARLANCE_FEED_EXPORT_AT", "23:59")];
    let (service, client, _key) = start_with(database, &feeds).await;
    let body = json!({"externalId": "call-1", "customer": {"externalId": "ada"}, "timestamp": AT});
    assert_eq!(client.post(CONVERSATIONS, &body).await.status, 200);
    let long_ago = format!("UPDATE conversations SET created_at = created_at - {}", 2 * MICROS_PER_DAY);
    service.test_database().execute(&long_ago).await;
    service.export_feeds_at("acme", SystemClock.now(), DayRange::default()).await;
    let locks = lock_feeds(service.feeds_directory());
    assert!(!locks.is_empty());
    let request = create(&client, "erasure", "ada").await;
    let waiting = wait_until(&client, &request, |found| found.get("waitingFor").is_some()).await;
    assert_eq!((&waiting["status"], &waiting["waitingFor"]), (&json!("running"), &json!("feeds")));
    drop(locks);
    let ended = wait_until(&client, &request, |found| !found["endedAt"].is_null()).await;
    assert_eq!((&ended["status"], ended.get("waitingFor")), (&json!("completed"), None));
}

/// Locks each lock file of feeds below a directory, as a process does that is suspended while it replaces a manifest.
fn lock_feeds(directory: &Path) -> Vec<File> {
    let mut locks = Vec::new();
    for entry in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            locks.append(&mut lock_feeds(&entry));
        } else if entry.ends_with("_manifests.lock") {
            let lock = File::options().write(true).open(entry).unwrap();
            lock.lock().unwrap();
            locks.push(lock);
        }
    }
    locks
}

#[actix_web::test]
async fn an_erasure_on_sqlite_says_that_it_waits_for_the_lock_of_a_feed() {
    an_erasure_waits_for_the_lock_of_a_feed(TestDatabase::sqlite()).await;
}

#[actix_web::test]
async fn an_erasure_on_postgresql_says_that_it_waits_for_the_lock_of_a_feed() {
    let Some(database) = TestDatabase::postgres() else { return };
    an_erasure_waits_for_the_lock_of_a_feed(database).await;
}

#[actix_web::test]
async fn a_failed_request_says_why_and_has_no_archive() {
    let (service, client, _key) = start().await;
    let request = create(&client, "access", "ada").await;
    let completed = wait_until(&client, &request, |found| !found["endedAt"].is_null()).await;
    assert_eq!(completed.get("failureReason"), None);
    let fail = "UPDATE privacy_requests SET status = 'failed', failure = 'invalid_data'";
    service.test_database().execute(fail).await;
    let failed = wait_until(&client, &request, |found| found["status"] == "failed").await;
    assert_eq!(failed["failureReason"], json!("invalid_data"));
    let archive = client.get(&format!("{REQUESTS}/{}/archive", request["id"].as_str().unwrap())).await;
    assert_eq!((archive.status, &archive.json()["error"]["details"][0]["rule"]), (409, &json!("completed")));
}

#[actix_web::test]
async fn requests_are_listed_page_by_page() {
    let (_service, client, _key) = start().await;
    let mut created = Vec::new();
    for customer in ["ada", "grace", "linus"] {
        created.push(create(&client, "access", customer).await["id"].clone());
    }
    let first = client.get(&format!("{REQUESTS}?limit=2")).await.ok();
    let second = client.get(&format!("{REQUESTS}?limit=2&cursor={}", first["nextCursor"].as_str().unwrap())).await.ok();
    let pages = [&first, &second].into_iter().flat_map(|page| page["requests"].as_array().unwrap().clone());
    assert_eq!(pages.map(|request| request["id"].clone()).collect::<Vec<_>>(), created);
    assert_eq!((&second["nextCursor"], &first["prevCursor"]), (&Value::Null, &Value::Null));
}

#[actix_web::test]
async fn a_tenant_lists_no_requests_of_another_tenant() {
    let (service, client, _key) = start().await;
    create(&client, "access", "ada").await;
    let other = service.client("globex").await;
    assert_eq!(other.get(REQUESTS).await.ok()["requests"], json!([]));
}
