//! Nothing that the program writes holds what it has masked: neither the database, nor the log, nor an answer, nor a
//! metric.

use std::fs;

use parlance_domain::redaction::{Control, Entity, EntitySet, Redactor};
use serde_json::{Value, json};
use support::client::http;

use crate::process::{Home, Server, conversation};

const PATH: &str = "/conversation/v1/conversations";

/// Fewest bytes of an original that is looked for: shorter ones are in identifiers and times by chance.
const LEAST: usize = 6;

/// Every example of the catalogue.
fn examples() -> Vec<&'static str> {
    Entity::ALL.iter().flat_map(|entity| entity.row().examples).map(|(text, _)| *text).collect()
}

/// What of a text is masked, where it is long enough to be looked for.
fn originals(text: &'static str) -> Vec<&'static str> {
    let redaction = Redactor::new(EntitySet::all()).redact(text, &[]);
    let hidden = redaction.spans.iter().map(|span| text.get(span.start..span.shown_from).unwrap());
    hidden.filter(|original| original.len() >= LEAST).collect()
}

/// Switches everything on that a tenant may.
async fn switch_all_on(server: &Server, credential: &Value) {
    for entity in Entity::ALL.iter().filter(|entity| entity.row().control == Control::SelfServe) {
        let path = format!("/configuration/v1/redaction/redaction-entity/{}", entity.label());
        let on = json!({"active": true});
        let answer = server.call(reqwest::Method::PATCH, credential, &path, Some(&on)).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{entity:?}");
    }
}

/// Sends a text in a conversation of its own, as it is meant and then in ways that are refused; gives every answer.
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
async fn no_original_of_any_kind_is_in_anything_that_is_written() {
    let home = Home::new();
    let credential = home.credential();
    let mut server =
        home.serve(&["--log-level", "debug", "--metrics-listen", "127.0.0.1:0", "--rate-limit-burst", "100000"]);
    let metrics = server.wait_for("metrics can be read")["address"].as_str().unwrap().to_owned();
    switch_all_on(&server, &credential).await;
    let mut answers = String::new();
    for (number, text) in examples().into_iter().enumerate() {
        answers.push_str(&send(&server, &credential, number, text).await);
    }
    let metrics = http().get(format!("http://{metrics}/metrics")).send().await.unwrap().text().await.unwrap();
    let on_disk = |name| fs::read(home.path().join(name)).unwrap();
    let files = ["parlance.db", "parlance.db-wal", "parlance.db-shm"].map(|name| (name, on_disk(name)));
    server.signal("TERM");
    let (_, log) = server.end();

    assert!(log.contains("/messages") && answers.contains("****") && metrics.contains("redactions_total"));
    let mut written = vec![("an answer", answers.into_bytes()), ("the log", log.into_bytes())];
    written.push(("a metric", metrics.into_bytes()));
    written.extend(files);
    written.push(("parlance.db, closed", on_disk("parlance.db")));
    // What one example hides another may show by right, such as the domain of an address.
    let shown: String = examples().iter().map(|text| Redactor::new(EntitySet::all()).redact(text, &[]).text).collect();
    let originals = examples().into_iter().flat_map(originals).filter(|original| !shown.contains(original));
    let originals: Vec<_> = originals.collect();
    assert!(originals.len() > 100, "{} originals are looked for", originals.len());
    for (place, bytes) in written {
        let text = String::from_utf8_lossy(&bytes);
        let found: Vec<_> = originals.iter().filter(|original| text.contains(**original)).collect();
        assert!(found.is_empty(), "{place} holds {found:?}");
    }
}
