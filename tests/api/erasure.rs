//! Tests of erasure: what is gone, and what stays refused.

use std::{fs, path::Path};

use parlance::system::SystemClock;
use parlance_domain::{
    access::Permission,
    feed::DayRange,
    time::{Clock, MICROS_PER_DAY},
};
use reqwest::Method;
use serde_json::{Value, json};
use support::{
    client::{ApiResponse, Client, conversation_body, message_body},
    database::TestDatabase,
    service::TestService,
};

const PATH: &str = "/conversation/v1/conversations";
const ERASURES: &str = "/privacy/v1/erasures";
const AT: &str = "2026-01-31T09:30:00Z";
/// What no answer and no file holds after the erasure.
const CANARY: &str = "the parcel of Ada Lovelace is blue";

/// A service with a master key, and a client with every permission.
pub(crate) async fn start_on(database: TestDatabase) -> (TestService, Client, tempfile::TempDir) {
    start_with(database, &[("PARLANCE_FEED_COMPRESSION", "none")]).await
}

/// A service with a master key and these settings, and a client with every permission.
pub(crate) async fn start_with(
    database: TestDatabase,
    settings: &[(&str, &str)],
) -> (TestService, Client, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let key_file = directory.path().join("master.key");
    fs::write(&key_file, [7; 32]).unwrap();
    fs::set_permissions(&key_file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let key = [("PARLANCE_MASTER_KEY_FILE", key_file.to_str().unwrap())];
    let settings: Vec<_> = settings.iter().copied().chain(key).collect();
    let service = TestService::start_with(database, &settings).await;
    let client = service.client_with_permissions("acme", &Permission::ALL).await;
    (service, client, directory)
}

pub(crate) async fn start() -> (TestService, Client, tempfile::TempDir) {
    start_on(TestDatabase::sqlite()).await
}

/// Creates a conversation with the canary, and returns its id.
async fn create(client: &Client, external_id: &str) -> String {
    let id = client.upsert(external_id).await;
    client.add_message(&id, CANARY, AT).await;
    id
}

async fn erase(client: &Client, id: &str) -> ApiResponse {
    client.delete(&format!("{PATH}/{id}")).await
}

#[actix_web::test]
async fn an_erased_conversation_is_found_no_more() {
    let (_service, client, _key) = start().await;
    let id = create(&client, "call-1").await;
    assert_eq!(erase(&client, &id).await.status, 204);
    for path in [format!("{PATH}/{id}"), format!("{PATH}/{id}/messages")] {
        assert_eq!(client.get(&path).await.status, 404, "{path}");
    }
    for path in ["externalId=call-1", "customerExternalId=customer-7"] {
        let found = client.get(&format!("{PATH}?{path}")).await.ok();
        assert_eq!(found["items"], json!([]), "{path}");
    }
    assert_eq!(erase(&client, &id).await.status, 404);
}

#[actix_web::test]
async fn what_was_erased_takes_no_late_write() {
    let (_service, client, _key) = start().await;
    let id = create(&client, "call-1").await;
    assert_eq!(erase(&client, &id).await.status, 204);
    let upsert = client.post(PATH, &conversation_body("call-1")).await;
    assert_eq!(upsert.error_details(), (409, vec!["/externalId erased".to_owned()]));
    assert_eq!(client.post(&format!("{PATH}/{id}/messages"), &message_body("late", AT)).await.status, 404);
    assert_ne!(client.upsert("call-2").await, id);
}

#[actix_web::test]
async fn a_repeat_by_key_of_what_was_erased_is_refused() {
    let (_service, client, _key) = start().await;
    let send = async |path: String, body: Value, key: &str| {
        client.send(&Method::POST, &path, |request| request.header("idempotency-key", key).json(&body)).await
    };
    let upsert = async || send(PATH.to_owned(), conversation_body("call-1"), "one").await;
    let id = upsert().await.ok()["id"].as_str().unwrap().to_owned();
    let add = async || send(format!("{PATH}/{id}/messages"), message_body(CANARY, AT), "two").await;
    assert_eq!((add().await.status, add().await.header("idempotency-replayed")), (200, "true"));
    assert_eq!(erase(&client, &id).await.status, 204);
    for repeat in [upsert().await, add().await] {
        assert_eq!(repeat.error_details(), (409, vec!["header:idempotency-key erased".to_owned()]));
    }
}

#[actix_web::test]
async fn erasures_are_listed_page_by_page() {
    let (_service, client, _key) = start().await;
    let mut erased = Vec::new();
    for external_id in ["call-1", "call-2", "call-3"] {
        let id = create(&client, external_id).await;
        assert_eq!(erase(&client, &id).await.status, 204);
        erased.push(id);
    }
    let (mut listed, mut after) = (Vec::new(), "0".to_owned());
    loop {
        let page = client.get(&format!("{ERASURES}?limit=2&after={after}")).await.ok();
        let ids = page["erasures"].as_array().unwrap().iter().map(|erased| erased["conversationId"].clone());
        let before = listed.len();
        listed.extend(ids);
        after = page["nextCursor"].as_str().unwrap().to_owned();
        if listed.len() == before {
            break;
        }
    }
    assert_eq!(json!(listed), json!(erased));
    for (query, rule) in
        [("after=x", "query:after cursor"), ("after=01", "query:after cursor"), ("limit=0", "query:limit range")]
    {
        let refused = client.get(&format!("{ERASURES}?{query}")).await;
        assert_eq!(refused.error_details(), (400, vec![rule.to_owned()]));
    }
}

#[actix_web::test]
async fn another_tenant_neither_erases_nor_sees_erasures() {
    let (service, client, _key) = start().await;
    let other = service.client_with_permissions("globex", &Permission::ALL).await;
    let id = create(&client, "call-1").await;
    assert_eq!(erase(&other, &id).await.status, 404);
    assert_eq!(client.get(&format!("{PATH}/{id}")).await.status, 200);
    assert_eq!(erase(&client, &id).await.status, 204);
    assert_eq!(other.get(ERASURES).await.ok()["erasures"], json!([]));
}

#[actix_web::test]
async fn events_hold_nothing_of_an_erased_conversation() {
    let (_service, client, _key) = start().await;
    let id = create(&client, "call-1").await;
    assert_eq!(erase(&client, &id).await.status, 204);
    let events = client.get("/conversation/v1/events").await;
    assert!(!events.text.contains("Lovelace") && !events.text.contains("call-1"), "{}", events.text);
    let last = events.ok()["events"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["type"], &last["conversationId"]), (&json!("conversation.erased"), &json!(id)));
}

#[actix_web::test]
async fn a_transcript_stream_ends_with_the_erasure() {
    let (_service, client, _key) = start().await;
    let id = create(&client, "call-1").await;
    let mut stream = client.open_stream(&format!("{PATH}/{id}/messages/stream"), None).await;
    assert_eq!(stream.next().await.event_type, "message.created");
    assert_eq!(erase(&client, &id).await.status, 204);
    assert_eq!(stream.next().await.event_type, "conversation.erased");
    assert!(stream.try_next().await.is_none());
}

/// Whether a file in a directory or below it holds these bytes.
pub(crate) fn holds(directory: &Path, bytes: &[u8]) -> bool {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).any(|path| {
        if path.is_dir() {
            holds(&path, bytes)
        } else {
            fs::read(&path).unwrap().windows(bytes.len()).any(|part| part == bytes)
        }
    })
}

#[actix_web::test]
async fn feeds_are_written_again_without_an_erased_conversation() {
    let (service, client, _key) = start().await;
    let (kept, erased) = (client.upsert("call-1").await, create(&client, "call-2").await);
    client.add_message(&kept, "this one stays", AT).await;
    for table in ["messages", "conversations"] {
        let yesterday = format!("UPDATE {table} SET created_at = created_at - {MICROS_PER_DAY}");
        service.test_database().execute(&yesterday).await;
    }
    let export = async || service.export_feeds_at("acme", SystemClock.now(), DayRange::default()).await;
    export().await;
    assert!(holds(service.feeds_directory(), CANARY.as_bytes()));
    assert_eq!(erase(&client, &erased).await.status, 204);
    export().await;
    assert!(!holds(service.feeds_directory(), CANARY.as_bytes()));
    assert!(holds(service.feeds_directory(), b"this one stays"));
}

#[actix_web::test]
async fn no_file_of_sqlite_holds_a_byte_of_an_erased_conversation() {
    let database = TestDatabase::sqlite();
    let file = database.url().trim_start_matches("sqlite://").split('?').next().unwrap().to_owned();
    let directory = Path::new(&file).parent().unwrap().to_owned();
    let (_service, client, _key) = start_on(database).await;
    let mut ids = Vec::new();
    for number in 0..40 {
        ids.push(client.upsert(&format!("zeppelin-{number}.")).await);
    }
    // Rows move from page to page while others are added between them.
    for turn in 0..30 {
        for (number, id) in ids.iter().enumerate() {
            let text = format!("{CANARY} zeppelin-{number}. {}", "filler ".repeat((turn * 7 + number) % 40));
            client.add_message(id, &text, AT).await;
        }
    }
    for id in ids.iter().step_by(2) {
        assert_eq!(erase(&client, id).await.status, 204);
    }
    let left: Vec<_> = (0..40).map(|number| holds(&directory, format!("zeppelin-{number}.").as_bytes())).collect();
    assert_eq!(left, (0..40).map(|number| number % 2 == 1).collect::<Vec<_>>());
}

#[actix_web::test]
async fn without_a_master_key_nothing_is_erased() {
    let service = TestService::start().await;
    let client = service.client_with_permissions("acme", &Permission::ALL).await;
    let id = create(&client, "call-1").await;
    assert_eq!(erase(&client, &id).await.status, 503);
    assert_eq!(client.get(&format!("{PATH}/{id}")).await.status, 200);
}

#[actix_web::test]
async fn erasure_works_the_same_on_postgresql() {
    let Some(database) = TestDatabase::postgres() else { return };
    let (_service, client, _key) = start_on(database).await;
    let id = create(&client, "call-1").await;
    assert_eq!(erase(&client, &id).await.status, 204);
    assert_eq!(client.get(&format!("{PATH}/{id}")).await.status, 404);
    assert_eq!(client.post(PATH, &conversation_body("call-1")).await.status, 409);
    assert_eq!(client.post(&format!("{PATH}/{id}/messages"), &message_body("late", AT)).await.status, 404);
    assert_eq!(client.get(ERASURES).await.ok()["erasures"][0]["conversationId"], json!(id));
}
