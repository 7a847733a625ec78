//! Tests of the delivery status of a vocabulary.

use std::time::{Duration, Instant};

use parlance_domain::access::Permission;
use serde_json::{Value, json};
use support::{client::Client, database::TestDatabase, service::TestService, transcription_receiver::Receiver};

use crate::vocabularies::{PATH, SECOND_PATH};

/// Starts a service that delivers vocabularies to `receiver`.
async fn delivering_to(receiver: &Receiver) -> TestService {
    let url = receiver.url("/{tenant}");
    let settings = [
        ("PARLANCE_VOCABULARY_DELIVERY_URL", url.as_str()),
        ("PARLANCE_VOCABULARY_DELIVERY_SECRET", "a key of sixteen bytes or more"),
    ];
    TestService::start_with(TestDatabase::sqlite(), &settings).await
}

async fn add(client: &Client, phrase: &str) {
    assert_eq!(client.post(PATH, &json!({"phrase": phrase, "soundsLike": []})).await.status, 201);
}

async fn status(client: &Client) -> Value {
    let first = client.get(&format!("{PATH}/status")).await.ok();
    let second = client.get(&format!("{SECOND_PATH}/status")).await.ok();
    assert!(first["version"] == second["version"], "{first} {second}");
    second
}

/// Waits until the delivery is in `state` and returns the status.
async fn status_once(client: &Client, state: &str) -> Value {
    let start = Instant::now();
    loop {
        let status = status(client).await;
        if status["state"] == state {
            return status;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "{status}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[actix_web::test]
async fn without_a_component_the_status_is_not_configured_and_counts_versions() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    add(&client, "IEEE").await;
    let expected = json!({"version": 1, "deliveredVersion": null, "state": "not_configured", "since": null,
        "lastError": null, "nextAttempt": null});
    assert_eq!(status(&client).await, expected);
}

#[actix_web::test]
async fn a_vocabulary_that_was_never_changed_needs_no_delivery() {
    let receiver = Receiver::start();
    let service = delivering_to(&receiver).await;
    let expected = json!({"version": 0, "deliveredVersion": null, "state": "delivered", "since": null,
        "lastError": null, "nextAttempt": null});
    assert_eq!(status(&service.client("acme").await).await, expected);
}

#[actix_web::test]
async fn a_delivery_is_reported_with_its_version_and_time() {
    let receiver = Receiver::start();
    let service = delivering_to(&receiver).await;
    let client = service.client("acme").await;
    add(&client, "IEEE").await;
    let delivered = status_once(&client, "delivered").await;
    assert_eq!((&delivered["version"], &delivered["deliveredVersion"]), (&json!(1), &json!(1)));
    assert!(delivered["since"].is_string() && delivered["lastError"].is_null(), "{delivered}");
}

#[actix_web::test]
async fn a_failure_is_reported_without_an_address() {
    let receiver = Receiver::start();
    receiver.set_response(503, None);
    let service = delivering_to(&receiver).await;
    let client = service.client("acme").await;
    add(&client, "IEEE").await;
    let start = Instant::now();
    let mut last = status(&client).await;
    while last["lastError"].is_null() {
        assert!(start.elapsed() < Duration::from_mins(1), "{last}");
        tokio::time::sleep(Duration::from_millis(20)).await;
        last = status(&client).await;
    }
    let error = &last["lastError"];
    assert_eq!((&error["kind"], &error["message"]), (&json!("failed"), &json!("the transcription component failed")));
    assert!(last["nextAttempt"].is_string() && !last.to_string().contains("127.0.0.1"), "{last}");
}

#[actix_web::test]
async fn a_tenant_sees_only_its_own_delivery() {
    let service = TestService::start().await;
    add(&service.client("acme").await, "IEEE").await;
    assert_eq!(status(&service.client("globex").await).await["version"], 0);
}

#[actix_web::test]
async fn the_status_requires_the_permission_to_read_the_configuration() {
    let service = TestService::start().await;
    for (permission, expected) in [(Permission::ReadConfiguration, 200), (Permission::WriteConfiguration, 403)] {
        let client = service.client_with_permissions("acme", &[permission]).await;
        for path in [PATH, SECOND_PATH] {
            assert_eq!(client.get(&format!("{path}/status")).await.status, expected, "{path}");
        }
    }
}
