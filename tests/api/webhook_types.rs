//! Tests of the types of events that a webhook names: who may use it, and what is sent after a change.

use parlance_domain::access::Permission;
use serde_json::{Value, json};
use support::{
    client::Client,
    webhook_receiver::{ReceiverBehaviour, WebhookReceiver},
};

use crate::webhooks::{PATH, WebhookService, create, patch};

/// Creates a webhook of this receiver, and returns its path.
async fn subscribe(client: &Client, receiver: &WebhookReceiver, types: &[&str]) -> String {
    let created = create(client, &json!({"url": receiver.url(), "types": types})).await;
    format!("{PATH}/{}", created["id"].as_str().unwrap())
}

#[actix_web::test]
async fn a_credential_uses_no_webhook_of_types_that_it_may_not_read() {
    let service = WebhookService::start().await;
    let receiver = WebhookReceiver::start(ReceiverBehaviour::Status(200)).await;
    let client = service.client().await;
    let path = subscribe(&client, &receiver, &["message.created"]).await;
    let id = client.upsert("call-1").await;
    client.add_message(&id, "hush", "2026-01-31T09:30:00Z").await;
    let sent = receiver.wait_for(1).await.remove(0);
    let permissions = [Permission::WriteWebhooks, Permission::ReadFeeds];
    let other = service.service.client_with_permissions("acme", &permissions).await;
    let stored = client.get(&path).await.ok();
    let denied = (403, vec![" permission".to_owned()]);
    for change in [
        json!({"url": "https://hooks.example.com/", "types": ["feed.day_completed"]}),
        json!({"types": ["feed.day_completed"]}),
        json!({"url": "https://hooks.example.com/"}),
        json!({"active": false}),
    ] {
        assert_eq!(patch(&other, &path, &change).await.error_details(), denied, "{change}");
    }
    let redeliver = format!("deliveries/{}/redeliver", sent.headers["webhook-id"]);
    for operation in ["rotate-secret", "test", "replay", &redeliver] {
        let answer = other.post(&format!("{path}/{operation}"), &json!({})).await;
        assert_eq!(answer.error_details(), denied, "{operation}");
    }
    assert_eq!(client.get(&path).await.ok(), stored);
    let feeds = subscribe(&client, &receiver, &["feed.day_completed"]).await;
    assert_eq!(other.post(&format!("{feeds}/rotate-secret"), &json!({})).await.status, 200);
    assert_eq!(other.delete(&path).await.status, 204, "a webhook that is deleted sends nothing");
}

#[actix_web::test]
async fn events_of_types_that_a_webhook_no_longer_names_are_never_sent() {
    let service = WebhookService::start().await;
    let before = WebhookReceiver::start(ReceiverBehaviour::Status(200)).await;
    let after = WebhookReceiver::start(ReceiverBehaviour::Status(200)).await;
    let client = service.client().await;
    let path = subscribe(&client, &before, &["message.created", "conversation.updated"]).await;
    let id = client.upsert("call-1").await;
    client.add_message(&id, "one", "2026-01-31T09:30:00Z").await;
    let delivered = before.wait_for(1).await.remove(0).headers["webhook-id"].clone();
    before.set_behaviour(ReceiverBehaviour::Status(500));
    client.add_message(&id, "two", "2026-01-31T09:30:01Z").await;
    client.upsert("call-1").await;
    before.wait_for(2).await;
    assert_eq!(patch(&client, &path, &json!({"types": ["conversation.updated"]})).await.status, 200);
    let permissions = [Permission::WriteWebhooks, Permission::ReadConversations];
    let other = service.service.client_with_permissions("acme", &permissions).await;
    assert_eq!(patch(&other, &path, &json!({"url": after.url()})).await.status, 200);
    let redelivered = other.post(&format!("{path}/deliveries/{delivered}/redeliver"), &json!({})).await;
    assert_eq!(redelivered.error_details(), (409, vec!["path:deliveryId types".to_owned()]));
    client.upsert("call-1").await;
    let received = after.wait_for(2).await;
    let types: Vec<_> =
        received.iter().map(|it| serde_json::from_str::<Value>(&it.body).unwrap()["type"].clone()).collect();
    assert_eq!(types, ["conversation.updated", "conversation.updated"], "what waited behind a message is not lost");
}
