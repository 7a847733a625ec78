//! Tests of message batches: several messages in one request.

use serde_json::{Value, json};
use support::{
    client::{Client, message_body},
    service::TestService,
};

fn messages_path(conversation: &str) -> String {
    format!("/conversation/v1/conversations/{conversation}/messages")
}

fn batch_path(conversation: &str) -> String {
    format!("{}/batch", messages_path(conversation))
}

async fn listed(client: &Client, conversation: &str) -> Vec<(String, String)> {
    let list = client.get(&messages_path(conversation)).await.ok();
    let text = |item: &Value, member: &str| item[member].as_str().unwrap().to_owned();
    let items = list["items"].as_array().unwrap().iter();
    items.map(|item| (text(item, "messageId"), text(item, "text"))).collect()
}

#[actix_web::test]
async fn a_batch_is_stored_and_its_ids_are_returned_in_the_order_of_the_request() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let body = json!({"messages": [message_body("second", "2026-01-31T09:30:02Z"), message_body("first", "2026-01-31T09:30:01Z")]});
    let ids = client.post(&batch_path(&id), &body).await.ok()["ids"].clone();
    let listed = listed(&client, &id).await;
    assert_eq!(listed.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["first", "second"]);
    assert_eq!(ids, json!([listed[1].0, listed[0].0]));
}

#[actix_web::test]
async fn a_batch_has_1_to_300_messages() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let batch_of = |count| json!({"messages": vec![message_body("hello", "2026-01-31T09:30:00Z"); count]});
    assert_eq!(client.post(&batch_path(&id), &batch_of(300)).await.ok()["ids"].as_array().unwrap().len(), 300);
    assert_eq!(
        client.post(&batch_path(&id), &batch_of(301)).await.error_details(),
        (422, vec!["/messages max_items".to_owned()])
    );
    assert_eq!(
        client.post(&batch_path(&id), &batch_of(0)).await.error_details(),
        (422, vec!["/messages min_items".to_owned()])
    );
    assert_eq!(listed(&client, &id).await.len(), 300);
}

#[actix_web::test]
async fn an_invalid_batch_is_not_stored_and_every_violation_is_reported() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let mut wrong = message_body("", "yesterday");
    wrong["sender"]["role"] = json!("robot");
    let body = json!({"messages": [message_body("hello", "2026-01-31T09:30:00Z"), wrong]});
    let expected =
        ["/messages/1/sender/role enum", "/messages/1/timestamp date_time", "/messages/1/text min_characters"];
    assert_eq!(client.post(&batch_path(&id), &body).await.error_details(), (400, expected.map(str::to_owned).to_vec()));
    assert_eq!(listed(&client, &id).await, []);
}

#[actix_web::test]
async fn a_malformed_batch_is_rejected_with_a_pointer_to_the_error() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for (body, expected) in [
        (json!({}), "/messages required"),
        (json!({"messages": null}), "/messages type"),
        (json!({"messages": [7]}), "/messages/0 type"),
        (json!({"messages": [{"text": 7}]}), "/messages/0/text type"),
    ] {
        assert_eq!(
            client.post(&batch_path(&id), &body).await.error_details(),
            (400, vec![expected.to_owned()]),
            "{body}"
        );
    }
}

#[actix_web::test]
async fn a_batch_requires_an_existing_conversation() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let body = json!({"messages": [message_body("hello", "2026-01-31T09:30:00Z")]});
    let answer = client.post(&batch_path("01JZX900000000000000000000"), &body).await;
    assert_eq!(answer.error_details(), (404, vec!["path:conversationId exists".to_owned()]));
}

#[actix_web::test]
async fn a_number_split_over_stored_and_new_messages_is_masked_except_for_its_last_digits() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.add_message(&id, "four one one one", "2026-01-31T09:30:00Z").await;
    let body = json!({"messages": [
        message_body("uh one one one one", "2026-01-31T09:30:01Z"),
        message_body("one one one one one one one one", "2026-01-31T09:30:02Z")
    ]});
    assert_eq!(client.post(&batch_path(&id), &body).await.status, 200);
    let texts: Vec<_> = listed(&client, &id).await.into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["**** *** *** ***", "uh *** *** *** ***", "*** *** *** *** one one one one"]);
}
