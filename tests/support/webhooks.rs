//! Webhooks and deliveries for the contracts of their store.

use std::time::Duration;

use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    event::{Change, EventType, LogEntry, LogPosition, MessageReference},
    id::{ConversationId, MessageId},
    lease::LeaseTerm,
    message::MessagePosition,
    webhook::{
        AttemptFailure, AttemptedDelivery, DeliveryAttempt, DeliverySubject, Enqueue, Jitter, SealedSecret, Webhook,
        WebhookDelivery, WebhookDeliveryId, WebhookDescription, WebhookId, WebhookInsertOutcome, WebhookUrl,
    },
};

use crate::{
    fixtures::{acme, from_micros},
    stores::TestStores,
};

/// A term of the lease of the dispatcher.
pub const TERM: LeaseTerm = LeaseTerm(5);

/// The position after the entry with this number.
#[must_use]
pub fn at(sequence: i64) -> LogPosition {
    LogPosition { sequence, index: 0, tag: sequence }
}

/// A webhook with this number.
#[must_use]
pub fn webhook(number: u128) -> Webhook {
    Webhook {
        id: WebhookId::from_bits(number),
        url: WebhookUrl::parse("https://hooks.example.com/in?a=b").unwrap(),
        types: [EventType::MessageCreated, EventType::FeedDayRevised].into_iter().collect(),
        description: WebhookDescription::parse("for billing").unwrap(),
        active: true,
        switched_off: None,
        secret: SealedSecret(vec![1, 2, 3]),
        previous_secret: Some((SealedSecret(vec![4]), from_micros(77))),
        credential: None,
        cursor: LogPosition::START,
        created_at: from_micros(5),
        revision: 1,
    }
}

/// The delivery of a message of a conversation to the webhook 1. Its identifier and its position have the same number.
#[must_use]
pub fn delivery(number: i64, conversation: u128) -> WebhookDelivery {
    let position = MessagePosition { sent_at: from_micros(number), id: MessageId::from_bits(3) };
    let message = MessageReference { conversation: ConversationId::from_bits(conversation), position };
    let change = Change::MessageCreated(message);
    let log_entry = LogEntry { position: at(number), occurred_at: from_micros(number), change };
    let id = WebhookDeliveryId::from_bits(number.try_into().unwrap());
    WebhookDelivery::new(id, WebhookId::from_bits(1), DeliverySubject::Event(log_entry), from_micros(number))
}

/// An attempt with this outcome.
#[must_use]
pub fn attempt(outcome: Result<u16, AttemptFailure>) -> DeliveryAttempt {
    DeliveryAttempt { at: from_micros(1_000_000), duration: Duration::from_millis(12), outcome }
}

/// The delivery after a success.
#[must_use]
pub fn succeeded(delivery: WebhookDelivery) -> WebhookDelivery {
    delivery.after_attempt(attempt(Ok(204)), Jitter::default())
}

/// The delivery after a failure.
#[must_use]
pub fn failed(delivery: WebhookDelivery) -> WebhookDelivery {
    delivery.after_attempt(attempt(Err(AttemptFailure::Status(500))), Jitter::default())
}

/// A delivery of this tenant after an attempt that began with the delivery `begun`.
#[must_use]
pub fn attempted(tenant: TenantId, begun: &WebhookDelivery, delivery: WebhookDelivery) -> AttemptedDelivery {
    AttemptedDelivery { tenant, delivery, expected_next_attempt: begun.next_attempt() }
}

/// An audit entry of the webhook.
#[must_use]
pub fn entry(webhook: &Webhook) -> AuditEntry {
    AuditEntry::webhook_created(webhook, from_micros(9))
}

/// Stores a webhook.
pub async fn insert(stores: &TestStores, tenant: &TenantId, webhook: &Webhook) {
    let outcome = stores.webhooks.insert(tenant, webhook, 20, entry(webhook)).await.unwrap();
    assert_eq!(outcome, WebhookInsertOutcome::Inserted);
}

/// These deliveries, as if they were read from the start of the log.
#[must_use]
pub fn enqueue(deliveries: Vec<WebhookDelivery>) -> Enqueue {
    let next_cursor = deliveries.last().map_or(at(1), |delivery| delivery.subject.position());
    Enqueue {
        webhook: WebhookId::from_bits(1),
        expected_revision: 1,
        expected_cursor: LogPosition::START,
        next_cursor,
        deliveries,
    }
}

/// Stores the webhook 1 with these deliveries.
pub async fn with_deliveries(stores: &TestStores, deliveries: Vec<WebhookDelivery>) {
    insert(stores, &acme(), &webhook(1)).await;
    assert!(stores.webhooks.enqueue(TERM, &acme(), &enqueue(deliveries)).await.unwrap());
}

/// The numbers of the due deliveries.
pub async fn due(stores: &TestStores, now: i64) -> Vec<WebhookDeliveryId> {
    let due = stores.webhooks.due(&acme(), &WebhookId::from_bits(1), from_micros(now), 10).await.unwrap();
    due.into_iter().map(|delivery| delivery.id).collect()
}

/// The identifiers of deliveries with these numbers.
#[must_use]
pub fn ids<const N: usize>(numbers: [u128; N]) -> Vec<WebhookDeliveryId> {
    numbers.map(WebhookDeliveryId::from_bits).to_vec()
}
