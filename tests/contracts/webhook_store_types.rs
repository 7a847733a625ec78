//! Contract of the store of webhooks: nothing of a type that a webhook no longer names stays to be sent.

use parlance_domain::{
    event::FeedChange,
    event::{Change, EventType, EventTypes, LogEntry},
    feed::{Day, FeedName},
    webhook::{DeliveryQuery, DeliverySubject, Webhook, WebhookChange, WebhookDelivery, WebhookDeliveryId, WebhookId},
};
use support::{
    fixtures::{acme, from_micros},
    stores::TestStores,
    webhooks::{TERM, at, attempted, delivery, due, enqueue, entry, ids, insert, succeeded, webhook, with_deliveries},
};

contract![
    a_change_removes_what_is_pending_of_types_that_the_webhook_no_longer_names,
    a_change_of_other_members_removes_nothing,
    a_refused_change_removes_nothing,
    events_that_were_chosen_before_a_change_are_not_queued,
    a_delivery_is_not_queued_again_at_a_webhook_that_was_changed_meanwhile,
];

/// The delivery of a day of a feed, at the position with this number.
fn feed_delivery(number: i64) -> WebhookDelivery {
    let day =
        FeedChange { feed: FeedName::parse("messages").unwrap(), day: Day::parse("2026-01-31").unwrap(), revision: 2 };
    let occurred_at = from_micros(number);
    let log_entry = LogEntry { position: at(number), occurred_at, change: Change::FeedDayRevised(day) };
    WebhookDelivery { subject: DeliverySubject::Event(log_entry), ..delivery(number, 1) }
}

fn test_delivery(number: i64) -> WebhookDelivery {
    WebhookDelivery { subject: DeliverySubject::Test, ..delivery(number, 1) }
}

/// The webhook 1 after a change to these types.
fn with_types(types: &[EventType]) -> Webhook {
    let types: EventTypes = types.iter().copied().collect();
    webhook(1).changed(WebhookChange { types: Some(types), ..WebhookChange::default() }, None)
}

async fn stored_ids(stores: &TestStores) -> Vec<WebhookDeliveryId> {
    let all = DeliveryQuery { status: None, before: None, limit: 10 };
    let deliveries = stores.webhooks.deliveries(&acme(), &WebhookId::from_bits(1), &all).await.unwrap();
    deliveries.into_iter().map(|delivery| delivery.id).collect()
}

async fn a_change_removes_what_is_pending_of_types_that_the_webhook_no_longer_names(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1), delivery(2, 1), feed_delivery(3), delivery(4, 2), test_delivery(5)])
        .await;
    let delivered = attempted(acme(), &delivery(1, 1), succeeded(delivery(1, 1)));
    stores.webhooks.record(TERM, &[delivered]).await.unwrap();
    let narrowed = with_types(&[EventType::FeedDayRevised]);
    assert!(stores.webhooks.update(&acme(), &narrowed, entry(&narrowed)).await.unwrap());
    assert_eq!(stored_ids(&stores).await, ids([5, 3, 1]), "what was delivered stays listed");
    assert_eq!(due(&stores, 10).await, ids([5, 3]));
    assert_eq!(stores.webhooks.pending(&acme(), &WebhookId::from_bits(1)).await.unwrap(), 2);
}

async fn a_change_of_other_members_removes_nothing(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1), feed_delivery(2), test_delivery(3)]).await;
    let changed = webhook(1).changed(WebhookChange::default(), None);
    assert!(stores.webhooks.update(&acme(), &changed, entry(&changed)).await.unwrap());
    assert_eq!(stored_ids(&stores).await, ids([3, 2, 1]));
}

async fn a_refused_change_removes_nothing(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1)]).await;
    let outdated = Webhook { revision: 1, ..with_types(&[EventType::FeedDayRevised]) };
    assert!(!stores.webhooks.update(&acme(), &outdated, entry(&outdated)).await.unwrap());
    assert_eq!(due(&stores, 10).await, ids([1]));
}

async fn events_that_were_chosen_before_a_change_are_not_queued(stores: TestStores) {
    insert(&stores, &acme(), &webhook(1)).await;
    let narrowed = with_types(&[EventType::FeedDayRevised]);
    assert!(stores.webhooks.update(&acme(), &narrowed, entry(&narrowed)).await.unwrap());
    let chosen_before = enqueue(vec![delivery(1, 1)]);
    assert!(!stores.webhooks.enqueue(TERM, &acme(), &chosen_before).await.unwrap());
    assert_eq!(due(&stores, 10).await, []);
    let mut chosen_after = enqueue(vec![feed_delivery(1)]);
    chosen_after.expected_revision = narrowed.revision;
    assert!(stores.webhooks.enqueue(TERM, &acme(), &chosen_after).await.unwrap());
    assert_eq!(due(&stores, 10).await, ids([1]));
}

async fn a_delivery_is_not_queued_again_at_a_webhook_that_was_changed_meanwhile(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1)]).await;
    let delivered = succeeded(delivery(1, 1));
    stores.webhooks.record(TERM, &[attempted(acme(), &delivery(1, 1), delivered.clone())]).await.unwrap();
    let narrowed = with_types(&[EventType::FeedDayRevised]);
    assert!(stores.webhooks.update(&acme(), &narrowed, entry(&narrowed)).await.unwrap());
    let requeued = delivered.requeued(from_micros(9));
    assert!(!stores.webhooks.put_delivery(&acme(), &requeued, webhook(1).revision).await.unwrap());
    assert_eq!(due(&stores, 10).await, []);
}
