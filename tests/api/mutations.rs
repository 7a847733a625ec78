//! Requests that are nearly right: whatever is changed in them, the answer is one that the description promises, never a
//! 500, and nothing of what was sent comes back in an error. The changes are the same in every run.

use std::fmt::Write;

use reqwest::Method;
use serde_json::{Value, json};
use support::{client::Client, database::TestDatabase, dice::Dice, service::TestService};

/// Requests of each operation; `PARLANCE_TEST_MUTATIONS` is another number.
fn mutations() -> usize {
    std::env::var("PARLANCE_TEST_MUTATIONS").map_or(60, |mutations| mutations.parse().unwrap())
}

/// What parsers are known to stumble over.
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

/// A word that is sent in every request, and must be in no error.
const HUSH: &str = "hush7f3a";

/// Changes a text in one to three places.
fn mutate(dice: &mut Dice, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.below(3) {
        let place = dice.below(bytes.len() + 1);
        match dice.below(5) {
            0 => bytes.truncate(place),
            1 => drop(bytes.splice(place..place, dice.pick(&AWKWARD).bytes())),
            2 if place < bytes.len() => bytes[place] = u8::try_from(dice.below(256)).unwrap(),
            3 => {
                let end = place + dice.below(bytes.len() - place + 1);
                bytes.drain(place..end);
            }
            _ => {
                let end = place + dice.below((bytes.len() - place).min(20) + 1);
                let piece = bytes[place..end].to_vec();
                bytes.splice(place..place, piece);
            }
        }
    }
    bytes
}

/// Bytes as a part of an address: whatever must be is percent-encoded, a percent sign not always.
fn in_address(dice: &mut Dice, bytes: &[u8]) -> String {
    let keep_percent = dice.below(2) == 0;
    let mut text = String::new();
    for byte in bytes {
        let plain = byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(byte);
        if plain || (*byte == b'%' && keep_percent) {
            text.push(char::from(*byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn bodies(conversation: &str) -> Vec<(String, Value)> {
    let message =
        json!({"text": HUSH, "sender": {"role": "agent", "externalId": HUSH}, "timestamp": "2026-01-31T09:30:00Z"});
    let upsert = json!({
        "externalId": HUSH, "agent": {"externalId": HUSH, "name": HUSH}, "customer": {"externalId": HUSH},
        "metadata": {HUSH: HUSH}, "timestamp": "2026-01-31T09:30:00.123456789+01:00"
    });
    let vocabulary = json!({"phrase": HUSH, "soundsLike": [HUSH, HUSH]});
    let messages = format!("/conversation/v1/conversations/{conversation}/messages");
    vec![
        ("/conversation/v1/conversations".to_owned(), upsert),
        (format!("{messages}/batch"), json!({"messages": [message, message]})),
        (messages, message),
        ("/configuration/v1/custom-vocabularies".to_owned(), vocabulary.clone()),
        ("/configuration/v1/custom-vocabularies/validate".to_owned(), vocabulary),
    ]
}

/// Holds an answer to what is promised of every answer. The client holds it to the description.
fn check(what: &str, status: u16, text: &str) {
    assert!(status < 500, "{what}: {status} {text}");
    assert!(status < 400 || !text.contains(HUSH), "{what}: {text}");
}

async fn service() -> (TestService, Client, String) {
    let service = TestService::over(TestDatabase::sqlite(), &[]).await;
    let client = service.client("acme").await;
    let conversation = client.upsert("call-1").await;
    (service, client, conversation)
}

#[actix_web::test]
async fn a_body_that_is_nearly_right_is_never_a_failure_of_the_server() {
    let (_service, client, conversation) = service().await;
    let mut dice = Dice::new(11);
    for (path, body) in bodies(&conversation) {
        for _ in 0..mutations() {
            let bytes = mutate(&mut dice, &body.to_string());
            let answer = client.post_bytes(&path, bytes.clone()).await;
            check(&format!("{path} {}", String::from_utf8_lossy(&bytes)), answer.status, &answer.text);
        }
    }
}

#[actix_web::test]
async fn a_query_or_path_that_is_nearly_right_is_never_a_failure_of_the_server() {
    let (_service, client, conversation) = service().await;
    let mut dice = Dice::new(13);
    let messages = format!("/conversation/v1/conversations/{conversation}/messages");
    for (path, query) in [
        ("/conversation/v1/conversations", format!("externalId={HUSH}")),
        (&messages, format!("limit=10&cursor=1770000000000000.{conversation}")),
        ("/conversation/v1/conversation/messages", format!("externalId={HUSH}&format=vtt")),
        ("/configuration/v1/custom-vocabularies", "limit=20&cursor=01M7YADZ1ASGK88BGYPRKZZ6B3".to_owned()),
        ("/configuration/v1/custom-vocabularies/export", "engine=deepgram".to_owned()),
        ("/configuration/v1/redaction/redaction-entities", "active=true".to_owned()),
    ] {
        for _ in 0..mutations() {
            let bytes = mutate(&mut dice, &query);
            let whole = format!("{path}?{}", in_address(&mut dice, &bytes));
            let answer = client.get(&whole).await;
            check(&whole, answer.status, &answer.text);
        }
    }
    for _ in 0..mutations() {
        let bytes = mutate(&mut dice, &conversation);
        let id = in_address(&mut dice, &bytes);
        let answer = client.get(&format!("/configuration/v1/redaction/redaction-entity/{id}")).await;
        check(&id, answer.status, &answer.text);
    }
}

#[actix_web::test]
async fn a_header_that_is_nearly_right_is_never_a_failure_of_the_server() {
    let (service, client, _) = service().await;
    let mut dice = Dice::new(17);
    let stranger = service.client_of("", "");
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
            let who = if name == "svc-api-id" { &stranger } else { &client };
            let body = json!({"phrase": HUSH, "soundsLike": []});
            let sent = |request: reqwest::RequestBuilder| request.json(&body).header(name, &value);
            let path = "/configuration/v1/custom-vocabularies";
            let answer = who.send(&Method::POST, path, sent).await;
            check(&format!("{name}: {}", String::from_utf8_lossy(&bytes)), answer.status, &answer.text);
        }
    }
}
