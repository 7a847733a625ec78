//! Tests of the fields besides texts: card data in names and metadata values is masked, and in identifiers refused.

use std::fs;

use parlance::system::SystemClock;
use parlance_adapters_sql::SqlConversations;
use parlance_domain::{
    access::TenantId,
    conversation::{Change, ConversationStore, Metadata, Participant, Upsert, UpsertOutcome},
    id::ConversationId,
    text::{DisplayName, ExternalId},
    time::Clock,
};
use reqwest::Method;
use serde_json::{Value, json};
use support::{
    client::{Client, conversation_body, message_body},
    database::TestDatabase,
    service::TestService,
};

use crate::feeds::post as post_feed;

const PATH: &str = "/conversation/v1/conversations";
const CARD: &str = "4111 1111 1111 1111";
const MASKED: &str = "**** **** **** 1111";

/// A body with a card number in each name, and with a card number and a verification code in metadata.
fn body() -> Value {
    let mut body = conversation_body("call-1");
    body["agent"] = json!({"externalId": "agent-1", "name": format!("Ann {CARD}")});
    body["customer"]["name"] = json!(format!("Zoe {CARD}"));
    body["metadata"] = json!({"note": format!("card {CARD}"), "cardCvv": "737", "queue": "737"});
    body
}

fn masked(id: &Value) -> Value {
    json!({
        "id": id,
        "externalId": "call-1",
        "agent": {"externalId": "agent-1", "name": format!("Ann {MASKED}")},
        "customer": {"externalId": "customer-7", "name": format!("Zoe {MASKED}")},
        "metadata": {"note": format!("card {MASKED}"), "cardCvv": "***", "queue": "737"},
    })
}

async fn retrieved(client: &Client, id: &Value) -> Value {
    client.get(&format!("{PATH}/{}", id.as_str().unwrap())).await.ok()
}

async fn start(settings: &[(&str, &str)]) -> (TestService, Client) {
    let service = TestService::start_with(TestDatabase::sqlite(), settings).await;
    let client = service.client("acme").await;
    (service, client)
}

/// Whether a file of the SQLite database contains `text`.
fn is_on_disk(database: &TestDatabase, text: &str) -> bool {
    let path = database.url().strip_prefix("sqlite://").unwrap();
    let files = ["", "-wal"].into_iter().map(|suffix| fs::read(format!("{path}{suffix}")).unwrap_or_default());
    files.into_iter().any(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
}

#[actix_web::test]
async fn card_data_in_names_and_metadata_reaches_neither_the_database_nor_an_answer() {
    let (service, client) = start(&[]).await;
    let id = client.post(PATH, &body()).await.ok()["id"].clone();
    assert_eq!(retrieved(&client, &id).await, masked(&id));
    assert_eq!(client.get(&format!("{PATH}?externalId=call-1")).await.ok()["items"][0], masked(&id));
    assert!(is_on_disk(service.test_database(), &format!("Zoe {MASKED}")));
    assert!(!is_on_disk(service.test_database(), CARD));
}

/// Stores the conversation of [`body`] without the domain, as a program of an earlier version does.
async fn store_unmasked(service: &TestService) -> Value {
    let name = |text: String| Some(DisplayName::parse(text).unwrap());
    let person = |id: &str, name| Participant { external_id: ExternalId::parse(id).unwrap(), name };
    let pairs = [("note", format!("card {CARD}")), ("cardCvv", "737".to_owned()), ("queue", "737".to_owned())];
    let pairs = pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let now = SystemClock.now();
    let upsert = Upsert {
        new_id: ConversationId::from_bits(7),
        external_id: ExternalId::parse("call-1").unwrap(),
        agent: Change::Set(person("agent-1", name(format!("Ann {CARD}")))),
        customer: person("customer-7", name(format!("Zoe {CARD}"))),
        metadata: Change::Set(Metadata::parse(pairs).unwrap()),
        started_at: now,
        digest: None,
    };
    let store = SqlConversations::new(service.open_database().await);
    let stored = store.upsert(&TenantId::parse("acme").unwrap(), &upsert, now, None).await.unwrap();
    assert_eq!(stored, UpsertOutcome::Stored(upsert.new_id.clone()));
    json!(upsert.new_id.as_str())
}

#[actix_web::test]
async fn a_field_that_is_not_to_be_masked_is_stored_and_read_as_it_is() {
    let (_service, client) = start(&[("PARLANCE_MASK_FIELDS", "names")]).await;
    let id = client.post(PATH, &body()).await.ok()["id"].clone();
    let found = retrieved(&client, &id).await;
    assert_eq!((&found["metadata"], &found["customer"]), (&body()["metadata"], &masked(&id)["customer"]));
}

#[actix_web::test]
async fn fields_that_are_not_masked_when_stored_are_masked_when_read_and_exported() {
    let (service, client) = start(&[("PARLANCE_FEED_COMPRESSION", "none")]).await;
    let id = store_unmasked(&service).await;
    assert_eq!(retrieved(&client, &id).await, masked(&id));
    service.export_feeds("acme").await;
    let feed = json!({"feed": "conversations", "version": "1", "format": "jsonl"});
    let date = post_feed(&client, "listfeeddates", feed.clone()).await.ok()["dates"][0].clone();
    let mut period = feed;
    period["date"] = date;
    let files = post_feed(&client, "listfeedfiles", period.clone()).await.ok();
    period["fileName"] = files["files"][0]["fileName"].clone();
    let url = post_feed(&client, "getfeedfile", period).await.ok()["url"].as_str().unwrap().to_owned();
    let file = client.get(&url).await.text;
    assert!(
        file.contains(&format!("Zoe {MASKED}")) && !file.contains(CARD) && file.contains("\"cardCvv\":\"***\""),
        "{file}"
    );
}

#[actix_web::test]
async fn a_repeat_of_a_request_with_card_data_gets_the_first_response() {
    let (_service, client) = start(&[]).await;
    let send = async |body: Value| {
        client.send(&Method::POST, PATH, |request| request.header("Idempotency-Key", "key-1").json(&body)).await
    };
    let first = send(body()).await;
    let repeat = send(body()).await;
    assert_eq!((repeat.status, &repeat.text), (200, &first.text));
    assert_eq!(repeat.header("idempotency-replayed"), "true");
    // The masked forms of both requests are equal. The requests are not.
    let mut other = body();
    other["metadata"]["cardCvv"] = json!("738");
    assert_eq!(send(other).await.error_details(), (422, vec!["header:idempotency-key one_request".to_owned()]));
}

/// Bodies with a card number in one identifier, each with the pointer of the identifier.
fn sensitive_conversations() -> [(Value, &'static str); 4] {
    let card = CARD.replace(' ', "");
    let (mut agent, mut customer, mut key) = (body(), body(), body());
    agent["agent"]["externalId"] = json!(card);
    customer["customer"]["externalId"] = json!(card);
    key["metadata"] = json!({card.as_str(): "a"});
    [
        (conversation_body(&card), "/externalId"),
        (agent, "/agent/externalId"),
        (customer, "/customer/externalId"),
        (key, "/metadata"),
    ]
}

#[actix_web::test]
async fn an_identifier_with_card_data_is_stored_unless_it_is_to_be_refused() {
    let (_service, client) = start(&[]).await;
    for (body, pointer) in sensitive_conversations() {
        assert_eq!(client.post(PATH, &body).await.status, 200, "{pointer}");
    }
    let found = client.get(&format!("{PATH}?externalId={}", CARD.replace(' ', ""))).await.ok();
    assert_eq!(found["items"][0]["externalId"], CARD.replace(' ', ""));
}

#[actix_web::test]
async fn an_identifier_with_card_data_is_refused_at_its_place_and_not_repeated() {
    let (_service, client) = start(&[("PARLANCE_SENSITIVE_IDENTIFIERS", "refuse")]).await;
    for (body, pointer) in sensitive_conversations() {
        let refused = client.post(PATH, &body).await;
        assert_eq!(refused.error_details(), (422, vec![format!("{pointer} sensitive_value")]));
        assert!(!refused.text.contains("4111"), "{}", refused.text);
    }
    let id = client.upsert("call-1").await;
    let mut message = message_body("hello", "2026-01-31T09:30:00Z");
    message["sender"]["externalId"] = json!(CARD);
    let path = format!("{PATH}/{id}/messages");
    let refused = client.post(&path, &message).await.error_details();
    assert_eq!(refused, (422, vec!["/sender/externalId sensitive_value".to_owned()]));
    let batch = json!({"messages": [message_body("hello", "2026-01-31T09:30:00Z"), message]});
    let refused = client.post(&format!("{path}/batch"), &batch).await.error_details();
    assert_eq!(refused, (422, vec!["/messages/1/sender/externalId sensitive_value".to_owned()]));
    assert_eq!(client.get(&path).await.ok()["items"], json!([]));
}
