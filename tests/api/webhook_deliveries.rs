//! Tests of what the receivers of webhooks get.

use std::slice;

use parlance_domain::{
    limits::WEBHOOK_MAX_CONCURRENT_PER_ENDPOINT,
    time::Timestamp,
    webhook::{WebhookDeliveryId, WebhookSecret, sign},
};
use serde_json::{Value, json};
use support::{
    client::Client,
    webhook_receiver::{ReceivedWebhook, ReceiverBehaviour, WebhookReceiver},
};

use crate::webhooks::{PATH, WebhookService, create, patch};

/// Creates a webhook of this receiver, and returns its path and its secret.
async fn subscribe(client: &Client, receiver: &WebhookReceiver, types: &[&str]) -> (String, WebhookSecret) {
    let created = create(client, &json!({"url": receiver.url(), "types": types})).await;
    let secret = WebhookSecret::parse(created["secret"].as_str().unwrap()).unwrap();
    (format!("{PATH}/{}", created["id"].as_str().unwrap()), secret)
}

/// The signature that a receiver computes of what it has received.
fn expected_signature(received: &ReceivedWebhook, secrets: &[WebhookSecret]) -> String {
    let id = WebhookDeliveryId::parse(&received.headers["webhook-id"]).unwrap();
    let seconds: i64 = received.headers["webhook-timestamp"].parse().unwrap();
    let at = Timestamp::EPOCH.plus_seconds(seconds);
    sign(secrets, &id, at, received.body.as_bytes())
}

fn body(received: &ReceivedWebhook) -> Value {
    serde_json::from_str(&received.body).unwrap()
}

#[actix_web::test]
async fn a_receiver_gets_signed_events_in_the_order_of_their_conversation() {
    let (service, receiver) =
        (WebhookService::start().await, WebhookReceiver::start(ReceiverBehaviour::Status(204)).await);
    let client = service.client().await;
    let (path, secret) = subscribe(&client, &receiver, &["conversation.created", "message.created"]).await;
    let id = client.upsert("call-1").await;
    for text in ["one", "two", "three"] {
        client.add_message(&id, text, "2026-01-31T09:30:00Z").await;
    }
    let requests = receiver.wait_for(4).await;
    let texts: Vec<_> = requests.iter().map(|it| body(it)["data"]["text"].clone()).collect();
    assert_eq!(texts, [Value::Null, json!("one"), json!("two"), json!("three")]);
    let first = body(&requests[0]);
    assert_eq!((&first["type"], &first["externalId"]), (&json!("conversation.created"), &json!("call-1")));
    for request in &requests {
        assert_eq!(request.headers["webhook-signature"], expected_signature(request, slice::from_ref(&secret)));
    }
    let deliveries = client.get(&format!("{path}/deliveries?status=delivered")).await.ok();
    assert_eq!(deliveries["deliveries"].as_array().unwrap().last().unwrap()["attempts"][0]["status"], 204);
}

#[actix_web::test]
async fn a_failed_delivery_is_sent_again_with_the_same_id() {
    let (service, receiver) =
        (WebhookService::start().await, WebhookReceiver::start(ReceiverBehaviour::Status(500)).await);
    let client = service.client().await;
    let (path, _) = subscribe(&client, &receiver, &["conversation.created"]).await;
    client.upsert("call-1").await;
    receiver.wait_for(1).await;
    receiver.set_behaviour(ReceiverBehaviour::Status(200));
    // The second attempt is made after five seconds, or earlier by a caller's wish.
    let requests = receiver.wait_for(2).await;
    assert_eq!(requests[0].headers["webhook-id"], requests[1].headers["webhook-id"]);
    assert_eq!(requests[0].body, requests[1].body);
    let id = &requests[0].headers["webhook-id"];
    let again = client.post(&format!("{path}/deliveries/{id}/redeliver"), &json!({})).await;
    assert_eq!((again.status, &again.json()["status"]), (202, &json!("pending")));
    assert_eq!(receiver.wait_for(3).await[2].headers["webhook-id"], *id);
}

#[actix_web::test]
async fn an_endpoint_that_hangs_holds_up_no_other() {
    let service = WebhookService::start().await;
    let hanging = WebhookReceiver::start(ReceiverBehaviour::Hang).await;
    let healthy = WebhookReceiver::start(ReceiverBehaviour::Status(200)).await;
    let client = service.client().await;
    subscribe(&client, &hanging, &["conversation.created"]).await;
    subscribe(&client, &healthy, &["conversation.created"]).await;
    for number in 0..20 {
        client.upsert(&format!("call-{number}")).await;
    }
    assert_eq!(healthy.wait_for(20).await.len(), 20);
    assert!(hanging.received().len() <= WEBHOOK_MAX_CONCURRENT_PER_ENDPOINT);
}

#[actix_web::test]
async fn a_test_is_sent_and_a_rotated_secret_signs_beside_the_one_before() {
    let (service, receiver) =
        (WebhookService::start().await, WebhookReceiver::start(ReceiverBehaviour::Status(200)).await);
    let client = service.client().await;
    let (path, before) = subscribe(&client, &receiver, &["conversation.created"]).await;
    let rotated = client.post(&format!("{path}/rotate-secret"), &json!({})).await.ok();
    assert!(rotated["previousSecretUntil"].is_string());
    let secret = WebhookSecret::parse(rotated["secret"].as_str().unwrap()).unwrap();
    let queued = client.post(&format!("{path}/test"), &json!({})).await;
    assert_eq!(queued.status, 202);
    let sent = receiver.wait_for(1).await.remove(0);
    assert_eq!(sent.headers["webhook-id"], queued.json()["id"].as_str().unwrap());
    assert_eq!(body(&sent)["type"], "webhook.test");
    assert_eq!(sent.headers["webhook-signature"], expected_signature(&sent, &[secret, before]));
}

#[actix_web::test]
async fn a_replay_sends_events_again_under_new_ids() {
    let (service, receiver) =
        (WebhookService::start().await, WebhookReceiver::start(ReceiverBehaviour::Status(200)).await);
    let client = service.client().await;
    let (path, _) = subscribe(&client, &receiver, &["conversation.created"]).await;
    client.upsert("call-1").await;
    receiver.wait_for(1).await;
    assert_eq!(client.post(&format!("{path}/replay"), &json!({})).await.status, 200);
    let requests = receiver.wait_for(2).await;
    assert_eq!(requests[0].body, requests[1].body);
    assert_ne!(requests[0].headers["webhook-id"], requests[1].headers["webhook-id"]);
    let replay = format!("{path}/replay");
    let unknown = client.post(&replay, &json!({"after": "ffff-0-1"})).await;
    assert_eq!(unknown.error_details(), (410, vec!["/after cursor_unknown".to_owned()]));
    assert!(unknown.text.contains(r#""code":"410-01""#) && unknown.text.contains(r#""message":"Gone""#));
    assert_eq!(client.post(&replay, &json!({"after": "x"})).await.error_details().0, 400);
}

#[actix_web::test]
async fn a_webhook_that_is_switched_off_receives_nothing_and_goes_on_where_it_was() {
    let (service, receiver) =
        (WebhookService::start().await, WebhookReceiver::start(ReceiverBehaviour::Status(200)).await);
    let client = service.client().await;
    let (path, _) = subscribe(&client, &receiver, &["conversation.created"]).await;
    assert_eq!(patch(&client, &path, &json!({"active": false})).await.status, 200);
    client.upsert("call-1").await;
    let refused = client.post(&format!("{path}/test"), &json!({})).await;
    assert_eq!(refused.error_details(), (409, vec!["path:webhookId active".to_owned()]));
    assert_eq!(receiver.received(), []);
    assert_eq!(patch(&client, &path, &json!({"active": true})).await.status, 200);
    assert_eq!(body(&receiver.wait_for(1).await[0])["externalId"], "call-1");
}
