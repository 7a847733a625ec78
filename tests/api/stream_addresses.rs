//! Tests of addresses that open a stream once.

use parlance_domain::{access::Permission, event::EventType};
use reqwest::Method;
use serde_json::{Value, json};
use support::{
    client::{Client, http_client},
    database::TestDatabase,
    event_stream::EventStream,
    service::TestService,
};

use crate::erasure;

const STREAMS: &str = "/conversation/v1/streams";

pub(crate) async fn issue(client: &Client, body: &Value) -> Value {
    let answer = client.post(STREAMS, body).await;
    assert_eq!((answer.status, answer.header("cache-control")), (201, "no-store"), "{}", answer.text);
    answer.json()
}

/// Opens an address as a browser does: without the headers of a credential.
pub(crate) async fn open(service: &TestService, issued: &Value) -> EventStream {
    let address = format!("http://{}{}", service.address(), issued["streamingUrl"].as_str().unwrap());
    EventStream::new(http_client().get(address).send().await.unwrap())
}

#[actix_web::test]
async fn an_address_opens_the_stream_of_a_conversation_once_without_a_credential() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.add_message(&id, "hello", "2026-01-31T09:30:00Z").await;
    for body in [json!({"conversationId": id}), json!({"externalId": "call-1"})] {
        let issued = issue(&client, &body).await;
        let mut stream = open(&service, &issued).await;
        assert_eq!((stream.status(), stream.header("content-type")), (200, "text/event-stream"));
        assert_eq!(stream.next().await.data["data"]["text"], "hello");
        assert_eq!(open(&service, &issued).await.status(), 404, "the address was used");
    }
}

#[actix_web::test]
async fn an_address_of_the_tenant_opens_the_stream_of_its_events() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let issued = issue(&client, &json!({"after": "latest", "types": ["conversation.updated"]})).await;
    let mut stream = open(&service, &issued).await;
    stream.next_frame().await.unwrap();
    for _ in 0..2 {
        client.upsert("call-1").await;
    }
    assert_eq!(stream.next().await.event_type, "conversation.updated");
}

#[actix_web::test]
async fn an_address_of_a_conversation_gives_only_the_types_that_it_names() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.add_message(&id, "hello", "2026-01-31T09:30:00Z").await;
    let issued = issue(&client, &json!({"conversationId": id, "types": ["conversation.updated"]})).await;
    let mut stream = open(&service, &issued).await;
    stream.next_frame().await.unwrap();
    client.upsert("call-1").await;
    assert_eq!(stream.next().await.event_type, "conversation.updated");
}

#[actix_web::test]
async fn a_stream_of_a_conversation_gives_its_erasure_and_ends_whatever_types_it_names() {
    let (service, client, _key) = erasure::start().await;
    for (number, types) in [["message.created"], ["message.masked"], ["conversation.updated"]].iter().enumerate() {
        let id = client.upsert(&format!("call-{number}")).await;
        let body = json!({"conversationId": id, "types": types});
        let mut stream = open(&service, &issue(&client, &body).await).await;
        stream.next_frame().await.unwrap();
        assert_eq!(client.delete(&format!("/conversation/v1/conversations/{id}")).await.status, 204);
        assert_eq!(stream.next().await.event_type, "conversation.erased");
        assert_eq!(stream.try_next().await, None);
    }
}

#[actix_web::test]
async fn a_stream_of_a_conversation_refuses_types_that_it_never_gives() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let after = client.get("/conversation/v1/events?after=latest").await.ok()["nextCursor"].clone();
    let id = client.upsert("call-1").await;
    for event_type in EventType::ALL {
        let types = json!([event_type.as_str()]);
        let answer = client.post(STREAMS, &json!({"conversationId": id, "after": after, "types": types})).await;
        let by_external_id = client.post(STREAMS, &json!({"externalId": "call-1", "types": types})).await;
        if event_type.is_of_conversation() {
            assert_eq!((answer.status, by_external_id.status), (201, 201), "{event_type}");
        } else {
            let refused = (400, vec!["/types/0 enum".to_owned()]);
            assert_eq!(answer.error_details(), refused, "{event_type}");
            assert_eq!(by_external_id.error_details(), refused, "{event_type}");
        }
        assert_eq!(client.post(STREAMS, &json!({"types": types})).await.status, 201);
    }
    let created = json!({"conversationId": id, "after": after, "types": ["conversation.created"]});
    let mut stream = open(&service, &issue(&client, &created).await).await;
    assert_eq!(stream.next().await.event_type, "conversation.created", "a cursor can be older than the conversation");
}

#[actix_web::test]
async fn a_page_resumes_by_a_new_address_with_the_last_id() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for text in ["a", "b"] {
        client.add_message(&id, text, "2026-01-31T09:30:00Z").await;
    }
    let first = open(&service, &issue(&client, &json!({"conversationId": id})).await).await.next().await;
    let again = issue(&client, &json!({"conversationId": id, "after": first.id})).await;
    assert_eq!(open(&service, &again).await.next().await.data["data"]["text"], "b");
}

#[actix_web::test]
async fn a_look_at_an_address_leaves_it() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let issued = issue(&client, &json!({})).await;
    let path = issued["streamingUrl"].as_str().unwrap();
    let anonymous = service.client_with_credential("", "");
    let mut heads = Vec::new();
    for _ in 0..2 {
        let head = anonymous.send(&Method::HEAD, path, |request| request).await;
        assert_eq!((head.status, head.text.as_str()), (200, ""));
        heads.push(head);
    }
    let opened = open(&service, &issued).await;
    assert_eq!(opened.status(), 200);
    for name in ["content-type", "cache-control", "x-accel-buffering"] {
        assert_ne!(opened.header(name), "", "{name}");
        assert!(heads.iter().all(|head| head.header(name) == opened.header(name)), "{name}");
    }
    assert_eq!(anonymous.send(&Method::HEAD, path, |request| request).await.status, 404);
}

#[actix_web::test]
async fn a_changed_address_opens_nothing_and_uses_nothing_up() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let issued = issue(&client, &json!({})).await;
    let path = issued["streamingUrl"].as_str().unwrap();
    let anonymous = service.client_with_credential("", "");
    let (other_id, id) = ("01JZX900000000000000000000", issued["streamId"].as_str().unwrap());
    for changed in [format!("{path}x"), path.replace(id, other_id), path.replace("tenant=acme", "tenant=globex")] {
        let answer = anonymous.get(&changed).await;
        assert_eq!(answer.error_details(), (404, vec!["path:streamId exists".to_owned()]), "{changed}");
    }
    let without_key = path.split("&key=").next().unwrap();
    assert_eq!(anonymous.get(without_key).await.error_details(), (400, vec!["query:key required".to_owned()]));
    assert_eq!(open(&service, &issued).await.status(), 200);
}

#[actix_web::test]
async fn an_address_opens_on_any_replica() {
    let Some(database) = TestDatabase::postgres() else { return };
    let second = TestService::start_with(database.share(), &[]).await;
    let first = TestService::start_with(database, &[]).await;
    let client = first.client("acme").await;
    client.upsert("call-1").await;
    let issued = issue(&client, &json!({})).await;
    let mut stream = open(&second, &issued).await;
    assert_eq!(stream.next().await.event_type, "conversation.created");
    assert_eq!(open(&first, &issued).await.status(), 404);
}

#[actix_web::test]
async fn an_address_gives_no_more_than_its_credential_may_read() {
    let service = TestService::start().await;
    let reader = service.client_with_permissions("acme", &[Permission::ReadConversations]).await;
    assert_eq!(reader.post(STREAMS, &json!({"types": ["vocabulary.created"]})).await.status, 403);
    let writer = service.client_with_permissions("acme", &[Permission::WriteConversations]).await;
    assert_eq!(writer.post(STREAMS, &json!({})).await.status, 403);
    let credential = service.issue_credential("acme", &[Permission::ReadConversations]).await;
    let client = service.client_with_credential(credential.id.as_str(), credential.secret.reveal());
    let issued = issue(&client, &json!({})).await;
    service.revoke_credential(&credential.id).await;
    assert_eq!(open(&service, &issued).await.status(), 404, "the credential was revoked");
}

#[actix_web::test]
async fn an_unreadable_request_for_an_address_is_refused() {
    let service = TestService::start().await;
    let (client, other) = (service.client("acme").await, service.client("globex").await);
    let id = client.upsert("call-1").await;
    for (body, status, detail) in [
        (json!({"conversationId": id, "externalId": "call-1"}), 400, "/externalId at_most_one"),
        (json!({"after": "x"}), 400, "/after cursor"),
        (json!({"types": ["message"]}), 400, "/types/0 enum"),
        (json!({"types": []}), 422, "/types min_items"),
        (json!({"view": "all"}), 400, "/view enum"),
        (json!({"conversation": id}), 400, " unknown_member"),
        (json!({"conversationId": "01JZX900000000000000000000"}), 404, "/conversationId exists"),
        (json!({"externalId": "call-2"}), 404, "/externalId exists"),
    ] {
        assert_eq!(client.post(STREAMS, &body).await.error_details(), (status, vec![detail.to_owned()]), "{body}");
    }
    assert_eq!(other.post(STREAMS, &json!({"conversationId": id})).await.status, 404);
}
