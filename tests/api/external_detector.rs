//! Tests of the service with an external detector: its findings are masked, and what happens while it is away.

use reqwest::Method;
use serde_json::{Value, json};
use support::{
    analyzer::{Analyzer, Behaviour},
    client::{Client, message_body},
    database::TestDatabase,
    service::TestService,
};

const TIME: &str = "2026-01-31T09:30:00Z";
const MASKED: &str = "ask *** tomorrow";

struct Fixture {
    _service: TestService,
    client: Client,
    analyzer: Analyzer,
    /// The path of the messages of a conversation.
    path: String,
}

/// Starts a service with a detector, and switches the names of persons on.
async fn start(required: &str) -> Fixture {
    let analyzer = Analyzer::start();
    let url = analyzer.url();
    let settings = [
        ("PARLANCE_EXTERNAL_DETECTOR_URL", url.as_str()),
        ("PARLANCE_EXTERNAL_DETECTOR_REQUIRED", required),
        ("PARLANCE_EXTERNAL_DETECTOR_ENTITIES", "PERSON_NAME"),
        ("PARLANCE_REDACTION_REFRESH_SECONDS", "1"),
    ];
    let service = TestService::start_with(TestDatabase::sqlite(), &settings).await;
    let client = service.client("acme").await;
    let switch = "/configuration/v1/redaction/redaction-entity/PERSON_NAME";
    let switched = client.send(&Method::PATCH, switch, |request| request.json(&json!({"active": true}))).await;
    assert_eq!(switched.status, 200);
    let id = client.upsert("call-1").await;
    let path = format!("/conversation/v1/conversations/{id}/messages");
    Fixture { _service: service, client, analyzer, path }
}

impl Fixture {
    async fn send(&self) -> u16 {
        self.client.post(&self.path, &message_body("ask Zoe tomorrow", TIME)).await.status
    }

    /// The texts of the messages, or the status of the answer.
    async fn texts(&self) -> Result<Vec<Value>, u16> {
        let answer = self.client.get(&self.path).await;
        if answer.status != 200 {
            return Err(answer.status);
        }
        Ok(answer.ok()["items"].as_array().unwrap().iter().map(|item| item["text"].clone()).collect())
    }

    /// The status of readiness, and the status of the detector in it.
    async fn readiness(&self) -> (u16, String) {
        let answer = self.client.get("/health/ready").await;
        (answer.status, answer.text)
    }
}

#[actix_web::test]
async fn findings_of_the_detector_are_masked_in_messages_and_in_batches() {
    let fixture = start("true").await;
    assert_eq!(fixture.send().await, 200);
    let batch = json!({"messages": [message_body("Zoe called", TIME), message_body("nobody called", TIME)]});
    assert_eq!(fixture.client.post(&format!("{}/batch", fixture.path), &batch).await.status, 200);
    assert_eq!(fixture.texts().await.unwrap(), [MASKED, "*** called", "nobody called"]);
    // Masked messages are not examined again.
    assert_eq!(fixture.analyzer.bodies().len(), 3);
}

#[actix_web::test]
async fn a_message_is_refused_while_a_required_detector_is_away_and_stored_later() {
    let fixture = start("true").await;
    fixture.analyzer.set(Behaviour::Close);
    assert_eq!(fixture.send().await, 503);
    assert_eq!(fixture.readiness().await.0, 503);
    fixture.analyzer.set(Behaviour::Find);
    assert_eq!((fixture.send().await, fixture.texts().await), (200, Ok(vec![json!(MASKED)])));
    assert_eq!(fixture.readiness().await.0, 200);
}

#[actix_web::test]
async fn a_message_is_stored_while_an_optional_detector_is_away_and_is_given_out_masked_only() {
    let fixture = start("false").await;
    fixture.analyzer.set(Behaviour::Respond(500, String::new()));
    assert_eq!(fixture.send().await, 200);
    assert_eq!(fixture.texts().await, Err(503));
    let (status, readiness) = fixture.readiness().await;
    assert!(status == 200 && readiness.contains("detector"), "{readiness}");
    fixture.analyzer.set(Behaviour::Find);
    assert_eq!(fixture.texts().await, Ok(vec![json!(MASKED)]));
}
