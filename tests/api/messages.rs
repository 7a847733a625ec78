//! Tests of spec §4.4 and §4.5: messages are created and listed.

use serde_json::{Value, json};
use support::{
    client::{Client, message_body},
    service::TestService,
};

fn path(conversation: &str) -> String {
    format!("/conversation/v1/conversations/{conversation}/messages")
}

fn texts(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap()).collect()
}

async fn conversation_of(client: &Client, messages: &[(&str, &str)]) -> String {
    let id = client.upsert("call-1").await;
    for (text, timestamp) in messages {
        client.add_message(&id, text, timestamp).await;
    }
    id
}

#[actix_web::test]
async fn a_message_is_listed_with_both_timestamps_in_utc() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let message_id = client.add_message(&id, "hello", "2026-01-31T10:30:00.1234567+01:00").await;
    let list = client.get(&path(&id)).await.ok();
    let item = &list["items"][0];
    assert_eq!(item["sender"], json!({"role": "customer", "externalId": "customer-7"}));
    assert_eq!(
        (&item["messageId"], &item["clientTimestamp"]),
        (&json!(message_id), &json!("2026-01-31T09:30:00.123456Z"))
    );
    assert!(item["createdTimestamp"].as_str().unwrap().ends_with('Z'));
    assert!(list.get("nextCursor").is_none());
}

#[actix_web::test]
async fn messages_are_listed_by_client_timestamp_and_then_by_arrival() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = conversation_of(
        &client,
        &[
            ("third", "2026-01-31T09:30:01Z"),
            ("fourth", "2026-01-31T09:30:01"),
            ("first", "1969-12-31T23:59:59.999999Z"),
            ("second", "2026-01-31T09:30:00.999999Z"),
            ("fifth", "2026-01-31T08:30:01-01:00"),
        ],
    )
    .await;
    let list = client.get(&path(&id)).await.ok();
    assert_eq!(texts(&list), ["first", "second", "third", "fourth", "fifth"]);
}

#[actix_web::test]
async fn a_conversation_without_messages_has_an_empty_list() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    assert_eq!(client.get(&path(&id)).await.ok(), json!({"items": []}));
    assert_eq!(client.get(&format!("{}?limit=5", path(&id))).await.ok(), json!({"items": [], "nextCursor": null}));
}

#[actix_web::test]
async fn messages_require_an_existing_conversation() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let missing_path = path("01JZX900000000000000000000");
    let answer = client.post(&missing_path, &message_body("hello", "2026-01-31T09:30:00Z")).await;
    assert_eq!(answer.error_details(), (404, vec!["path:conversationId exists".into()]));
    assert_eq!(client.get(&missing_path).await.status, 404);
    assert_eq!(client.get(&format!("{missing_path}?limit=1")).await.status, 404);
}

#[actix_web::test]
async fn pages_return_every_message_once_and_in_order() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let messages = [
        ("a", "2026-01-31T09:30:00Z"),
        ("b", "2026-01-31T09:30:00Z"),
        ("c", "2026-01-31T09:30:00Z"),
        ("d", "2026-01-31T09:30:01Z"),
    ];
    let id = conversation_of(&client, &messages).await;
    for limit in 1..=5 {
        let mut listed = Vec::new();
        let mut next = format!("{}?limit={limit}", path(&id));
        loop {
            let page = client.get(&next).await.ok();
            listed.extend(texts(&page).iter().map(|text| (*text).to_owned()));
            let Some(cursor) = page["nextCursor"].as_str() else { break };
            next = format!("{}?limit={limit}&cursor={cursor}", path(&id));
        }
        assert_eq!(listed, ["a", "b", "c", "d"], "limit {limit}");
    }
}

#[actix_web::test]
async fn a_cursor_continues_after_its_page_and_finds_messages_added_since() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = conversation_of(&client, &[("a", "2026-01-31T09:30:00Z"), ("c", "2026-01-31T09:30:02Z")]).await;
    let cursor = client.get(&format!("{}?limit=1", path(&id))).await.ok()["nextCursor"].as_str().unwrap().to_owned();
    client.add_message(&id, "b", "2026-01-31T09:30:01Z").await;
    let rest = client.get(&format!("{}?cursor={cursor}", path(&id))).await.ok();
    assert_eq!((texts(&rest), &rest["nextCursor"]), (vec!["b", "c"], &Value::Null));
}

#[actix_web::test]
async fn an_invalid_limit_or_cursor_is_rejected() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for query in ["limit=0", "limit=1001", "limit=-1", "limit=ten", "limit=", "limit=1&limit=2"] {
        assert_eq!(client.get(&format!("{}?{query}", path(&id))).await.status, 400, "{query}");
    }
    for query in ["cursor=", "cursor=x", "cursor=1.a", "limit=5&cursor=%00"] {
        assert_eq!(client.get(&format!("{}?{query}", path(&id))).await.status, 400, "{query}");
    }
}

#[actix_web::test]
async fn a_text_is_returned_unchanged() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let awkward = "\u{feff} \"q\" \\ \u{7f}\u{1}\r\n\t🦀 e\u{301} \u{202e}x $1 '; --";
    client.add_message(&id, awkward, "2026-01-31T09:30:00Z").await;
    assert_eq!(texts(&client.get(&path(&id)).await.ok()), [awkward]);
}
