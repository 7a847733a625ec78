//! Several messages in one request.

use serde_json::{Value, json};
use support::{
    client::{Client, message},
    service::TestService,
};

fn messages(conversation: &str) -> String {
    format!("/conversation/v1/conversations/{conversation}/messages")
}

fn batch(conversation: &str) -> String {
    format!("{}/batch", messages(conversation))
}

async fn listed(client: &Client, conversation: &str) -> Vec<(String, String)> {
    let list = client.get(&messages(conversation)).await.ok();
    let text = |item: &Value, member: &str| item[member].as_str().unwrap().to_owned();
    let items = list["items"].as_array().unwrap().iter();
    items.map(|item| (text(item, "messageId"), text(item, "text"))).collect()
}

#[actix_web::test]
async fn the_messages_of_a_batch_are_stored_and_their_ids_answered_in_the_order_of_the_request() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let said =
        json!({"messages": [message("second", "2026-01-31T09:30:02Z"), message("first", "2026-01-31T09:30:01Z")]});
    let ids = client.post(&batch(&id), &said).await.ok()["ids"].clone();
    let listed = listed(&client, &id).await;
    assert_eq!(listed.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["first", "second"]);
    assert_eq!(ids, json!([listed[1].0, listed[0].0]));
}

#[actix_web::test]
async fn a_batch_has_1_to_300_messages() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let of = |count| json!({"messages": vec![message("hello", "2026-01-31T09:30:00Z"); count]});
    assert_eq!(client.post(&batch(&id), &of(300)).await.ok()["ids"].as_array().unwrap().len(), 300);
    assert_eq!(client.post(&batch(&id), &of(301)).await.refusal(), (422, vec!["/messages max_items".to_owned()]));
    assert_eq!(client.post(&batch(&id), &of(0)).await.refusal(), (422, vec!["/messages min_items".to_owned()]));
    assert_eq!(listed(&client, &id).await.len(), 300);
}

#[actix_web::test]
async fn of_a_batch_with_something_wrong_nothing_is_stored_and_everything_wrong_is_told() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let mut wrong = message("", "yesterday");
    wrong["sender"]["role"] = json!("robot");
    let said = json!({"messages": [message("hello", "2026-01-31T09:30:00Z"), wrong]});
    let told = ["/messages/1/sender/role enum", "/messages/1/timestamp date_time", "/messages/1/text min_characters"];
    assert_eq!(client.post(&batch(&id), &said).await.refusal(), (400, told.map(str::to_owned).to_vec()));
    assert_eq!(listed(&client, &id).await, []);
}

#[actix_web::test]
async fn a_batch_of_another_shape_is_refused_where_it_is_wrong() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for (body, told) in [
        (json!({}), "/messages required"),
        (json!({"messages": null}), "/messages type"),
        (json!({"messages": [7]}), "/messages/0 type"),
        (json!({"messages": [{"text": 7}]}), "/messages/0/text type"),
    ] {
        assert_eq!(client.post(&batch(&id), &body).await.refusal(), (400, vec![told.to_owned()]), "{body}");
    }
}

#[actix_web::test]
async fn a_batch_needs_a_conversation_that_is_there() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let said = json!({"messages": [message("hello", "2026-01-31T09:30:00Z")]});
    let answer = client.post(&batch("01JZX900000000000000000000"), &said).await;
    assert_eq!(answer.refusal(), (404, vec!["path:conversationId exists".to_owned()]));
}

#[actix_web::test]
async fn a_number_spread_over_a_batch_and_what_was_there_is_masked_but_for_its_last_digits() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.say(&id, "four one one one", "2026-01-31T09:30:00Z").await;
    let said = json!({"messages": [
        message("uh one one one one", "2026-01-31T09:30:01Z"),
        message("one one one one one one one one", "2026-01-31T09:30:02Z")
    ]});
    assert_eq!(client.post(&batch(&id), &said).await.status, 200);
    let texts: Vec<_> = listed(&client, &id).await.into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["**** *** *** ***", "uh *** *** *** ***", "*** *** *** *** one one one one"]);
}
