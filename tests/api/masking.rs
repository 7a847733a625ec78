//! Tests of redaction: messages are masked in the database and in every response.

use std::fs;

use reqwest::Method;
use serde_json::{Value, json};
use support::{client::Client, database::TestDatabase, service::TestService};

const TRANSCRIPT: &str = "/conversation/v1/conversation/messages?externalId=call-1";

async fn switch(client: &Client, label: &str, active: bool) {
    let path = format!("/configuration/v1/redaction/redaction-entity/{label}");
    let switched = client.send(&Method::PATCH, &path, |request| request.json(&json!({"active": active}))).await;
    assert_eq!(switched.ok()["active"], active);
}

/// The responses of all operations that return the texts of a conversation.
async fn outputs(client: &Client, id: &str) -> Vec<String> {
    let list = format!("/conversation/v1/conversations/{id}/messages");
    let mut outputs = vec![client.get(&list).await.text, client.get(&format!("{list}?limit=1000")).await.text];
    for format in ["json", "txt", "csv", "vtt"] {
        outputs.push(client.get(&format!("{TRANSCRIPT}&format={format}")).await.text);
    }
    // With one message a page, each message is read without its neighbours.
    let mut pages = String::new();
    let mut next = format!("{list}?limit=1");
    loop {
        let page = client.get(&next).await.ok();
        pages.push_str(&page["items"].to_string());
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        next = format!("{list}?limit=1&cursor={cursor}");
    }
    outputs.push(pages);
    outputs
}

/// Whether an output shows a number. Times and ids are longer words, in which any digits can stand.
fn shows(output: &str, number: &str) -> bool {
    output.split(|character: char| !character.is_ascii_alphanumeric()).any(|word| word == number)
}

/// Whether a file of the SQLite database contains `text`.
fn is_on_disk(database: &TestDatabase, text: &str) -> bool {
    let path = database.url().strip_prefix("sqlite://").unwrap();
    let read = |suffix| fs::read(format!("{path}{suffix}")).unwrap_or_default();
    let found = |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(!read("").is_empty(), "the database file is missing or empty");
    ["", "-wal", "-shm"].into_iter().any(|suffix| found(&read(suffix)))
}

#[actix_web::test]
async fn a_card_number_never_reaches_the_database_file() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.add_message(&id, "beacon: my card is 4111 1111 1111 1111", "2026-01-31T09:30:00Z").await;
    client.add_message(&id, "again 4111111111111111, cvv 737", "2026-01-31T09:30:01Z").await;
    assert!(is_on_disk(service.test_database(), "beacon: my card is **** **** **** 1111"));
    for digits in ["4111 1111", "41111111", "cvv 737"] {
        assert!(!is_on_disk(service.test_database(), digits), "{digits}");
        assert!(outputs(&client, &id).await.iter().all(|output| !output.contains(digits)), "{digits}");
    }
}

#[actix_web::test]
async fn a_split_number_is_masked_except_for_its_last_four_digits() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for (text, second) in [("5500 0055", 0), ("5555", 1), ("5559", 2)] {
        client.add_message(&id, text, &format!("2026-01-31T09:30:0{second}Z")).await;
    }
    assert!(is_on_disk(service.test_database(), "**** ****"));
    assert!(!is_on_disk(service.test_database(), "5500 0055"));
    for output in outputs(&client, &id).await {
        assert!(shows(&output, "5559") && !shows(&output, "5500") && !shows(&output, "5555"), "{output}");
    }
}

#[actix_web::test]
async fn an_entity_that_is_switched_on_is_masked_in_messages_stored_before() {
    let service = TestService::start().await;
    let (client, other) = (service.client("acme").await, service.client("globex").await);
    let id = client.upsert("call-1").await;
    client.add_message(&id, "write to olga@example.com", "2026-01-31T09:30:00Z").await;
    client.add_message(&id, "thank you", "2026-01-31T09:30:01Z").await;
    assert!(outputs(&client, &id).await.iter().all(|output| output.contains("olga@example.com")));
    switch(&other, "EMAIL", true).await;
    assert!(outputs(&client, &id).await.iter().all(|output| output.contains("olga@example.com")));
    switch(&client, "EMAIL", true).await;
    for output in outputs(&client, &id).await {
        assert!(output.contains("write to ****@example.com") && output.contains("thank you"), "{output}");
    }
    switch(&client, "EMAIL", false).await;
    assert!(outputs(&client, &id).await.iter().all(|output| output.contains("olga@example.com")));
}

#[actix_web::test]
async fn an_entity_that_is_switched_off_stays_masked_in_messages_stored_before() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.add_message(&id, "my ssn is 212-34-5678", "2026-01-31T09:30:00Z").await;
    switch(&client, "SSN", false).await;
    client.add_message(&id, "I repeat: 212-34-5678", "2026-01-31T09:30:01Z").await;
    for output in outputs(&client, &id).await {
        assert!(output.contains("my ssn is ***-**-5678") && output.contains("I repeat: 212-34-5678"), "{output}");
    }
    switch(&client, "SSN", true).await;
    assert!(outputs(&client, &id).await.iter().all(|output| !output.contains("212-34")));
}

#[actix_web::test]
async fn a_question_is_context_for_the_answer_after_it() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let path = format!("/conversation/v1/conversations/{id}/messages");
    let question: Value = json!({"text": "what is your pin?", "sender": {"role": "agent", "externalId": "agent-3"},
        "timestamp": "2026-01-31T09:30:00Z"});
    assert_eq!(client.post(&path, &question).await.status, 200);
    client.add_message(&id, "4821", "2026-01-31T09:30:01Z").await;
    assert!(outputs(&client, &id).await.iter().all(|output| !shows(output, "4821")));
    assert!(!is_on_disk(service.test_database(), "4821"));
}

/// Sends both halves of a card number concurrently, in each of 20 conversations. Either half may be stored first.
async fn send_halves_concurrently(database: TestDatabase) {
    let service = TestService::start_with(database, &[]).await;
    let client = service.client("acme").await;
    for number in 0..20 {
        let id = client.upsert(&format!("call-{number}")).await;
        let say = |text, second| {
            let (client, id) = (client.clone(), id.clone());
            let timestamp = format!("2026-01-31T09:30:0{second}Z");
            actix_web::rt::spawn(async move { client.add_message(&id, text, &timestamp).await })
        };
        let (first, second) = (say("5500 0055", 0), say("5555 5559", 1));
        first.await.unwrap();
        second.await.unwrap();
        let list = client.get(&format!("/conversation/v1/conversations/{id}/messages")).await.text;
        assert!(list.contains("**** ****") && list.contains("**** 5559"), "{list}");
    }
}

#[actix_web::test]
async fn concurrently_sent_halves_of_a_number_are_masked_on_sqlite() {
    send_halves_concurrently(TestDatabase::sqlite()).await;
}

#[actix_web::test]
async fn concurrently_sent_halves_of_a_number_are_masked_on_postgres() {
    let Some(database) = TestDatabase::postgres() else { return };
    send_halves_concurrently(database).await;
}
