//! Tests of what an open privacy request says, and of the list of requests.

use std::time::Instant;

use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::{Value, json};
use support::{
    client::{Client, message_body},
    database::TestDatabase,
    raw_connection::IO_TIMEOUT,
};

use crate::erasure::{start, start_on};

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
        tokio::task::yield_now().await;
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
