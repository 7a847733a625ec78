//! Requests that are sent more than once under one `Idempotency-Key`.

use reqwest::Method;
use serde_json::{Value, json};
use support::{
    client::{Answer, Client, conversation, message},
    service::TestService,
};

const CONVERSATIONS: &str = "/conversation/v1/conversations";
const VOCABULARIES: &str = "/configuration/v1/custom-vocabularies";

async fn post(client: &Client, path: &str, key: &str, body: &Value) -> Answer {
    client.send(&Method::POST, path, |request| request.header("Idempotency-Key", key).json(body)).await
}

fn messages(conversation: &str) -> String {
    format!("{CONVERSATIONS}/{conversation}/messages")
}

fn entry(phrase: &str) -> Value {
    json!({"phrase": phrase, "soundsLike": ["I triple E"]})
}

/// Sends a request twice and gives both answers.
async fn twice(client: &Client, path: &str, body: &Value) -> [Answer; 2] {
    [post(client, path, "key-1", body).await, post(client, path, "key-1", body).await]
}

fn assert_replayed([first, second]: &[Answer; 2]) {
    assert!(first.status < 300, "{}", first.text);
    assert_eq!((second.status, &second.text), (first.status, &first.text));
    assert_eq!((first.header("idempotency-replayed"), second.header("idempotency-replayed")), ("", "true"));
}

#[actix_web::test]
async fn a_repeated_message_is_answered_as_the_first_and_stored_once() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let answers = twice(&client, &messages(&id), &message("hello", "2026-01-31T09:30:00Z")).await;
    assert_replayed(&answers);
    assert_eq!(client.get(&messages(&id)).await.ok()["items"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_repeated_batch_is_answered_as_the_first_and_stored_once() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let batch = json!({"messages": [message("a", "2026-01-31T09:30:00Z"), message("b", "2026-01-31T09:30:01Z")]});
    assert_replayed(&twice(&client, &format!("{}/batch", messages(&id)), &batch).await);
    assert_eq!(client.get(&messages(&id)).await.ok()["items"].as_array().unwrap().len(), 2);
}

#[actix_web::test]
async fn a_repeated_upsert_changes_nothing_again() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let first = post(&client, CONVERSATIONS, "key-1", &conversation("call-1")).await;
    let mut later = conversation("call-1");
    later["customer"]["name"] = json!("Changed");
    assert_eq!(client.post(CONVERSATIONS, &later).await.status, 200);
    let again = post(&client, CONVERSATIONS, "key-1", &conversation("call-1")).await;
    assert_replayed(&[first, again]);
    let stored = client.get(&format!("{CONVERSATIONS}?externalId=call-1")).await.ok();
    assert_eq!(stored["items"][0]["customer"]["name"], "Changed");
}

#[actix_web::test]
async fn a_repeated_entry_is_answered_as_it_was_created_though_it_is_gone() {
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
async fn another_body_or_place_under_a_used_key_is_refused() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let (id, other) = (client.upsert("call-1").await, client.upsert("call-2").await);
    let said = message("hello", "2026-01-31T09:30:00Z");
    assert_eq!(post(&client, &messages(&id), "key-1", &said).await.status, 200);
    let refusal = (422, vec!["header:idempotency-key one_request".to_owned()]);
    let another = message("hello!", "2026-01-31T09:30:00Z");
    assert_eq!(post(&client, &messages(&id), "key-1", &another).await.refusal(), refusal);
    assert_eq!(post(&client, &messages(&other), "key-1", &said).await.refusal(), refusal);
    assert_eq!(client.get(&messages(&other)).await.ok(), json!({"items": []}));
}

#[actix_web::test]
async fn a_key_is_one_tenants_and_one_operations() {
    let service = TestService::start().await;
    let (acme, globex) = (service.client("acme").await, service.client("globex").await);
    let ours = post(&acme, CONVERSATIONS, "key-1", &conversation("call-1")).await;
    let theirs = post(&globex, CONVERSATIONS, "key-1", &conversation("call-1")).await;
    let entry = post(&acme, VOCABULARIES, "key-1", &entry("IEEE")).await;
    assert_eq!([ours.status, theirs.status, entry.status], [200, 200, 201]);
    assert_eq!(theirs.header("idempotency-replayed"), "");
    assert_ne!(ours.text, theirs.text);
}

#[actix_web::test]
async fn a_request_that_was_refused_can_be_sent_again() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let said = message("hello", "2026-01-31T09:30:00Z");
    let nowhere = messages("01JZX900000000000000000000");
    for _ in 0..2 {
        assert_eq!(post(&client, &nowhere, "key-1", &said).await.status, 404);
    }
    let id = client.upsert("call-1").await;
    assert_eq!(post(&client, &messages(&id), "key-1", &said).await.status, 200);
}

#[actix_web::test]
async fn of_requests_sent_at_once_under_one_key_one_is_carried_out() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let racers: Vec<_> = (0..20)
        .map(|_| {
            let (client, path) = (client.clone(), messages(&id));
            actix_web::rt::spawn(async move {
                let said = message("hello", "2026-01-31T09:30:00Z");
                post(&client, &path, "key-1", &said).await
            })
        })
        .collect();
    let mut ids = Vec::new();
    for racer in racers {
        let answer = racer.await.unwrap();
        match answer.status {
            200 => ids.push(answer.json()["id"].clone()),
            _ => assert_eq!(answer.refusal(), (409, vec!["header:idempotency-key still_running".to_owned()])),
        }
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
    assert_eq!(client.get(&messages(&id)).await.ok()["items"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_key_that_cannot_be_one_is_refused() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for key in ["", &"k".repeat(256)] {
        let answer = post(&client, CONVERSATIONS, key, &conversation("call-1")).await;
        assert_eq!(answer.refusal(), (400, vec!["header:idempotency-key pattern".to_owned()]));
    }
}

/// Sends a body as it is.
async fn post_text(client: &Client, path: &str, body: &str) -> Answer {
    let send = |request: reqwest::RequestBuilder| {
        request.header("Idempotency-Key", "key-1").header("Content-Type", "application/json").body(body.to_owned())
    };
    client.send(&Method::POST, path, send).await
}

#[actix_web::test]
async fn a_repeat_may_be_written_in_another_way() {
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
async fn what_differs_in_what_it_asks_for_is_another_request() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let mut full = conversation("call-1");
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
        assert_eq!(answer.refusal(), (422, vec!["header:idempotency-key one_request".to_owned()]), "{other}");
    }
}

#[actix_web::test]
async fn a_receipt_of_an_earlier_version_of_the_program_is_compared_by_bytes() {
    // As version 1 stored them of the key `key-1` and this body: HMAC-SHA256, each part with its length before it.
    const BODY: &str =
        r#"{"externalId":"call-1","customer":{"externalId":"customer-7"},"timestamp":"2026-01-31T09:30:00Z"}"#;
    const KEY: &str = "96cdde1e5926b2ceeddd8f74b2b3999f40aebdf40057134f370999795f25a676";
    const REQUEST: &str = "f243547c36f8e260011f7e5d4800046c841598c909f6260ba17802857bb4375c";
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_micros();
    let stored =
        format!("INSERT INTO receipts VALUES ('acme', 'upsert-conversation', X'{KEY}', X'{REQUEST}', '{id}', {now})");
    service.database().await.execute_unprepared(&stored).await.unwrap();
    let again = post_text(&client, CONVERSATIONS, BODY).await;
    assert_eq!((again.ok()["id"].as_str(), again.header("idempotency-replayed")), (Some(&*id), "true"));
    let rewritten = post_text(&client, CONVERSATIONS, &format!("{BODY} ")).await;
    assert_eq!(rewritten.refusal(), (422, vec!["header:idempotency-key one_request".to_owned()]));
}
