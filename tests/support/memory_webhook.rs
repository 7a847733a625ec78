//! A webhook with its deliveries in memory.

use std::collections::BTreeMap;

use parlance_domain::{
    lease::LeaseTerm,
    time::Timestamp,
    webhook::{PendingDelivery, Webhook, WebhookDelivery, WebhookDeliveryId, WebhookDeliveryState},
};

/// A webhook with its deliveries and the newest term that has written to it.
pub(crate) struct StoredWebhook {
    pub(crate) webhook: Webhook,
    pub(crate) term: LeaseTerm,
    pub(crate) deliveries: BTreeMap<WebhookDeliveryId, WebhookDelivery>,
}

/// The state of a delivery that is not delivered.
pub(crate) fn pending(delivery: &WebhookDelivery) -> Option<PendingDelivery> {
    if let WebhookDeliveryState::Pending(pending) = delivery.state { Some(pending) } else { None }
}

/// The position of a delivery in the log.
pub(crate) fn order(delivery: &WebhookDelivery) -> (i64, u32) {
    let position = delivery.subject.position();
    (position.sequence, position.index)
}

impl StoredWebhook {
    pub(crate) fn pending(&self) -> impl Iterator<Item = &WebhookDelivery> {
        self.deliveries.values().filter(|delivery| pending(delivery).is_some())
    }

    pub(crate) fn is_due(&self, delivery: &WebhookDelivery, now: Timestamp) -> bool {
        let before = |other: &&WebhookDelivery| {
            other.subject.order_key() == delivery.subject.order_key() && order(other) < order(delivery)
        };
        pending(delivery).is_some_and(|pending| pending.next_attempt <= now) && !self.pending().any(|it| before(&it))
    }

    /// Stores a webhook without its cursor, if the stored revision is the one before. What is pending of other types than its
    /// own is removed.
    pub(crate) fn replace(&mut self, webhook: &Webhook) -> bool {
        let is_next = self.webhook.revision + 1 == webhook.revision;
        if is_next {
            self.webhook = Webhook { cursor: self.webhook.cursor, ..webhook.clone() };
            self.deliveries.retain(|_, it| pending(it).is_none() || it.subject.is_named_by(webhook.types));
        }
        is_next
    }
}
