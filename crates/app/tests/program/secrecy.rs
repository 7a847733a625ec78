//! Tests that neither the database, the log, the responses nor the metrics hold text that was masked.

use std::fs;

use parlance_domain::redaction::{Control, Entity, EntitySet, Redactor};
use serde_json::{Value, json};
use support::client::http_client;

use crate::process::{Server, TestEnvironment, conversation};

const PATH: &str = "/conversation/v1/conversations";

/// Minimum length of an original to search for, in bytes. Shorter originals occur in identifiers by chance, and one of six digits
/// in the microseconds of the log.
const MIN_ORIGINAL_BYTES: usize = 7;

/// Returns all example texts of the catalogue.
fn examples() -> Vec<&'static str> {
    Entity::ALL.iter().flat_map(|entity| entity.row().examples).map(|(text, _)| *text).collect()
}

/// Returns the masked parts of a text that have at least [`MIN_ORIGINAL_BYTES`].
fn originals(text: &'static str) -> Vec<&'static str> {
    let redaction = Redactor::new(EntitySet::all()).redact(text, &[]);
    let hidden = redaction.spans.iter().map(|span| text.get(span.start..span.visible_from).unwrap());
    hidden.filter(|original| original.len() >= MIN_ORIGINAL_BYTES).collect()
}

/// Activates every entity that a tenant may switch.
async fn activate_all_entities(server: &Server, credential: &Value) {
    for entity in Entity::ALL.iter().filter(|entity| entity.row().control == Control::SelfServe) {
        let path = format!("/configuration/v1/redaction/redaction-entity/{}", entity.label());
        let on = json!({"active": true});
        let answer =
            server.request_with_method(reqwest::Method::PATCH, credential, &path, Some(&on)).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{entity:?}");
    }
}

/// Creates a conversation, appends a text, repeats the text in invalid requests, and reads the conversation. Returns
/// all bodies of the responses after the creation, concatenated.
async fn send(server: &Server, credential: &Value, number: usize, text: &str) -> String {
    let created = server.request(credential, PATH, Some(&conversation(&format!("call-{number}"))));
    let id = created.send().await.unwrap().json::<Value>().await.unwrap()["id"].as_str().unwrap().to_owned();
    let messages = format!("{PATH}/{id}/messages");
    let sender = json!({"role": "customer", "externalId": "customer-7"});
    let message = json!({"text": text, "sender": sender, "timestamp": "2026-01-31T09:30:00Z"});
    let sent = server.request(credential, &messages, Some(&message)).send().await.unwrap();
    assert_eq!(sent.status(), 200);
    let mut answers = sent.text().await.unwrap();
    let mistyped = json!({"text": text, "sender": text, "timestamp": text});
    for (path, body) in [
        (messages.as_str(), Some(&mistyped)),
        (&format!("{PATH}/NONE/messages"), Some(&message)),
        (&messages, None),
        (&format!("/conversation/v1/conversation/messages?conversationId={id}&format=txt"), None),
    ] {
        answers.push_str(&server.request(credential, path, body).send().await.unwrap().text().await.unwrap());
    }
    answers
}

#[actix_web::test]
async fn no_output_holds_an_original_of_any_entity() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let mut server =
        env.serve(&["--log-level", "debug", "--metrics-listen", "127.0.0.1:0", "--rate-limit-burst", "100000"]);
    let metrics = server.wait_for_log("serving metrics")["address"].as_str().unwrap().to_owned();
    activate_all_entities(&server, &credential).await;
    let mut answers = String::new();
    for (number, text) in examples().into_iter().enumerate() {
        answers.push_str(&send(&server, &credential, number, text).await);
    }
    let metrics = http_client().get(format!("http://{metrics}/metrics")).send().await.unwrap().text().await.unwrap();
    let on_disk = |name| fs::read(env.path().join(name)).unwrap();
    let files = ["parlance.db", "parlance.db-wal", "parlance.db-shm"].map(|name| (name, on_disk(name)));
    server.signal("TERM");
    let (_, log) = server.wait_for_exit();

    assert!(log.contains("/messages") && answers.contains("****") && metrics.contains("redactions_total"));
    let mut outputs = vec![("a response", answers.into_bytes()), ("the log", log.into_bytes())];
    outputs.push(("a metric", metrics.into_bytes()));
    outputs.extend(files);
    outputs.push(("parlance.db after the exit", on_disk("parlance.db")));
    // A text that is masked in one example may stay visible in another, such as the domain of an email address.
    let visible_text: String =
        examples().iter().map(|text| Redactor::new(EntitySet::all()).redact(text, &[]).text).collect();
    let originals = examples().into_iter().flat_map(originals).filter(|original| !visible_text.contains(original));
    let originals: Vec<_> = originals.collect();
    assert!(originals.len() > 100, "only {} originals are searched for", originals.len());
    for (name, bytes) in outputs {
        let text = String::from_utf8_lossy(&bytes);
        let found: Vec<_> = originals.iter().filter(|original| text.contains(**original)).collect();
        assert!(found.is_empty(), "{name} holds {found:?}");
    }
}
