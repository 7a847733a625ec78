//! Spec §4.1 to §4.3.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use support::{
    client::{Client, conversation},
    database::TestDatabase,
    service::TestService,
};

const PATH: &str = "/conversation/v1/conversations";

async fn retrieved(client: &Client, id: &str) -> Value {
    client.get(&format!("{PATH}/{id}")).await.ok()
}

#[actix_web::test]
async fn a_created_conversation_is_given_back_without_what_was_left_out() {
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
async fn an_update_replaces_the_customer_and_keeps_what_is_left_out() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let mut body = conversation("call-1");
    body["agent"] = json!({"externalId": "agent-1", "name": "Grace"});
    body["metadata"] = json!({"channel": "phone"});
    body["customer"]["name"] = json!("Ada");
    let id = client.post(PATH, &body).await.ok()["id"].clone();
    let updated = client.post(PATH, &conversation("call-1")).await.ok();
    assert_eq!(updated["id"], id);
    let expected = json!({
        "id": id, "externalId": "call-1", "customer": {"externalId": "customer-7"},
        "agent": {"externalId": "agent-1", "name": "Grace"}, "metadata": {"channel": "phone"},
    });
    assert_eq!(retrieved(&client, id.as_str().unwrap()).await, expected);
}

#[actix_web::test]
async fn an_update_by_null_clears_the_agent_and_the_metadata() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let mut body = conversation("call-1");
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
async fn an_update_replaces_the_agent_and_the_metadata_wholly() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let mut body = conversation("call-1");
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
async fn a_given_id_must_be_the_conversations_own() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let (one, other) = (client.upsert("call-1").await, client.upsert("call-2").await);
    let with_id = |external_id: &str, id: &str| {
        let mut body = conversation(external_id);
        body["id"] = json!(id);
        body
    };
    assert_eq!(client.post(PATH, &with_id("call-1", &one)).await.ok()["id"], json!(one));
    assert_eq!(
        client.post(PATH, &with_id("call-1", &other)).await.refusal(),
        (409, vec!["/id id_of_external_id".into()])
    );
    assert_eq!(
        client.post(PATH, &with_id("call-3", &one)).await.refusal(),
        (409, vec!["/id id_of_external_id".into()])
    );
    assert_eq!(client.post(PATH, &with_id("call-3", "NONE")).await.refusal(), (404, vec!["/id exists".into()]));
}

#[actix_web::test]
async fn a_search_finds_by_external_id_whatever_its_letters() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let external_id = "a b+c/d?e=f&g%20#\u{1F980} é";
    let id = client.upsert(external_id).await;
    let found = client.send(&reqwest::Method::GET, PATH, |request| request.query(&[("externalId", external_id)])).await;
    let expected = json!({"items": [{"id": id, "externalId": external_id, "customer": {"externalId": "customer-7"}}]});
    assert_eq!(found.ok(), expected);
}

#[actix_web::test]
async fn a_search_that_finds_nothing_is_an_empty_list() {
    let service = TestService::start().await;
    let found = service.client("acme").await.get(&format!("{PATH}?externalId=call-1")).await;
    assert_eq!(found.ok(), json!({"items": []}));
}

#[actix_web::test]
async fn a_search_needs_its_criterion_once_and_not_empty() {
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
        assert_eq!(refusal.refusal().1, [format!("query:externalId {rule}")], "{query}");
    }
}

#[actix_web::test]
async fn a_conversation_that_is_not_there_is_404_and_an_id_of_another_form_400() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let missing = client.get(&format!("{PATH}/01JZX900000000000000000000")).await;
    assert_eq!(missing.refusal(), (404, vec!["path:conversationId exists".into()]));
    for id in ["abc", "A-B", "%C3%89", "A%00", "..%2FA"] {
        assert_eq!(client.get(&format!("{PATH}/{id}")).await.status, 400, "{id}");
    }
}

async fn race(home: TestDatabase) {
    let service = TestService::over(home, &[]).await;
    let client = service.client("acme").await;
    let racers = (0..40).map(|_| {
        let client = client.clone();
        actix_web::rt::spawn(async move { client.upsert("call-1").await })
    });
    let racers: Vec<_> = racers.collect();
    let mut ids = BTreeSet::new();
    for racer in racers {
        ids.insert(racer.await.unwrap());
    }
    let found = client.get(&format!("{PATH}?externalId=call-1")).await.ok();
    let items = found["items"].as_array().unwrap();
    assert_eq!((ids.len(), items.len()), (1, 1));
    assert_eq!(items[0]["id"], json!(ids.first().unwrap()));
}

#[actix_web::test]
async fn forty_upserts_at_once_make_one_conversation_on_sqlite() {
    race(TestDatabase::sqlite()).await;
}

#[actix_web::test]
async fn forty_upserts_at_once_make_one_conversation_on_postgres() {
    let Some(home) = TestDatabase::postgres() else { return };
    race(home).await;
}
