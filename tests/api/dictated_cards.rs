//! Tests of card numbers that are dictated over many messages, through the whole service.

use actix_web::rt;
use reqwest::Method;
use serde_json::{Value, json};
use support::{client::Client, database::TestDatabase, service::TestService};

const CARD: &str = "5500005555555559";

async fn say(client: &Client, id: &str, role: &str, text: &str, second: usize) {
    let timestamp = format!("2026-01-31T09:{:02}:{:02}Z", 30 + second / 60, second % 60);
    let body = json!({"text": text, "sender": {"role": role, "externalId": role}, "timestamp": timestamp});
    let path = format!("/conversation/v1/conversations/{id}/messages");
    assert_eq!(client.send(&Method::POST, &path, |request| request.json(&body)).await.status, 200);
}

/// The texts of a sender's messages, joined.
async fn said(client: &Client, id: &str, role: &str) -> String {
    let list = client.get(&format!("/conversation/v1/conversations/{id}/messages?limit=1000")).await.ok();
    let items = list["items"].as_array().unwrap().clone();
    let of_role = items.into_iter().filter(|item| item["sender"]["role"] == role);
    of_role.map(|item: Value| item["text"].as_str().unwrap().to_owned()).collect()
}

/// Dictates a card number, one digit a message, each of which the agent reads back.
async fn dictate_with_read_backs(database: TestDatabase) {
    let service = TestService::start_with(database, &[]).await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for (nth, digit) in CARD.char_indices() {
        say(&client, &id, "customer", &digit.to_string(), 4 * nth).await;
        // From 13 digits on, a part of the number can be a card number too.
        if nth + 1 < 13 {
            assert_eq!(said(&client, &id, "customer").await, CARD[..=nth], "digit {nth}");
        }
        say(&client, &id, "agent", "okay", 4 * nth + 1).await;
    }
    assert_eq!(said(&client, &id, "customer").await, "************5559");
}

#[actix_web::test]
async fn a_card_dictated_digit_by_digit_is_masked_when_it_is_complete_on_sqlite() {
    dictate_with_read_backs(TestDatabase::sqlite()).await;
}

#[actix_web::test]
async fn a_card_dictated_digit_by_digit_is_masked_when_it_is_complete_on_postgres() {
    let Some(database) = TestDatabase::postgres() else { return };
    dictate_with_read_backs(database).await;
}

#[actix_web::test]
async fn a_read_back_of_each_digit_is_masked_as_well() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for (nth, digit) in CARD.chars().enumerate() {
        say(&client, &id, "customer", &digit.to_string(), 4 * nth).await;
        say(&client, &id, "agent", &digit.to_string(), 4 * nth + 1).await;
    }
    for role in ["customer", "agent"] {
        assert_eq!(said(&client, &id, role).await, "************5559");
    }
}

#[actix_web::test]
async fn digits_that_are_more_than_ten_minutes_and_six_messages_apart_are_not_joined() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for (nth, digit) in CARD.chars().enumerate() {
        say(&client, &id, "customer", &digit.to_string(), 100 * nth).await;
    }
    assert_eq!(said(&client, &id, "customer").await, CARD);
}

#[actix_web::test]
async fn a_card_dictated_in_one_batch_is_masked() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let message = |(nth, digit): (usize, char)| {
        json!({"text": digit.to_string(), "sender": {"role": "customer", "externalId": "customer"},
            "timestamp": format!("2026-01-31T09:30:{nth:02}Z")})
    };
    let messages: Vec<_> = CARD.chars().enumerate().map(message).collect();
    let path = format!("/conversation/v1/conversations/{id}/messages/batch");
    assert_eq!(client.post(&path, &json!({"messages": messages})).await.status, 200);
    assert_eq!(said(&client, &id, "customer").await, "************5559");
}

/// Two digits at a time arrive concurrently. Whatever is stored first, the number is masked in the end.
async fn dictate_concurrently(database: TestDatabase) {
    let service = TestService::start_with(database, &[]).await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let digits: Vec<_> = CARD.chars().enumerate().collect();
    for pair in digits.chunks(2) {
        let sent = pair.iter().map(|(nth, digit)| {
            let (client, id, nth, digit) = (client.clone(), id.clone(), *nth, digit.to_string());
            rt::spawn(async move { say(&client, &id, "customer", &digit, nth).await })
        });
        for one in sent.collect::<Vec<_>>() {
            one.await.unwrap();
        }
    }
    assert_eq!(said(&client, &id, "customer").await, "************5559");
}

#[actix_web::test]
async fn concurrently_sent_digits_of_a_card_are_masked_on_sqlite() {
    dictate_concurrently(TestDatabase::sqlite()).await;
}

#[actix_web::test]
async fn concurrently_sent_digits_of_a_card_are_masked_on_postgres() {
    let Some(database) = TestDatabase::postgres() else { return };
    dictate_concurrently(database).await;
}

#[actix_web::test]
async fn halves_of_a_card_with_many_messages_of_the_other_speaker_between_are_masked() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    say(&client, &id, "customer", &CARD[..8], 0).await;
    for second in 1..=9 {
        say(&client, &id, "agent", "go on please", second).await;
    }
    say(&client, &id, "customer", &CARD[8..], 10).await;
    assert_eq!(said(&client, &id, "customer").await, "************5559");
}

#[actix_web::test]
async fn a_card_after_another_secret_is_masked() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let secrets = ["my pin is 4321", "password: hunter2", "ssn 078-05-1120, pin is 4321, password: hunter2"];
    for (nth, secret) in secrets.into_iter().enumerate() {
        let id = client.upsert(&format!("call-{nth}")).await;
        say(&client, &id, "customer", secret, 0).await;
        for (part, second) in ["5500", "0055", "5555", "5559"].into_iter().zip(1..) {
            say(&client, &id, "customer", part, second).await;
        }
        let said = said(&client, &id, "customer").await;
        assert!(said.ends_with("************5559"), "{said}");
    }
}
