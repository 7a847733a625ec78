//! Tests of retention: previews, rules, and what runs erase.

use parlance_domain::time::MICROS_PER_DAY;
use reqwest::Method;
use serde_json::{Value, json};
use support::{
    client::{ApiResponse, Client, conversation_body},
    database::TestDatabase,
    service::TestService,
};

use crate::erasure::{start, start_on};

const PATH: &str = "/conversation/v1/conversations";
const RETENTION: &str = "/privacy/v1/retention";
const PREVIEW: &str = "/privacy/v1/retention/preview";
const AT: &str = "2026-01-31T09:30:00Z";

async fn put(client: &Client, body: &Value) -> ApiResponse {
    client.send(&Method::PUT, RETENTION, |request| request.json(body)).await
}

async fn preview(client: &Client, rules: &Value) -> Value {
    client.post(PREVIEW, &json!({"rules": rules})).await.ok()
}

/// Replaces the rules, with a preview first.
async fn set_rules(client: &Client, rules: &Value) {
    let token = preview(client, rules).await["previewToken"].clone();
    assert_eq!(put(client, &json!({"rules": rules, "previewToken": token})).await.ok()["rules"], *rules);
}

/// Creates a conversation with one message and this metadata, and returns its id.
async fn create(client: &Client, external_id: &str, metadata: Value) -> String {
    let mut body = conversation_body(external_id);
    body["metadata"] = metadata;
    let id = client.post(PATH, &body).await.ok()["id"].as_str().unwrap().to_owned();
    client.add_message(&id, "hello", AT).await;
    id
}

/// Moves everything that is stored so far into the past.
async fn age(service: &TestService, days: i64) {
    for table in ["messages", "conversations"] {
        let earlier = format!("UPDATE {table} SET created_at = created_at - {}", days * MICROS_PER_DAY);
        service.test_database().execute(&earlier).await;
    }
}

async fn exists(client: &Client, id: &str) -> bool {
    client.get(&format!("{PATH}/{id}")).await.status == 200
}

#[actix_web::test]
async fn a_preview_counts_and_erases_nothing() {
    let (service, client, _key) = start().await;
    let old = create(&client, "call-1", json!({})).await;
    age(&service, 40).await;
    create(&client, "call-2", json!({})).await;
    let answer = preview(&client, &json!([{"days": 30}])).await;
    assert_eq!((&answer["conversations"], &answer["messages"], &answer["held"]), (&json!(1), &json!(1), &json!(0)));
    assert_eq!(answer["oldestDay"].as_str().unwrap().len(), 10);
    service.run_retention().await;
    assert!(exists(&client, &old).await);
}

#[actix_web::test]
async fn a_preview_of_rules_that_keep_everything_has_no_oldest_day() {
    let (_service, client, _key) = start().await;
    create(&client, "call-1", json!({})).await;
    let answer = preview(&client, &json!([{"days": 1}])).await;
    assert_eq!((&answer["conversations"], &answer["oldestDay"]), (&json!(0), &Value::Null));
}

#[actix_web::test]
async fn rules_need_the_token_of_exactly_their_preview() {
    let (service, client, _key) = start().await;
    let other_tenant = service.client("globex").await;
    let rules = json!([{"days": 30}]);
    let token = preview(&client, &rules).await["previewToken"].clone();
    let foreign = preview(&other_tenant, &rules).await["previewToken"].clone();
    for body in [
        json!({"rules": rules}),
        json!({"rules": rules, "previewToken": "x"}),
        json!({"rules": rules, "previewToken": foreign}),
        json!({"rules": [{"days": 29}], "previewToken": token}),
        json!({"rules": [], "previewToken": token}),
    ] {
        let refused = put(&client, &body).await.error_details();
        assert_eq!(refused, (409, vec!["/previewToken preview_required".to_owned()]), "{body}");
    }
    assert_eq!(client.get(RETENTION).await.ok()["rules"], json!([]));
}

#[actix_web::test]
async fn rules_in_force_are_those_of_the_last_replacement() {
    let (_service, client, _key) = start().await;
    let rules = json!([{"metadata": {"team": "north"}, "days": 90}, {"days": 30}]);
    set_rules(&client, &rules).await;
    assert_eq!(client.get(RETENTION).await.ok()["rules"], rules);
    set_rules(&client, &json!([])).await;
    assert_eq!(client.get(RETENTION).await.ok()["rules"], json!([]));
}

#[actix_web::test]
async fn a_run_erases_what_the_rules_no_longer_keep() {
    let (service, client, _key) = start().await;
    let long = create(&client, "call-1", json!({"team": "north"})).await;
    let short = create(&client, "call-2", json!({"team": "south"})).await;
    age(&service, 40).await;
    let new = create(&client, "call-3", json!({})).await;
    set_rules(&client, &json!([{"metadata": {"team": "north"}, "days": 90}, {"days": 30}])).await;
    service.run_retention().await;
    let left = (exists(&client, &long).await, exists(&client, &short).await, exists(&client, &new).await);
    assert_eq!(left, (true, false, true));
    let erased = client.get("/privacy/v1/erasures").await.ok();
    assert_eq!(erased["erasures"][0]["conversationId"], json!(short));
}

#[actix_web::test]
async fn a_held_conversation_outlives_retention() {
    let (service, client, _key) = start().await;
    let id = create(&client, "call-1", json!({})).await;
    age(&service, 40).await;
    let hold = client.post("/privacy/v1/holds", &json!({"conversationId": id, "reference": "Case 17"})).await;
    assert_eq!(hold.status, 201);
    let answer = preview(&client, &json!([{"days": 30}])).await;
    assert_eq!((&answer["conversations"], &answer["held"]), (&json!(0), &json!(1)));
    set_rules(&client, &json!([{"days": 30}])).await;
    service.run_retention().await;
    assert!(exists(&client, &id).await);
}

#[actix_web::test]
async fn an_invalid_rule_is_refused() {
    let (_service, client, _key) = start().await;
    let pairs = json!({"a": "1", "b": "2", "c": "3", "d": "4"});
    for (rules, refused) in [
        (json!([{"days": 0}]), (422, "/rules/0/days range")),
        (json!([{"days": 36_501}]), (422, "/rules/0/days range")),
        (json!([{"days": 1}, {"metadata": {}}]), (400, "/rules/1/days required")),
        (json!([{"metadata": pairs, "days": 1}]), (422, "/rules/0/metadata max_pairs")),
        (json!(vec![json!({"days": 1}); 21]), (422, "/rules max_items")),
    ] {
        let answer = client.post(PREVIEW, &json!({"rules": rules})).await.error_details();
        assert_eq!(answer, (refused.0, vec![refused.1.to_owned()]), "{rules}");
    }
}

#[actix_web::test]
async fn without_a_master_key_no_rule_is_previewed() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    assert_eq!(client.post(PREVIEW, &json!({"rules": []})).await.status, 503);
}

#[actix_web::test]
async fn retention_works_the_same_on_postgresql() {
    let Some(database) = TestDatabase::postgres() else { return };
    let (service, client, _key) = start_on(database).await;
    let long = create(&client, "call-1", json!({"team": "north"})).await;
    let short = create(&client, "call-2", json!({})).await;
    age(&service, 40).await;
    set_rules(&client, &json!([{"metadata": {"team": "north"}, "days": 90}, {"days": 30}])).await;
    service.run_retention().await;
    assert_eq!((exists(&client, &long).await, exists(&client, &short).await), (true, false));
}
