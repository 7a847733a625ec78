//! Tests of spec §4.1 to §4.3: conversations are created, updated, searched and retrieved.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use support::{
    client::{Client, conversation_body},
    database::TestDatabase,
    service::TestService,
};

const PATH: &str = "/conversation/v1/conversations";

async fn retrieved(client: &Client, id: &str) -> Value {
    client.get(&format!("{PATH}/{id}")).await.ok()
}

#[actix_web::test]
async fn a_new_conversation_is_returned_without_omitted_members() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let expected = json!({"id": id, "externalId": "call-1", "customer": {"externalId": "customer-7"}});
    assert_eq!(retrieved(&client, &id).await, expected);
}

#[actix_web::test]
async fn an_id_has_26_upper_case_letters_and_digits() {
    let service = TestService::start().await;
    let id = service.client("acme").await.upsert("call-1").await;
    assert!(id.len() == 26 && id.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()));
}

#[actix_web::test]
async fn an_update_replaces_the_customer_and_keeps_omitted_members() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let mut body = conversation_body("call-1");
    body["agent"] = json!({"externalId": "agent-1", "name": "Grace"});
    body["metadata"] = json!({"channel": "phone"});
    body["customer"]["name"] = json!("Ada");
    let id = client.post(PATH, &body).await.ok()["id"].clone();
    let updated = client.post(PATH, &conversation_body("call-1")).await.ok();
    assert_eq!(updated["id"], id);
    let expected = json!({
        "id": id, "externalId": "call-1", "customer": {"externalId": "customer-7"},
        "agent": {"externalId": "agent-1", "name": "Grace"}, "metadata": {"channel": "phone"},
    });
    assert_eq!(retrieved(&client, id.as_str().unwrap()).await, expected);
}

#[actix_web::test]
async fn an_update_with_null_clears_the_agent_and_the_metadata() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let mut body = conversation_body("call-1");
    body["agent"] = json!({"externalId": "agent-1"});
    body["metadata"] = json!({"channel": "phone"});
    assert_eq!(client.post(PATH, &body).await.status, 200);
    body["agent"] = Value::Null;
    body["metadata"] = Value::Null;
    let id = client.post(PATH, &body).await.ok()["id"].clone();
    let expected = json!({"id": id, "externalId": "call-1", "customer": {"externalId": "customer-7"}});
    assert_eq!(retrieved(&client, id.as_str().unwrap()).await, expected);
}

#[actix_web::test]
async fn an_update_replaces_the_whole_agent_and_the_whole_metadata() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let mut body = conversation_body("call-1");
    body["agent"] = json!({"externalId": "agent-1", "name": "Grace"});
    body["metadata"] = json!({"channel": "phone", "queue": "sales"});
    assert_eq!(client.post(PATH, &body).await.status, 200);
    body["agent"] = json!({"externalId": "agent-2"});
    body["metadata"] = json!({"queue": "support"});
    let id = client.post(PATH, &body).await.ok()["id"].clone();
    let stored = retrieved(&client, id.as_str().unwrap()).await;
    assert_eq!(stored["agent"], json!({"externalId": "agent-2"}));
    assert_eq!(stored["metadata"], json!({"queue": "support"}));
}

#[actix_web::test]
async fn an_id_in_the_body_must_belong_to_the_external_id() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let (one, other) = (client.upsert("call-1").await, client.upsert("call-2").await);
    let with_id = |external_id: &str, id: &str| {
        let mut body = conversation_body(external_id);
        body["id"] = json!(id);
        body
    };
    assert_eq!(client.post(PATH, &with_id("call-1", &one)).await.ok()["id"], json!(one));
    assert_eq!(
        client.post(PATH, &with_id("call-1", &other)).await.error_details(),
        (409, vec!["/id id_of_external_id".into()])
    );
    assert_eq!(
        client.post(PATH, &with_id("call-3", &one)).await.error_details(),
        (409, vec!["/id id_of_external_id".into()])
    );
    assert_eq!(client.post(PATH, &with_id("call-3", "NONE")).await.error_details(), (404, vec!["/id exists".into()]));
}

#[actix_web::test]
async fn a_search_finds_an_external_id_whatever_its_characters() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let external_id = "a b+c/d?e=f&g%20#\u{1F980} é";
    let id = client.upsert(external_id).await;
    let found = client.send(&reqwest::Method::GET, PATH, |request| request.query(&[("externalId", external_id)])).await;
    let expected = json!({"items": [{"id": id, "externalId": external_id, "customer": {"externalId": "customer-7"}}]});
    assert_eq!(found.ok(), expected);
}

#[actix_web::test]
async fn a_search_without_a_match_returns_an_empty_list() {
    let service = TestService::start().await;
    let found = service.client("acme").await.get(&format!("{PATH}?externalId=call-1")).await;
    assert_eq!(found.ok(), json!({"items": []}));
}

#[actix_web::test]
async fn a_search_requires_exactly_one_external_id_that_is_not_empty() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (query, rule) in [
        ("", "required"),
        ("?externalId=", "min_characters"),
        ("?externalId", "min_characters"),
        ("?externalId=a&externalId=b", "unique"),
    ] {
        let refusal = client.get(&format!("{PATH}{query}")).await;
        assert_eq!(refusal.status, 400, "{query}");
        assert_eq!(refusal.error_details().1, [format!("query:externalId {rule}")], "{query}");
    }
}

#[actix_web::test]
async fn a_missing_conversation_is_404_and_a_malformed_id_is_400() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let missing = client.get(&format!("{PATH}/01JZX900000000000000000000")).await;
    assert_eq!(missing.error_details(), (404, vec!["path:conversationId exists".into()]));
    for id in ["abc", "A-B", "%C3%89", "A%00", "..%2FA"] {
        assert_eq!(client.get(&format!("{PATH}/{id}")).await.status, 400, "{id}");
    }
}

async fn race_upserts(database: TestDatabase) {
    let service = TestService::start_with(database, &[]).await;
    let client = service.client("acme").await;
    let tasks = (0..40).map(|_| {
        let client = client.clone();
        actix_web::rt::spawn(async move { client.upsert("call-1").await })
    });
    let tasks: Vec<_> = tasks.collect();
    let mut ids = BTreeSet::new();
    for task in tasks {
        ids.insert(task.await.unwrap());
    }
    let found = client.get(&format!("{PATH}?externalId=call-1")).await.ok();
    let items = found["items"].as_array().unwrap();
    assert_eq!((ids.len(), items.len()), (1, 1));
    assert_eq!(items[0]["id"], json!(ids.first().unwrap()));
}

#[actix_web::test]
async fn forty_concurrent_upserts_create_one_conversation_on_sqlite() {
    race_upserts(TestDatabase::sqlite()).await;
}

#[actix_web::test]
async fn forty_concurrent_upserts_create_one_conversation_on_postgres() {
    let Some(database) = TestDatabase::postgres() else { return };
    race_upserts(database).await;
}
