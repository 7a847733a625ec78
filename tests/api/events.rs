//! Tests of polling events.

use parlance_domain::access::Permission;
use serde_json::{Value, json};
use support::{client::Client, service::TestService};

const PATH: &str = "/conversation/v1/events";

fn types(page: &Value) -> Vec<&str> {
    page["events"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect()
}

async fn cursor(client: &Client, query: &str) -> String {
    client.get(&format!("{PATH}?{query}")).await.ok()["nextCursor"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn an_event_holds_what_the_operation_that_reads_the_resource_returns() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let message = client.add_message(&id, "hello", "2026-01-31T09:30:00Z").await;
    let entry = client
        .post("/configuration/v1/custom-vocabularies", &json!({"phrase": "Wi-Fi", "soundsLike": ["why fi"]}))
        .await
        .json();
    let entity = "/configuration/v1/redaction/redaction-entity/EMAIL";
    client.send(&reqwest::Method::PATCH, entity, |request| request.json(&json!({"active": true}))).await;
    let page = client.get(PATH).await.ok();
    assert_eq!(types(&page), ["conversation.created", "message.created", "vocabulary.created", "redaction.switched"]);
    let conversation = format!("/conversation/v1/conversations/{id}");
    let vocabulary = format!("/configuration/v1/custom-vocabularies/{}", entry["id"].as_str().unwrap());
    for (event, path) in [conversation.clone(), format!("{conversation}/messages/{message}"), vocabulary, entity.into()]
        .into_iter()
        .enumerate()
    {
        assert_eq!(page["events"][event]["data"], client.get(&path).await.ok(), "{path}");
    }
    let created = &page["events"][1];
    assert_eq!((&created["conversationId"], &created["externalId"]), (&json!(id), &json!("call-1")));
    assert!(created["occurredAt"].as_str().unwrap().ends_with('Z'));
    assert_eq!(page["events"][3]["id"], page["nextCursor"]);
    assert!(page["events"][2].get("conversationId").is_none());
}

#[actix_web::test]
async fn who_follows_the_cursor_sees_every_event_once() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for text in ["a", "b", "c"] {
        client.add_message(&id, text, "2026-01-31T09:30:00Z").await;
    }
    for limit in 1..=5 {
        let (mut seen, mut query) = (Vec::new(), format!("limit={limit}"));
        loop {
            let page = client.get(&format!("{PATH}?{query}")).await.ok();
            if page["events"].as_array().unwrap().is_empty() {
                break;
            }
            seen.extend(page["events"].as_array().unwrap().iter().map(|event| event["data"]["text"].clone()));
            query = format!("limit={limit}&after={}", page["nextCursor"].as_str().unwrap());
        }
        assert_eq!(seen, [Value::Null, json!("a"), json!("b"), json!("c")], "limit {limit}");
    }
}

#[actix_web::test]
async fn latest_gives_only_what_changes_from_now_on() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    client.upsert("call-1").await;
    let after = cursor(&client, "after=latest").await;
    assert_eq!(types(&client.get(&format!("{PATH}?after={after}")).await.ok()), Vec::<&str>::new());
    client.upsert("call-1").await;
    assert_eq!(types(&client.get(&format!("{PATH}?after={after}")).await.ok()), ["conversation.updated"]);
}

#[actix_web::test]
async fn only_the_requested_types_are_given() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.add_message(&id, "hello", "2026-01-31T09:30:00Z").await;
    let page = client.get(&format!("{PATH}?types=message.created,message.masked")).await.ok();
    assert_eq!(types(&page), ["message.created"]);
}

#[actix_web::test]
async fn each_type_needs_the_permission_of_its_resource() {
    let service = TestService::start().await;
    let owner = service.client("acme").await;
    owner.upsert("call-1").await;
    owner.post("/configuration/v1/custom-vocabularies", &json!({"phrase": "Wi-Fi", "soundsLike": []})).await;
    let reader = service.client_with_permissions("acme", &[Permission::ReadConversations]).await;
    assert_eq!(types(&reader.get(PATH).await.ok()), ["conversation.created"]);
    for name in ["vocabulary.created", "vocabulary.deleted", "feed.day_completed", "feed.day_revised"] {
        let refusal = reader.get(&format!("{PATH}?types=message.created,{name}")).await;
        assert_eq!(refusal.error_details(), (403, vec![" permission".to_owned()]), "{name}");
    }
    assert_eq!(reader.get(&format!("{PATH}?types=redaction.switched")).await.status, 200);
    let writer = service.client_with_permissions("acme", &[Permission::ReadConfiguration]).await;
    assert_eq!(writer.get(&format!("{PATH}?types=vocabulary.created")).await.status, 403);
}

#[actix_web::test]
async fn a_tenant_sees_no_event_of_another_tenant() {
    let service = TestService::start().await;
    let (acme, globex) = (service.client("acme").await, service.client("globex").await);
    acme.upsert("call-1").await;
    assert_eq!(types(&globex.get(PATH).await.ok()), Vec::<&str>::new());
    let foreign = cursor(&acme, "limit=1").await;
    let refusal = globex.get(&format!("{PATH}?after={foreign}")).await;
    assert_eq!(refusal.error_details(), (410, vec!["query:after cursor_unknown".to_owned()]));
}

#[actix_web::test]
async fn an_unknown_cursor_is_410_and_names_what_to_do() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    client.upsert("call-1").await;
    let refusal = client.get(&format!("{PATH}?after=1-0-1")).await;
    assert_eq!(refusal.error_details(), (410, vec!["query:after cursor_unknown".to_owned()]));
    assert_eq!(refusal.json()["error"]["message"], "Gone");
    assert!(refusal.text.contains("after=latest"));
}

#[actix_web::test]
async fn an_unreadable_parameter_is_400() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (query, detail) in [
        ("after=x", "query:after cursor"),
        ("after=", "query:after cursor"),
        ("after=01-0-0", "query:after cursor"),
        ("limit=0", "query:limit limit"),
        ("limit=1001", "query:limit limit"),
        ("wait=31", "query:wait range"),
        ("wait=-1", "query:wait range"),
        ("types=", "query:types enum"),
        ("types=message.*", "query:types enum"),
        ("view=all", "query:view enum"),
        ("limit=1&limit=2", "query:limit unique"),
    ] {
        assert_eq!(client.get(&format!("{PATH}?{query}")).await.error_details(), (400, vec![detail.to_owned()]));
    }
}

#[actix_web::test]
async fn a_masked_text_is_masked_in_every_event_about_it() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.add_message(&id, "my card is 4111 1111 1111 1111", "2026-01-31T09:30:00Z").await;
    let page = client.get(&format!("{PATH}?types=message.created")).await;
    assert!(!page.text.contains("4111 1111 1111"), "{}", page.text);
}

#[actix_web::test]
async fn the_settled_view_holds_back_what_could_still_be_a_part_of_a_number() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.add_message(&id, "4111 1111", "2026-01-31T09:30:00Z").await;
    let page = client.get(&format!("{PATH}?view=settled")).await.ok();
    assert_eq!(types(&page), ["conversation.created"]);
    assert_eq!(page["nextCursor"], page["events"][0]["id"]);
    assert_eq!(types(&client.get(PATH).await.ok()), ["conversation.created", "message.created"]);
}
