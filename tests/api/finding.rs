//! Tests of finding conversations by criteria, and of one message by its id.

use serde_json::{Value, json};
use support::{
    client::{Client, conversation_body},
    database::TestDatabase,
    service::TestService,
};

const PATH: &str = "/conversation/v1/conversations";

/// Creates a conversation of a customer at a minute of one hour.
async fn create(client: &Client, name: &str, customer: &str, minute: u8, metadata: Value) -> String {
    let mut body = conversation_body(name);
    body["customer"] = json!({"externalId": customer});
    body["agent"] = json!({"externalId": "agent-3"});
    body["metadata"] = metadata;
    body["timestamp"] = json!(format!("2026-01-31T09:{minute:02}:00Z"));
    client.post(PATH, &body).await.ok()["id"].as_str().unwrap().to_owned()
}

async fn list(client: &Client, query: &str) -> Value {
    client.get(&format!("{PATH}?{query}")).await.ok()
}

/// The external identifiers of the found conversations.
async fn names(client: &Client, query: &str) -> Vec<String> {
    let found = list(client, query).await;
    let name = |item: &Value| item["externalId"].as_str().unwrap().to_owned();
    found["items"].as_array().unwrap().iter().map(name).collect()
}

async fn start_filled() -> (TestService, Client) {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create(&client, "call-1", "ada", 1, json!({"channel": "phone", "order no": "a+b&c=1"})).await;
    create(&client, "call-2", "bob", 2, json!({"channel": "chat"})).await;
    create(&client, "call-3", "ada", 3, json!({"channel": "chat"})).await;
    (service, client)
}

#[actix_web::test]
async fn conversations_are_found_by_each_criterion_newest_first() {
    let (_service, client) = start_filled().await;
    for (query, expected) in [
        ("customerExternalId=ada", vec!["call-3", "call-1"]),
        ("agentExternalId=agent-3", vec!["call-3", "call-2", "call-1"]),
        ("metadata[channel]=chat", vec!["call-3", "call-2"]),
        ("metadata%5Bchannel%5D=chat&customerExternalId=ada", vec!["call-3"]),
        ("metadata[order+no]=a%2Bb%26c%3D1", vec!["call-1"]),
        ("createdSince=2026-01-31T09:02:00Z", vec!["call-3", "call-2"]),
        ("createdUntil=2026-01-31T10:02:00%2B01:00", vec!["call-1"]),
        ("updatedSince=2026-01-31T09:00:00Z&limit=1", vec!["call-3"]),
        ("updatedUntil=2026-01-31T09:00:00Z", vec![]),
        ("externalId=call-1&customerExternalId=bob", vec![]),
        ("externalId=call-1&limit=5", vec!["call-1"]),
    ] {
        assert_eq!(names(&client, query).await, expected, "{query}");
    }
}

#[actix_web::test]
async fn external_id_alone_is_answered_as_the_specification_says() {
    let (_service, client) = start_filled().await;
    let alone = client.get(&format!("{PATH}?externalId=call-2")).await;
    assert_eq!(alone.ok().as_object().unwrap().keys().collect::<Vec<_>>(), ["items"]);
    assert_eq!(client.get(&format!("{PATH}?externalId=call-9")).await.text, r#"{"items":[]}"#);
    assert_eq!(
        client.get(&format!("{PATH}?externalId=call-9&limit=1")).await.text,
        r#"{"items":[],"nextCursor":null}"#
    );
    assert_eq!(client.get(PATH).await.error_details(), (400, vec!["query:externalId required".into()]));
}

#[actix_web::test]
async fn cursors_lead_through_all_pages() {
    let (_service, client) = start_filled().await;
    let (mut query, mut found) = ("agentExternalId=agent-3&limit=2".to_owned(), Vec::new());
    loop {
        let page = list(&client, &query).await;
        found.extend(page["items"].as_array().unwrap().iter().map(|item| item["externalId"].clone()));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        query = format!("agentExternalId=agent-3&limit=2&cursor={cursor}");
    }
    assert_eq!(found, ["call-3", "call-2", "call-1"]);
}

#[actix_web::test]
async fn a_wrong_or_foreign_cursor_is_400() {
    let (service, client) = start_filled().await;
    let page = list(&client, "customerExternalId=ada&limit=1").await;
    let cursor = page["nextCursor"].as_str().unwrap();
    let other = service.client("globex").await;
    let refused = (400, vec!["query:cursor cursor".to_owned()]);
    for (client, query) in [
        (&client, "customerExternalId=ada&cursor=x".to_owned()),
        (&client, "customerExternalId=ada&cursor=".to_owned()),
        (&client, format!("customerExternalId=bob&cursor={cursor}")),
        (&client, format!("customerExternalId=ada&agentExternalId=agent-3&cursor={cursor}")),
        (&client, format!("createdSince=2026-01-01T00:00:00Z&cursor={cursor}")),
        (&other, format!("customerExternalId=ada&cursor={cursor}")),
    ] {
        assert_eq!(client.get(&format!("{PATH}?{query}")).await.error_details(), refused, "{query}");
    }
    assert_eq!(names(&client, &format!("customerExternalId=ada&limit=100&cursor={cursor}")).await, ["call-1"]);
}

#[actix_web::test]
async fn an_invalid_parameter_is_400_with_its_name_and_rule() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (query, detail) in [
        ("limit=5", "query:externalId required"),
        ("metadata.k=v1", "query:externalId required"),
        ("cursor=1.A.0123456789abcdef", "query:externalId required"),
        ("customerExternalId=", "query:customerExternalId min_characters"),
        ("agentExternalId=a%07", "query:agentExternalId no_control_characters"),
        ("customerExternalId=a&customerExternalId=b", "query:customerExternalId unique"),
        ("metadata[a]=1&metadata[b]=2&metadata[c]=3&metadata[d]=4", "query:metadata max_pairs"),
        ("metadata[a]=1&metadata[a]=1", "query:metadata unique"),
        ("metadata[]=1", "query:metadata min_characters"),
        ("metadata[a=1", "query:metadata pattern"),
        ("metadata=1", "query:metadata pattern"),
        ("metadata[k][j]=v1", "query:metadata pattern"),
        ("metadata[a]=%00", "query:metadata no_nul"),
        ("createdSince=yesterday", "query:createdSince date_time"),
        ("updatedUntil=", "query:updatedUntil date_time"),
        ("createdSince=2026-01-31T09:00:00Z&createdUntil=2026-01-31T09:00:00Z", "query:createdUntil period"),
        ("updatedSince=2026-01-31T09:00:01Z&updatedUntil=2026-01-31T09:00:00Z", "query:updatedUntil period"),
        ("customerExternalId=a&limit=0", "query:limit limit"),
        ("customerExternalId=a&limit=101", "query:limit limit"),
        ("externalId=a&limit=x", "query:limit limit"),
    ] {
        let answer = client.get(&format!("{PATH}?{query}")).await;
        assert_eq!(answer.error_details(), (400, vec![detail.to_owned()]), "{query}");
    }
}

#[actix_web::test]
async fn a_list_without_a_criterion_names_all_criteria() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for query in ["", "limit=5", "metadata.k=v1"] {
        let answer = client.get(&format!("{PATH}?{query}")).await;
        let body: Value = serde_json::from_str(&answer.text).unwrap();
        let message = body["error"]["details"][0]["message"].as_str().unwrap();
        for criterion in [
            "externalId",
            "customerExternalId",
            "agentExternalId",
            "metadata[key]",
            "createdSince",
            "createdUntil",
            "updatedSince",
            "updatedUntil",
        ] {
            assert!(message.contains(criterion), "{message}");
        }
    }
}

#[actix_web::test]
async fn a_masked_value_of_metadata_is_found_by_what_was_sent() {
    let settings = [];
    let service = TestService::start_with(TestDatabase::sqlite(), &settings).await;
    let client = service.client("acme").await;
    create(&client, "call-1", "ada", 1, json!({"note": "card 4111 1111 1111 1111"})).await;
    for value in ["card+4111+1111+1111+1111", "card+****+****+****+1111"] {
        assert_eq!(names(&client, &format!("metadata[note]={value}")).await, ["call-1"], "{value}");
    }
    assert_eq!(names(&client, "metadata[note]=card+4111+1111+1111+1112").await, [""; 0]);
    let found = list(&client, "metadata[note]=card+4111+1111+1111+1111").await;
    assert_eq!(found["items"][0]["metadata"]["note"], "card **** **** **** 1111");
}

#[actix_web::test]
async fn a_tenant_finds_no_conversation_of_another_tenant() {
    let (service, _) = start_filled().await;
    let other = service.client("globex").await;
    for query in ["customerExternalId=ada", "metadata[channel]=chat", "createdSince=2000-01-01T00:00:00Z"] {
        assert_eq!(names(&other, query).await, [""; 0], "{query}");
    }
}

#[actix_web::test]
async fn one_message_is_retrieved_as_it_is_listed() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for (text, second) in [("What is your card number?", 1), ("It is", 2), ("4111 1111 1111 1111", 3), ("thanks", 3)] {
        client.add_message(&id, text, &format!("2026-01-31T09:30:{second:02}Z")).await;
    }
    for include in ["", "?include=redactions"] {
        let listed = client.get(&format!("{PATH}/{id}/messages{include}")).await.ok();
        let listed = listed["items"].as_array().unwrap();
        assert_eq!(listed.len(), 4);
        for message in listed {
            let path = format!("{PATH}/{id}/messages/{}{include}", message["messageId"].as_str().unwrap());
            assert_eq!(client.get(&path).await.ok(), *message);
        }
    }
}

#[actix_web::test]
async fn a_message_that_does_not_exist_is_404_at_what_is_missing() {
    let service = TestService::start().await;
    let (client, other) = (service.client("acme").await, service.client("globex").await);
    let (id, second) = (client.upsert("call-1").await, client.upsert("call-2").await);
    let message = client.add_message(&id, "hello", "2026-01-31T09:30:00Z").await;
    let missing = "01JZX900000000000000000000";
    for (client, conversation, message, status, pointer) in [
        (&client, &*id, missing, 404, "path:messageId exists"),
        (&client, &*second, &*message, 404, "path:messageId exists"),
        (&client, missing, &*message, 404, "path:conversationId exists"),
        (&other, &*id, &*message, 404, "path:conversationId exists"),
        (&client, &*id, "not-an-id", 400, "path:messageId pattern"),
    ] {
        let answer = client.get(&format!("{PATH}/{conversation}/messages/{message}")).await;
        assert_eq!(answer.error_details(), (status, vec![pointer.to_owned()]), "{conversation} {message}");
    }
}
