//! Tests of mutated requests: every response is one that the OpenAPI document defines, and never a server error.
//!
//! An error repeats no text of its request. Every run makes the same mutations.

use std::fmt::Write;

use reqwest::Method;
use serde_json::{Value, json};
use support::{client::Client, database::TestDatabase, seeded_rng::SeededRng, service::TestService};

/// Requests of each operation: `PARLANCE_TEST_MUTATIONS`, or 60 by default.
fn mutations() -> usize {
    std::env::var("PARLANCE_TEST_MUTATIONS").map_or(60, |mutations| mutations.parse().unwrap())
}

/// Texts that parsers often handle wrongly.
const AWKWARD: [&str; 24] = [
    "",
    "null",
    "{}",
    "[]",
    "\"\"",
    "0",
    "-1",
    "1e999",
    "9007199254740993",
    "true",
    "\\u0000",
    "\\ud800",
    "%00",
    "%ff",
    "%",
    "..",
    "../..",
    "'",
    "\"",
    "\u{202e}",
    "é",
    "🦀",
    "0000-00-00T00:00:00Z",
    "9999-12-31T23:59:60+23:59",
];

/// A word of the valid requests that no error may repeat.
const CANARY: &str = "hush7f3a";

/// Applies one to three mutations to `text`.
fn mutate(dice: &mut SeededRng, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.below(3) {
        let offset = dice.below(bytes.len() + 1);
        match dice.below(5) {
            0 => bytes.truncate(offset),
            1 => drop(bytes.splice(offset..offset, dice.pick(&AWKWARD).bytes())),
            2 if offset < bytes.len() => bytes[offset] = u8::try_from(dice.below(256)).unwrap(),
            3 => {
                let end = offset + dice.below(bytes.len() - offset + 1);
                bytes.drain(offset..end);
            }
            _ => {
                let end = offset + dice.below((bytes.len() - offset).min(20) + 1);
                let piece = bytes[offset..end].to_vec();
                bytes.splice(offset..offset, piece);
            }
        }
    }
    bytes
}

/// Percent-encodes `bytes` for a URL. Half of the calls leave percent signs as they are.
fn percent_encode(dice: &mut SeededRng, bytes: &[u8]) -> String {
    let keep_percent = dice.below(2) == 0;
    let mut text = String::new();
    for byte in bytes {
        let plain = byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(byte);
        if plain || (*byte == b'%' && keep_percent) {
            text.push(char::from(*byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn bodies(conversation: &str) -> Vec<(String, Value)> {
    let message =
        json!({"text": CANARY, "sender": {"role": "agent", "externalId": CANARY}, "timestamp": "2026-01-31T09:30:00Z"});
    let upsert = json!({
        "externalId": CANARY, "agent": {"externalId": CANARY, "name": CANARY}, "customer": {"externalId": CANARY},
        "metadata": {CANARY: CANARY}, "timestamp": "2026-01-31T09:30:00.123456789+01:00"
    });
    let vocabulary = json!({"phrase": CANARY, "soundsLike": [CANARY, CANARY]});
    let messages = format!("/conversation/v1/conversations/{conversation}/messages");
    vec![
        ("/conversation/v1/conversations".to_owned(), upsert),
        (format!("{messages}/batch"), json!({"messages": [message, message]})),
        (messages, message),
        ("/configuration/v1/custom-vocabularies".to_owned(), vocabulary.clone()),
        ("/configuration/v1/custom-vocabularies/validate".to_owned(), vocabulary),
    ]
}

/// Checks that a response is no server error and that an error does not repeat `CANARY`.
///
/// The client checks the response against the OpenAPI document.
fn check(request: &str, status: u16, text: &str) {
    assert!(status < 500, "{request}: {status} {text}");
    assert!(status < 400 || !text.contains(CANARY), "{request}: {text}");
}

async fn service() -> (TestService, Client, String) {
    let service = TestService::start_with(TestDatabase::sqlite(), &[]).await;
    let client = service.client("acme").await;
    let conversation = client.upsert("call-1").await;
    (service, client, conversation)
}

#[actix_web::test]
async fn a_mutated_body_never_causes_a_server_error() {
    let (_service, client, conversation) = service().await;
    let mut dice = SeededRng::new(11);
    for (path, body) in bodies(&conversation) {
        for _ in 0..mutations() {
            let bytes = mutate(&mut dice, &body.to_string());
            let answer = client.post_bytes(&path, bytes.clone()).await;
            check(&format!("{path} {}", String::from_utf8_lossy(&bytes)), answer.status, &answer.text);
        }
    }
}

#[actix_web::test]
async fn a_mutated_query_or_path_never_causes_a_server_error() {
    let (_service, client, conversation) = service().await;
    let mut dice = SeededRng::new(13);
    let messages = format!("/conversation/v1/conversations/{conversation}/messages");
    for (path, query) in [
        ("/conversation/v1/conversations", format!("externalId={CANARY}")),
        (&messages, format!("limit=10&cursor=1770000000000000.{conversation}")),
        ("/conversation/v1/conversation/messages", format!("externalId={CANARY}&format=vtt")),
        ("/configuration/v1/custom-vocabularies", "limit=20&cursor=01M7YADZ1ASGK88BGYPRKZZ6B3".to_owned()),
        ("/configuration/v1/custom-vocabularies/export", "engine=deepgram".to_owned()),
        ("/configuration/v1/redaction/redaction-entities", "active=true".to_owned()),
    ] {
        for _ in 0..mutations() {
            let bytes = mutate(&mut dice, &query);
            let whole = format!("{path}?{}", percent_encode(&mut dice, &bytes));
            let answer = client.get(&whole).await;
            check(&whole, answer.status, &answer.text);
        }
    }
    for _ in 0..mutations() {
        let bytes = mutate(&mut dice, &conversation);
        let id = percent_encode(&mut dice, &bytes);
        let answer = client.get(&format!("/configuration/v1/redaction/redaction-entity/{id}")).await;
        check(&id, answer.status, &answer.text);
    }
}

#[actix_web::test]
async fn a_mutated_header_never_causes_a_server_error() {
    let (service, client, _) = service().await;
    let mut dice = SeededRng::new(17);
    let anonymous = service.client_with_credential("", "");
    for (name, value) in [
        ("content-type", "application/json; charset=utf-8"),
        ("content-encoding", "identity"),
        ("accept", "text/csv, application/json;q=0.5"),
        ("idempotency-key", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
        ("x-forwarded-for", "10.0.0.1, 10.0.0.2"),
        ("svc-api-id", "acme.01M7YADZ1ASGK88BGYPRKZZ6B3"),
    ] {
        for _ in 0..mutations() {
            let bytes = mutate(&mut dice, value);
            let Ok(value) = reqwest::header::HeaderValue::from_bytes(&bytes) else { continue };
            let sender = if name == "svc-api-id" { &anonymous } else { &client };
            let body = json!({"phrase": CANARY, "soundsLike": []});
            let sent = |request: reqwest::RequestBuilder| request.json(&body).header(name, &value);
            let path = "/configuration/v1/custom-vocabularies";
            let answer = sender.send(&Method::POST, path, sent).await;
            check(&format!("{name}: {}", String::from_utf8_lossy(&bytes)), answer.status, &answer.text);
        }
    }
}
