//! Tests of what helps to decide on a switch: the preview, the back-test, and the masked ranges of listed messages.

use serde_json::{Value, json};
use support::{
    client::{Client, message_body},
    database::TestDatabase,
    service::TestService,
};

const PREVIEW: &str = "/configuration/v1/redaction/preview";
const BACKTEST: &str = "/configuration/v1/redaction/backtest";
const TIME: &str = "2026-01-31T09:30:00Z";

fn messages_path(conversation: &str) -> String {
    format!("/conversation/v1/conversations/{conversation}/messages")
}

async fn add(client: &Client, conversation: &str, text: &str, time: &str) {
    let _stored = client.post(&messages_path(conversation), &message_body(text, time)).await.ok();
}

async fn preview(client: &Client, body: Value) -> Value {
    client.post(PREVIEW, &body).await.ok()
}

async fn backtest(client: &Client, entities: &[&str], sample: u64) -> Value {
    let body = json!({"entities": entities, "since": "2026-01-01T00:00:00Z", "until": "2026-03-01T00:00:00Z", "sample": sample});
    client.post(BACKTEST, &body).await.ok()
}

#[actix_web::test]
async fn a_preview_shows_the_masked_text_and_why_each_value_is_masked() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let span = json!({
        "start": 12, "end": 23, "entity": "SSN", "confidence": 0.9, "reason": "words beside it name it",
    });
    let found = preview(&client, json!({"text": "é my ssn is 219-09-9999"})).await;
    assert_eq!(found, json!({"messages": [{"text": "é my ssn is ***-**-9999", "spans": [span]}]}));
}

#[actix_web::test]
async fn a_preview_of_messages_uses_their_context_and_the_named_entities() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let message = |role: &str, text: &str| json!({"text": text, "sender": {"role": role, "externalId": "x"}});
    let messages = json!([message("agent", "what is your pin?"), message("customer", "4821, a@example.org")]);
    let texts = |found: &Value| -> Vec<String> {
        found["messages"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect()
    };
    let found = preview(&client, json!({"messages": messages})).await;
    assert_eq!(texts(&found), ["what is your pin?", "****, a@example.org"]);
    let found = preview(&client, json!({"messages": messages, "entities": ["EMAIL"]})).await;
    assert_eq!(texts(&found), ["what is your pin?", "4821, *@example.org"]);
}

#[actix_web::test]
async fn an_invalid_preview_is_refused_with_its_pointer() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let message = json!({"text": "a", "sender": {"role": "agent"}});
    for (body, status, detail) in [
        (json!({}), 400, "/text exactly_one"),
        (json!({"text": "a", "messages": [message]}), 400, "/text exactly_one"),
        (json!({"text": null}), 400, "/text type"),
        (json!({"text": ""}), 422, "/text min_characters"),
        (json!({"text": "a".repeat(20_001)}), 422, "/text max_characters"),
        (json!({"messages": []}), 422, "/messages min_items"),
        (json!({"messages": vec![message.clone(); 101]}), 422, "/messages max_items"),
        (json!({"messages": [{"text": "a"}]}), 400, "/messages/0/sender required"),
        (json!({"messages": [{"text": "a", "sender": {"role": "bot"}}]}), 400, "/messages/0/sender/role enum"),
        (json!({"text": "a", "entities": ["EMAIL", "NONE"]}), 400, "/entities/1 enum"),
    ] {
        assert_eq!(client.post(PREVIEW, &body).await.error_details(), (status, vec![detail.to_owned()]), "{body}");
    }
}

#[actix_web::test]
async fn masked_ranges_are_included_only_on_request() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    add(&client, &id, "my ssn is 219-09-9999, mail a@example.org", TIME).await;
    add(&client, &id, "thanks", "2026-01-31T09:30:01Z").await;
    let plain = [messages_path(&id), format!("{}?limit=10", messages_path(&id))];
    let transcript = "/conversation/v1/conversation/messages?externalId=call-1".to_owned();
    for path in plain.into_iter().chain([transcript]) {
        let without = client.get(&path).await.ok();
        assert_eq!(without["items"][0].get("redactions"), None, "{path}");
        let separator = if path.contains('?') { '&' } else { '?' };
        let with = client.get(&format!("{path}{separator}include=redactions")).await.ok();
        let expected = json!([{"start": 10, "end": 21, "entity": "SSN"}]);
        assert_eq!((&with["items"][0]["redactions"], &with["items"][1]["redactions"]), (&expected, &json!([])));
    }
}

#[actix_web::test]
async fn ranges_that_are_found_when_a_text_is_read_are_included() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    add(&client, &id, "my password is hunter22 and my mail a@example.org", TIME).await;
    let switch = "/configuration/v1/redaction/redaction-entity/EMAIL";
    let patch = |request: reqwest::RequestBuilder| request.json(&json!({"active": true}));
    let _switched = client.send(&reqwest::Method::PATCH, switch, patch).await.ok();
    let listed = client.get(&format!("{}?include=redactions", messages_path(&id))).await.ok();
    assert_eq!(listed["items"][0]["text"], "my password is ******** and my mail *@example.org");
    let password = json!({"start": 15, "end": 23, "entity": "PASSWORD"});
    let email = json!({"start": 36, "end": 49, "entity": "EMAIL"});
    assert_eq!(listed["items"][0]["redactions"], json!([password, email]));
}

#[actix_web::test]
async fn an_unknown_include_and_one_for_another_format_are_400() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for include in ["", "spans", "redactions,spans"] {
        let answer = client.get(&format!("{}?include={include}", messages_path(&id))).await;
        assert_eq!(answer.error_details(), (400, vec!["query:include enum".to_owned()]), "{include}");
    }
    let path = "/conversation/v1/conversation/messages?externalId=call-1&include=redactions&format=csv";
    assert_eq!(client.get(path).await.error_details(), (400, vec!["query:include json_only".to_owned()]));
}

async fn assert_backtest_counts(database: TestDatabase) {
    let service = TestService::start_with(database, &[]).await;
    let (client, other) = (service.client("acme").await, service.client("globex").await);
    let (id, other_id) = (client.upsert("call-1").await, other.upsert("call-1").await);
    add(&client, &id, "my ssn is 219-09-9999, mail a@example.org or b@example.org", TIME).await;
    add(&client, &id, "write to c@example.org", "2026-01-31T09:30:01Z").await;
    add(&client, &id, "thanks", "2026-01-31T09:30:02Z").await;
    add(&other, &other_id, "write to d@example.org", TIME).await;
    let now = client.get(&messages_path(&id)).await.ok()["items"][0]["createdTimestamp"].as_str().unwrap().to_owned();
    // The clock of the service is the real one, so the period begins with the first message and ends in the next month.
    let (year, month) = (now[..4].parse::<u32>().unwrap(), now[5..7].parse::<u32>().unwrap());
    let until = format!("{}-{:02}-28T23:59:59Z", year + month / 12, month % 12 + 1);
    let body = json!({"entities": ["EMAIL", "SSN"], "since": now, "until": until, "sample": 1});
    let report = client.post(BACKTEST, &body).await.ok();
    assert_eq!((&report["complete"], &report["messages"]), (&json!(true), &json!(3)), "{report}");
    let email = json!({"entity": "EMAIL", "messages": 2, "values": 3});
    assert_eq!(report["entities"], json!([{"entity": "SSN", "messages": 0, "values": 0}, email]));
    let samples = report["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 1);
    assert_eq!(samples[0]["text"], "my ssn is ***-**-9999, mail *@example.org or *@example.org");
    assert_eq!(samples[0]["conversationId"], json!(id));
    assert_eq!(samples[0]["redactions"].as_array().unwrap().len(), 3);
    let listed = client.get(&messages_path(&id)).await.ok();
    assert_eq!(listed["items"][1]["text"], "write to c@example.org");
}

#[actix_web::test]
async fn a_back_test_counts_what_would_be_masked_of_the_tenant() {
    assert_backtest_counts(TestDatabase::sqlite()).await;
}

#[actix_web::test]
async fn a_back_test_counts_what_would_be_masked_of_the_tenant_on_postgresql() {
    let Some(database) = TestDatabase::postgres() else { return };
    assert_backtest_counts(database).await;
}

#[actix_web::test]
async fn a_back_test_of_a_period_without_messages_is_complete_and_empty() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let empty = json!({"complete": true, "messages": 0, "samples": [],
        "entities": [{"entity": "EMAIL", "messages": 0, "values": 0}]});
    assert_eq!(backtest(&client, &["EMAIL"], 100).await, empty);
}

#[actix_web::test]
async fn an_invalid_back_test_is_refused_with_its_pointer() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let body = |member: &str, value: Value| {
        let mut body = json!({"entities": ["EMAIL"], "since": TIME, "until": "2026-02-01T00:00:00Z", "sample": 0});
        body[member] = value;
        body
    };
    for (member, value, status, detail) in [
        ("entities", json!([]), 422, "/entities min_items"),
        ("entities", json!(["NONE"]), 400, "/entities/0 enum"),
        ("since", json!("yesterday"), 400, "/since date_time"),
        ("until", json!(TIME), 422, "/until period"),
        ("until", json!("2026-06-01T00:00:00Z"), 422, "/until period"),
        ("sample", json!(101), 422, "/sample range"),
        ("sample", json!(-1), 400, "/sample type"),
    ] {
        let answer = client.post(BACKTEST, &body(member, value.clone())).await;
        assert_eq!(answer.error_details(), (status, vec![detail.to_owned()]), "{member} {value}");
    }
}
