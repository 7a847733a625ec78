//! Contract of the store of webhooks: their deliveries.

use parlance_domain::{
    lease::LeaseTerm,
    time::Timestamp,
    webhook::{
        AttemptFailure, AttemptedDelivery, DeliveryQuery, DeliverySubject, Enqueue, Jitter, SwitchOffReason, Webhook,
        WebhookChange, WebhookDelivery, WebhookDeliveryId, WebhookDeliveryStatus, WebhookId,
    },
};
use support::{
    fixtures::{acme, from_micros, globex},
    stores::TestStores,
    webhooks::{
        TERM, at, attempt, attempted, delivery, due, enqueue, entry, failed, ids, insert, succeeded, webhook,
        with_deliveries,
    },
};

contract![
    entries_become_deliveries_and_move_the_cursor_together,
    a_moved_cursor_is_not_moved_again,
    an_inactive_webhook_gets_no_delivery,
    only_the_first_delivery_of_a_conversation_is_due,
    other_conversations_do_not_wait,
    a_long_conversation_holds_up_no_other,
    what_is_due_is_limited_and_earlier_positions_are_first,
    a_delivery_is_due_at_its_time,
    an_attempt_is_recorded_once_delivered,
    attempts_at_several_webhooks_are_recorded_together,
    a_newer_term_at_one_webhook_leaves_the_attempts_at_another,
    deliveries_are_listed_newest_first_by_status,
    a_delivery_is_queued_again,
    a_delivery_that_is_queued_again_during_an_attempt_stays_due_with_the_attempt,
    a_replay_moves_the_cursor_and_drops_what_comes_again,
    switching_on_makes_pending_deliveries_due,
    old_delivered_deliveries_are_dropped,
    the_backlog_counts_active_webhooks,
];

async fn stored(stores: &TestStores, number: u128) -> Option<Webhook> {
    stores.webhooks.find(&acme(), &WebhookId::from_bits(number)).await.unwrap()
}

async fn find(stores: &TestStores, number: u128) -> WebhookDelivery {
    let id = WebhookDeliveryId::from_bits(number);
    stores.webhooks.find_delivery(&acme(), &WebhookId::from_bits(1), &id).await.unwrap().unwrap()
}

/// Records an attempt that began with the delivery as it is stored.
async fn record(stores: &TestStores, delivery: &WebhookDelivery) -> bool {
    let id = &delivery.id;
    let begun = stores.webhooks.find_delivery(&acme(), &WebhookId::from_bits(1), id).await.unwrap().unwrap();
    record_begun(stores, &begun, delivery).await
}

/// Records an attempt that began with the delivery `begun`.
async fn record_begun(stores: &TestStores, begun: &WebhookDelivery, delivery: &WebhookDelivery) -> bool {
    let attempted = attempted(acme(), begun, delivery.clone());
    let recorded = stores.webhooks.record(TERM, &[attempted]).await.unwrap();
    recorded.into_iter().eq([delivery.id.clone()])
}

async fn list(stores: &TestStores, query: DeliveryQuery) -> Vec<WebhookDeliveryId> {
    let deliveries = stores.webhooks.deliveries(&acme(), &WebhookId::from_bits(1), &query).await.unwrap();
    deliveries.into_iter().map(|delivery| delivery.id).collect()
}

async fn entries_become_deliveries_and_move_the_cursor_together(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1), delivery(2, 2)]).await;
    assert_eq!(stored(&stores, 1).await.unwrap().cursor, at(2));
    assert_eq!(find(&stores, 2).await, delivery(2, 2));
    assert_eq!(stores.webhooks.pending(&acme(), &WebhookId::from_bits(1)).await.unwrap(), 2);
    assert_eq!(stores.webhooks.due_webhooks(from_micros(1)).await.unwrap(), [(acme(), WebhookId::from_bits(1))]);
    assert_eq!(stores.webhooks.due_webhooks(from_micros(0)).await.unwrap(), []);
}

async fn a_moved_cursor_is_not_moved_again(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1)]).await;
    assert!(!stores.webhooks.enqueue(TERM, &acme(), &enqueue(vec![delivery(2, 1)])).await.unwrap());
    assert_eq!(stored(&stores, 1).await.unwrap().cursor, at(1));
    assert_eq!(stores.webhooks.pending(&acme(), &WebhookId::from_bits(1)).await.unwrap(), 1);
}

async fn an_inactive_webhook_gets_no_delivery(stores: TestStores) {
    insert(&stores, &acme(), &Webhook { active: false, ..webhook(1) }).await;
    assert!(!stores.webhooks.enqueue(TERM, &acme(), &enqueue(vec![delivery(1, 1)])).await.unwrap());
    assert_eq!(stores.webhooks.active().await.unwrap(), []);
}

async fn only_the_first_delivery_of_a_conversation_is_due(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1), delivery(2, 1), delivery(3, 1)]).await;
    assert_eq!(due(&stores, 10).await, ids([1]));
    assert!(record(&stores, &succeeded(delivery(1, 1))).await);
    assert_eq!(due(&stores, 10).await, ids([2]));
    assert!(record(&stores, &failed(delivery(2, 1))).await);
    assert_eq!(due(&stores, 10).await, [], "the third waits for the second");
    assert_eq!(due(&stores, 60_000_000).await, ids([2]));
}

async fn other_conversations_do_not_wait(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1), delivery(2, 2), delivery(3, 1), delivery(4, 3)]).await;
    assert!(record(&stores, &failed(delivery(1, 1))).await);
    assert_eq!(due(&stores, 10).await, ids([2, 4]));
}

async fn a_long_conversation_holds_up_no_other(stores: TestStores) {
    let of_one = (1..=600).map(|number| delivery(number, 1));
    with_deliveries(&stores, of_one.chain([delivery(601, 2), delivery(602, 2), delivery(603, 3)]).collect()).await;
    assert_eq!(due(&stores, 1_000).await, ids([1, 601, 603]));
    assert!(record(&stores, &failed(delivery(1, 1))).await);
    assert_eq!(due(&stores, 1_000).await, ids([601, 603]));
}

async fn what_is_due_is_limited_and_earlier_positions_are_first(stores: TestStores) {
    with_deliveries(&stores, (1..=300).map(|number| delivery(number, number.unsigned_abs().into())).collect()).await;
    let found = stores.webhooks.due(&acme(), &WebhookId::from_bits(1), from_micros(1_000), 20).await.unwrap();
    let found: Vec<_> = found.into_iter().map(|delivery| delivery.id).collect();
    assert_eq!(found, (1..=20).map(WebhookDeliveryId::from_bits).collect::<Vec<_>>());
}

async fn a_delivery_is_due_at_its_time(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(5, 1)]).await;
    assert_eq!(due(&stores, 4).await, []);
    assert_eq!(due(&stores, 5).await, ids([5]));
}

async fn an_attempt_is_recorded_once_delivered(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1)]).await;
    let after_failure = failed(delivery(1, 1)).after_attempt(attempt(Err(AttemptFailure::Tls)), Jitter::default());
    assert!(record(&stores, &after_failure).await);
    assert_eq!(find(&stores, 1).await, after_failure);
    let delivered = succeeded(after_failure.clone());
    assert!(record(&stores, &delivered).await);
    assert_eq!(find(&stores, 1).await, delivered);
    assert!(!record(&stores, &after_failure).await);
    assert_eq!(find(&stores, 1).await, delivered);
}

/// Stores the webhooks 1 and 2 with a delivery each, and returns the deliveries after a success.
async fn delivered_to_two_webhooks(stores: &TestStores) -> [AttemptedDelivery; 2] {
    with_deliveries(stores, vec![delivery(1, 1)]).await;
    insert(stores, &globex(), &webhook(2)).await;
    let other = WebhookDelivery { webhook: WebhookId::from_bits(2), ..delivery(2, 1) };
    let enqueue = Enqueue { webhook: WebhookId::from_bits(2), ..enqueue(vec![other.clone()]) };
    assert!(stores.webhooks.enqueue(TERM, &globex(), &enqueue).await.unwrap());
    let first = delivery(1, 1);
    [attempted(acme(), &first, succeeded(first.clone())), attempted(globex(), &other, succeeded(other.clone()))]
}

async fn attempts_at_several_webhooks_are_recorded_together(stores: TestStores) {
    let delivered = delivered_to_two_webhooks(&stores).await;
    let recorded = stores.webhooks.record(TERM, &delivered).await.unwrap();
    assert!(recorded.into_iter().eq(ids([1, 2])));
    assert_eq!(stores.webhooks.due_webhooks(Timestamp::MAX).await.unwrap(), []);
    assert_eq!(find(&stores, 1).await, delivered[0].delivery);
}

async fn a_newer_term_at_one_webhook_leaves_the_attempts_at_another(stores: TestStores) {
    let delivered = delivered_to_two_webhooks(&stores).await;
    let off = webhook(2).off(SwitchOffReason::Failing);
    assert!(stores.webhooks.switch_off(LeaseTerm(TERM.0 + 1), &globex(), &off, entry(&off)).await.unwrap());
    let recorded = stores.webhooks.record(TERM, &delivered).await.unwrap();
    assert!(recorded.into_iter().eq(ids([1])));
}

async fn deliveries_are_listed_newest_first_by_status(stores: TestStores) {
    with_deliveries(&stores, (1..=4).map(|number| delivery(number, 9)).collect()).await;
    record(&stores, &succeeded(delivery(1, 9))).await;
    record(&stores, &failed(delivery(2, 9))).await;
    let all = DeliveryQuery { status: None, before: None, limit: 3 };
    assert_eq!(list(&stores, all.clone()).await, ids([4, 3, 2]));
    assert_eq!(list(&stores, DeliveryQuery { before: Some(WebhookDeliveryId::from_bits(2)), ..all }).await, ids([1]));
    for (status, expected) in [
        (WebhookDeliveryStatus::Delivered, ids([1])),
        (WebhookDeliveryStatus::Failed, ids([2])),
        (WebhookDeliveryStatus::Pending, ids([4, 3])),
    ] {
        let query = DeliveryQuery { status: Some(status), before: None, limit: 10 };
        assert_eq!(list(&stores, query).await, expected, "{status:?}");
    }
}

async fn a_delivery_is_queued_again(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1)]).await;
    record(&stores, &succeeded(delivery(1, 1))).await;
    let requeued = find(&stores, 1).await.requeued(from_micros(20));
    assert!(stores.webhooks.put_delivery(&acme(), &requeued, 1).await.unwrap());
    assert_eq!(find(&stores, 1).await, requeued);
    assert_eq!((due(&stores, 19).await, due(&stores, 20).await), (vec![], ids([1])));
    let test_id = WebhookDeliveryId::from_bits(2);
    let test = WebhookDelivery::new(test_id, WebhookId::from_bits(1), DeliverySubject::Test, from_micros(1));
    assert!(stores.webhooks.put_delivery(&acme(), &test, 1).await.unwrap());
    assert_eq!(find(&stores, 2).await, test);
    assert_eq!(due(&stores, 20).await, ids([2, 1]));
}

async fn a_delivery_that_is_queued_again_during_an_attempt_stays_due_with_the_attempt(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1), delivery(2, 2)]).await;
    for (begun, after) in [(delivery(1, 1), succeeded(delivery(1, 1))), (delivery(2, 2), failed(delivery(2, 2)))] {
        let requeued = begun.clone().requeued(from_micros(20));
        assert!(stores.webhooks.put_delivery(&acme(), &requeued, 1).await.unwrap());
        assert!(!record_begun(&stores, &begun, &after).await);
        let found = stores.webhooks.find_delivery(&acme(), &WebhookId::from_bits(1), &begun.id).await.unwrap().unwrap();
        assert_eq!(found, WebhookDelivery { attempts: after.attempts, ..requeued });
    }
    assert_eq!((due(&stores, 19).await, due(&stores, 20).await), (vec![], ids([1, 2])));
}

async fn a_replay_moves_the_cursor_and_drops_what_comes_again(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1), delivery(2, 2), delivery(3, 3), delivery(4, 4)]).await;
    record(&stores, &succeeded(delivery(3, 3))).await;
    let (id, entry) = (WebhookId::from_bits(1), entry(&webhook(1)));
    assert!(stores.webhooks.replay(&acme(), &id, at(1), entry).await.unwrap());
    assert_eq!(stored(&stores, 1).await.unwrap().cursor, at(1));
    let all = DeliveryQuery { status: None, before: None, limit: 10 };
    assert_eq!(list(&stores, all).await, ids([3, 1]));
}

async fn switching_on_makes_pending_deliveries_due(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1), delivery(2, 2)]).await;
    record(&stores, &failed(delivery(1, 1))).await;
    let switched = |active, webhook: Webhook| {
        webhook.changed(WebhookChange { active: Some(active), ..WebhookChange::default() }, None)
    };
    let off = switched(false, webhook(1));
    assert!(stores.webhooks.update(&acme(), &off, entry(&off)).await.unwrap());
    assert_eq!(stores.webhooks.due_webhooks(Timestamp::MAX).await.unwrap(), []);
    let on = switched(true, off);
    assert!(stores.webhooks.update(&acme(), &on, entry(&on)).await.unwrap());
    assert_eq!(due(&stores, 9).await, ids([1, 2]));
    assert_eq!(find(&stores, 1).await.status(), WebhookDeliveryStatus::Pending);
}

async fn old_delivered_deliveries_are_dropped(stores: TestStores) {
    with_deliveries(&stores, vec![delivery(1, 1), delivery(2, 2), delivery(3, 3)]).await;
    for number in [1, 2] {
        record(&stores, &succeeded(delivery(number, number.try_into().unwrap()))).await;
    }
    assert!(!stores.webhooks.drop_delivered(from_micros(1_000_000), 10).await.unwrap());
    assert!(stores.webhooks.drop_delivered(from_micros(9_000_000), 1).await.unwrap());
    assert!(stores.webhooks.drop_delivered(from_micros(9_000_000), 1).await.unwrap());
    assert!(!stores.webhooks.drop_delivered(from_micros(9_000_000), 1).await.unwrap());
    let all = DeliveryQuery { status: None, before: None, limit: 10 };
    assert_eq!(list(&stores, all).await, ids([3]));
}

async fn the_backlog_counts_active_webhooks(stores: TestStores) {
    assert_eq!(stores.webhooks.backlog().await.unwrap().pending, 0);
    with_deliveries(&stores, vec![delivery(1, 1), delivery(2, 2), delivery(3, 3)]).await;
    record(&stores, &succeeded(delivery(1, 1))).await;
    let backlog = stores.webhooks.backlog().await.unwrap();
    assert_eq!((backlog.pending, backlog.oldest), (2, Some(from_micros(2))));
}
