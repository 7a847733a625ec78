//! Tests of the `Idempotency-Key` header: a repeated request is carried out once.

use reqwest::Method;
use serde_json::{Value, json};
use support::{
    client::{ApiResponse, Client, conversation_body, message_body},
    service::TestService,
};

const CONVERSATIONS: &str = "/conversation/v1/conversations";
const VOCABULARIES: &str = "/configuration/v1/custom-vocabularies";

async fn post(client: &Client, path: &str, key: &str, body: &Value) -> ApiResponse {
    client.send(&Method::POST, path, |request| request.header("Idempotency-Key", key).json(body)).await
}

fn messages_path(conversation: &str) -> String {
    format!("{CONVERSATIONS}/{conversation}/messages")
}

fn entry(phrase: &str) -> Value {
    json!({"phrase": phrase, "soundsLike": ["I triple E"]})
}

/// Sends a request twice and returns both responses.
async fn twice(client: &Client, path: &str, body: &Value) -> [ApiResponse; 2] {
    [post(client, path, "key-1", body).await, post(client, path, "key-1", body).await]
}

fn assert_replayed([first, second]: &[ApiResponse; 2]) {
    assert!(first.status < 300, "{}", first.text);
    assert_eq!((second.status, &second.text), (first.status, &first.text));
    assert_eq!((first.header("idempotency-replayed"), second.header("idempotency-replayed")), ("", "true"));
}

#[actix_web::test]
async fn a_repeated_message_gets_the_first_response_and_is_stored_once() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let answers = twice(&client, &messages_path(&id), &message_body("hello", "2026-01-31T09:30:00Z")).await;
    assert_replayed(&answers);
    assert_eq!(client.get(&messages_path(&id)).await.ok()["items"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_repeated_batch_gets_the_first_response_and_is_stored_once() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let batch =
        json!({"messages": [message_body("a", "2026-01-31T09:30:00Z"), message_body("b", "2026-01-31T09:30:01Z")]});
    assert_replayed(&twice(&client, &format!("{}/batch", messages_path(&id)), &batch).await);
    assert_eq!(client.get(&messages_path(&id)).await.ok()["items"].as_array().unwrap().len(), 2);
}

#[actix_web::test]
async fn a_repeated_upsert_is_not_applied_again() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let first = post(&client, CONVERSATIONS, "key-1", &conversation_body("call-1")).await;
    let mut later = conversation_body("call-1");
    later["customer"]["name"] = json!("Changed");
    assert_eq!(client.post(CONVERSATIONS, &later).await.status, 200);
    let again = post(&client, CONVERSATIONS, "key-1", &conversation_body("call-1")).await;
    assert_replayed(&[first, again]);
    let stored = client.get(&format!("{CONVERSATIONS}?externalId=call-1")).await.ok();
    assert_eq!(stored["items"][0]["customer"]["name"], "Changed");
}

#[actix_web::test]
async fn a_repeated_entry_gets_the_first_response_after_its_deletion() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let first = post(&client, VOCABULARIES, "key-1", &entry("IEEE")).await;
    let id = first.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(client.delete(&format!("{VOCABULARIES}/{id}")).await.status, 204);
    let again = post(&client, VOCABULARIES, "key-1", &entry("IEEE")).await;
    assert_replayed(&[first, again]);
    assert_eq!(client.get(VOCABULARIES).await.ok()["custom-vocabularies"], json!([]));
}

#[actix_web::test]
async fn a_used_key_with_another_body_or_path_is_rejected() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let (id, other) = (client.upsert("call-1").await, client.upsert("call-2").await);
    let body = message_body("hello", "2026-01-31T09:30:00Z");
    assert_eq!(post(&client, &messages_path(&id), "key-1", &body).await.status, 200);
    let refusal = (422, vec!["header:idempotency-key one_request".to_owned()]);
    let another = message_body("hello!", "2026-01-31T09:30:00Z");
    assert_eq!(post(&client, &messages_path(&id), "key-1", &another).await.error_details(), refusal);
    assert_eq!(post(&client, &messages_path(&other), "key-1", &body).await.error_details(), refusal);
    assert_eq!(client.get(&messages_path(&other)).await.ok(), json!({"items": []}));
}

#[actix_web::test]
async fn a_key_belongs_to_one_tenant_and_one_operation() {
    let service = TestService::start().await;
    let (acme, globex) = (service.client("acme").await, service.client("globex").await);
    let ours = post(&acme, CONVERSATIONS, "key-1", &conversation_body("call-1")).await;
    let theirs = post(&globex, CONVERSATIONS, "key-1", &conversation_body("call-1")).await;
    let entry = post(&acme, VOCABULARIES, "key-1", &entry("IEEE")).await;
    assert_eq!([ours.status, theirs.status, entry.status], [200, 200, 201]);
    assert_eq!(theirs.header("idempotency-replayed"), "");
    assert_ne!(ours.text, theirs.text);
}

#[actix_web::test]
async fn a_rejected_request_can_be_sent_again_with_its_key() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let body = message_body("hello", "2026-01-31T09:30:00Z");
    let missing_path = messages_path("01JZX900000000000000000000");
    for _ in 0..2 {
        assert_eq!(post(&client, &missing_path, "key-1", &body).await.status, 404);
    }
    let id = client.upsert("call-1").await;
    assert_eq!(post(&client, &messages_path(&id), "key-1", &body).await.status, 200);
}

#[actix_web::test]
async fn of_concurrent_requests_with_one_key_one_is_carried_out() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let (client, path) = (client.clone(), messages_path(&id));
            actix_web::rt::spawn(async move {
                let body = message_body("hello", "2026-01-31T09:30:00Z");
                post(&client, &path, "key-1", &body).await
            })
        })
        .collect();
    let mut ids = Vec::new();
    for task in tasks {
        let answer = task.await.unwrap();
        match answer.status {
            200 => ids.push(answer.json()["id"].clone()),
            _ => assert_eq!(answer.error_details(), (409, vec!["header:idempotency-key still_running".to_owned()])),
        }
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
    assert_eq!(client.get(&messages_path(&id)).await.ok()["items"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn an_invalid_key_is_rejected() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for key in ["", &"k".repeat(256)] {
        let answer = post(&client, CONVERSATIONS, key, &conversation_body("call-1")).await;
        assert_eq!(answer.error_details(), (400, vec!["header:idempotency-key pattern".to_owned()]));
    }
}

/// Sends `body` unchanged.
async fn post_text(client: &Client, path: &str, body: &str) -> ApiResponse {
    let send = |request: reqwest::RequestBuilder| {
        request.header("Idempotency-Key", "key-1").header("Content-Type", "application/json").body(body.to_owned())
    };
    client.send(&Method::POST, path, send).await
}

#[actix_web::test]
async fn a_repeated_request_may_be_serialized_differently() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let forms = [
        r#"{"externalId":"caf\u00e9","customer":{"externalId":"c","name":"Ada"},"metadata":{"a":"1","b":"2"},"timestamp":"2026-01-31T09:30:00Z"}"#,
        r#"{"timestamp": "2026-01-31T10:30:00.000+01:00", "metadata": {"b": "2", "a": "1"},
            "customer": {"name": "Ada", "externalId": "c"}, "externalId": "café"}"#,
    ];
    let [first, second] =
        [post_text(&client, CONVERSATIONS, forms[0]).await, post_text(&client, CONVERSATIONS, forms[1]).await];
    assert_replayed(&[first, second]);
}

#[actix_web::test]
async fn a_request_with_another_meaning_is_another_request() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let mut full = conversation_body("call-1");
    full["metadata"] = json!({"a": "1"});
    assert_eq!(post(&client, CONVERSATIONS, "key-1", &full).await.status, 200);
    for (member, value) in [
        ("metadata", json!(null)),
        ("metadata", json!({"a": "1 "})),
        ("metadata", json!({})),
        ("agent", json!(null)),
        ("timestamp", json!("2026-01-31T09:30:00.000001Z")),
        ("customer", json!({"externalId": "customer-7", "name": ""})),
    ] {
        let mut other = full.clone();
        other[member] = value;
        let answer = post(&client, CONVERSATIONS, "key-1", &other).await;
        assert_eq!(answer.error_details(), (422, vec!["header:idempotency-key one_request".to_owned()]), "{other}");
    }
}

#[actix_web::test]
async fn an_idempotency_record_of_version_1_is_compared_by_bytes() {
    // The digests that version 1 stored for the key `key-1` and this body: HMAC-SHA256 of length-prefixed parts.
    const BODY: &str =
        r#"{"externalId":"call-1","customer":{"externalId":"customer-7"},"timestamp":"2026-01-31T09:30:00Z"}"#;
    const KEY: &str = "96cdde1e5926b2ceeddd8f74b2b3999f40aebdf40057134f370999795f25a676";
    const REQUEST: &str = "f243547c36f8e260011f7e5d4800046c841598c909f6260ba17802857bb4375c";
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_micros();
    let stored =
        format!("INSERT INTO receipts VALUES ('acme', 'upsert-conversation', x'{KEY}', x'{REQUEST}', '{id}', {now})");
    service.test_database().execute(&stored).await;
    let again = post_text(&client, CONVERSATIONS, BODY).await;
    assert_eq!((again.ok()["id"].as_str(), again.header("idempotency-replayed")), (Some(&*id), "true"));
    let rewritten = post_text(&client, CONVERSATIONS, &format!("{BODY} ")).await;
    assert_eq!(rewritten.error_details(), (422, vec!["header:idempotency-key one_request".to_owned()]));
}
