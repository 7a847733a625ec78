//! Spec §4.4 and §4.5.

use serde_json::{Value, json};
use support::{
    client::{Client, message},
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
        client.say(&id, text, timestamp).await;
    }
    id
}

#[actix_web::test]
async fn a_message_is_listed_with_both_its_times_in_utc() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let message_id = client.say(&id, "hello", "2026-01-31T10:30:00.1234567+01:00").await;
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
async fn messages_are_listed_by_client_time_and_then_by_arrival() {
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
async fn messages_need_a_conversation_that_is_there() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let nowhere = path("01JZX900000000000000000000");
    let said = client.post(&nowhere, &message("hello", "2026-01-31T09:30:00Z")).await;
    assert_eq!(said.refusal(), (404, vec!["path:conversationId exists".into()]));
    assert_eq!(client.get(&nowhere).await.status, 404);
    assert_eq!(client.get(&format!("{nowhere}?limit=1")).await.status, 404);
}

#[actix_web::test]
async fn a_page_walk_gives_every_message_once_and_in_order() {
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
        let mut seen = Vec::new();
        let mut next = format!("{}?limit={limit}", path(&id));
        loop {
            let page = client.get(&next).await.ok();
            seen.extend(texts(&page).iter().map(|text| (*text).to_owned()));
            let Some(cursor) = page["nextCursor"].as_str() else { break };
            next = format!("{}?limit={limit}&cursor={cursor}", path(&id));
        }
        assert_eq!(seen, ["a", "b", "c", "d"], "limit {limit}");
    }
}

#[actix_web::test]
async fn a_cursor_goes_on_where_its_page_ended_whatever_came_since() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = conversation_of(&client, &[("a", "2026-01-31T09:30:00Z"), ("c", "2026-01-31T09:30:02Z")]).await;
    let cursor = client.get(&format!("{}?limit=1", path(&id))).await.ok()["nextCursor"].as_str().unwrap().to_owned();
    client.say(&id, "b", "2026-01-31T09:30:01Z").await;
    let rest = client.get(&format!("{}?cursor={cursor}", path(&id))).await.ok();
    assert_eq!((texts(&rest), &rest["nextCursor"]), (vec!["b", "c"], &Value::Null));
}

#[actix_web::test]
async fn a_limit_and_a_cursor_that_mean_nothing_are_refused() {
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
async fn a_text_comes_back_letter_for_letter() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let awkward = "\u{feff} \"q\" \\ \u{7f}\u{1}\r\n\t🦀 e\u{301} \u{202e}x $1 '; --";
    client.say(&id, awkward, "2026-01-31T09:30:00Z").await;
    assert_eq!(texts(&client.get(&path(&id)).await.ok()), [awkward]);
}
