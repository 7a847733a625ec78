//! What is masked in messages: in the database, and in everything that is given out.

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

/// Everything that gives out the texts of a conversation.
async fn outputs(client: &Client, id: &str) -> Vec<String> {
    let list = format!("/conversation/v1/conversations/{id}/messages");
    let mut outputs = vec![client.get(&list).await.text, client.get(&format!("{list}?limit=1000")).await.text];
    for format in ["json", "txt", "csv", "vtt"] {
        outputs.push(client.get(&format!("{TRANSCRIPT}&format={format}")).await.text);
    }
    // One message a page, which leaves each without its neighbours.
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

/// Whether any file of an embedded database holds these bytes.
fn is_on_disk(home: &TestDatabase, text: &str) -> bool {
    let path = home.url().strip_prefix("sqlite://").unwrap();
    let read = |suffix| fs::read(format!("{path}{suffix}")).unwrap_or_default();
    let found = |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(!read("").is_empty(), "the database is a file");
    ["", "-wal", "-shm"].into_iter().any(|suffix| found(&read(suffix)))
}

#[actix_web::test]
async fn a_card_number_never_reaches_the_database_file() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.say(&id, "beacon: my card is 4111 1111 1111 1111", "2026-01-31T09:30:00Z").await;
    client.say(&id, "again 4111111111111111, cvv 737", "2026-01-31T09:30:01Z").await;
    assert!(is_on_disk(service.home(), "beacon: my card is **** **** **** 1111"));
    for digits in ["4111 1111", "41111111", "cvv 737"] {
        assert!(!is_on_disk(service.home(), digits), "{digits}");
        assert!(outputs(&client, &id).await.iter().all(|output| !output.contains(digits)), "{digits}");
    }
}

#[actix_web::test]
async fn a_number_spread_over_messages_leaves_its_last_four_digits_only() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for (text, second) in [("5500 0055", 0), ("5555", 1), ("5559", 2)] {
        client.say(&id, text, &format!("2026-01-31T09:30:0{second}Z")).await;
    }
    assert!(is_on_disk(service.home(), "**** ****"));
    assert!(!is_on_disk(service.home(), "5500 0055"));
    for output in outputs(&client, &id).await {
        assert!(output.contains("5559") && !output.contains("5500") && !output.contains("5555"), "{output}");
    }
}

#[actix_web::test]
async fn an_entity_that_is_switched_on_hides_what_was_stored_before() {
    let service = TestService::start().await;
    let (client, other) = (service.client("acme").await, service.client("globex").await);
    let id = client.upsert("call-1").await;
    client.say(&id, "write to olga@example.com", "2026-01-31T09:30:00Z").await;
    client.say(&id, "thank you", "2026-01-31T09:30:01Z").await;
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
async fn an_entity_that_is_switched_off_leaves_what_was_masked_when_stored() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.say(&id, "my ssn is 212-34-5678", "2026-01-31T09:30:00Z").await;
    switch(&client, "SSN", false).await;
    client.say(&id, "I repeat: 212-34-5678", "2026-01-31T09:30:01Z").await;
    for output in outputs(&client, &id).await {
        assert!(output.contains("my ssn is ***-**-5678") && output.contains("I repeat: 212-34-5678"), "{output}");
    }
    switch(&client, "SSN", true).await;
    assert!(outputs(&client, &id).await.iter().all(|output| !output.contains("212-34")));
}

#[actix_web::test]
async fn a_question_decides_what_the_answer_is() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let path = format!("/conversation/v1/conversations/{id}/messages");
    let question: Value = json!({"text": "what is your pin?", "sender": {"role": "agent", "externalId": "agent-3"},
        "timestamp": "2026-01-31T09:30:00Z"});
    assert_eq!(client.post(&path, &question).await.status, 200);
    client.say(&id, "4821", "2026-01-31T09:30:01Z").await;
    assert!(outputs(&client, &id).await.iter().all(|output| !output.contains("4821")));
    assert!(!is_on_disk(service.home(), "4821"));
}

/// Sends the halves of a card number at once, again and again: either may be stored first.
async fn halves_sent_at_once_leave_the_last_four_digits(home: TestDatabase) {
    let service = TestService::over(home, &[]).await;
    let client = service.client("acme").await;
    for number in 0..20 {
        let id = client.upsert(&format!("call-{number}")).await;
        let say = |text, second| {
            let (client, id) = (client.clone(), id.clone());
            let timestamp = format!("2026-01-31T09:30:0{second}Z");
            actix_web::rt::spawn(async move { client.say(&id, text, &timestamp).await })
        };
        let (first, second) = (say("5500 0055", 0), say("5555 5559", 1));
        first.await.unwrap();
        second.await.unwrap();
        let list = client.get(&format!("/conversation/v1/conversations/{id}/messages")).await.text;
        assert!(list.contains("**** ****") && list.contains("**** 5559"), "{list}");
    }
}

#[actix_web::test]
async fn halves_of_a_number_that_are_sent_at_once_are_masked_on_sqlite() {
    halves_sent_at_once_leave_the_last_four_digits(TestDatabase::sqlite()).await;
}

#[actix_web::test]
async fn halves_of_a_number_that_are_sent_at_once_are_masked_on_postgres() {
    let Some(home) = TestDatabase::postgres() else { return };
    halves_sent_at_once_leave_the_last_four_digits(home).await;
}
