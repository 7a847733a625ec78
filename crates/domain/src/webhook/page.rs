//! Pages of webhooks, oldest first, and of deliveries, newest first.

use super::{Webhook, WebhookDelivery, WebhookDeliveryId, WebhookId};
use crate::vocabulary::{Cursor, PageSize};

/// The position of a page of webhooks.
pub type WebhookCursor = Cursor<WebhookId>;

/// Consecutive webhooks, oldest first, with cursors to the neighbouring pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookPage {
    /// The webhooks.
    pub webhooks: Vec<Webhook>,
    /// The cursor of the previous page; `None` if no webhook precedes.
    pub previous: Option<WebhookCursor>,
    /// The cursor of the next page; `None` if no webhook follows.
    pub next: Option<WebhookCursor>,
}

impl WebhookPage {
    /// The page at `cursor` of all webhooks of a tenant, which are few, ordered by identifier.
    #[must_use]
    pub fn of(webhooks: Vec<Webhook>, cursor: Option<&WebhookCursor>, size: PageSize) -> Self {
        let size = usize::from(size.get());
        let index_of = |boundary: &WebhookId| webhooks.iter().filter(|webhook| webhook.id < *boundary).count();
        let (start, end) = match cursor {
            None => (0, size),
            Some(WebhookCursor::From(boundary)) => (index_of(boundary), index_of(boundary) + size),
            Some(WebhookCursor::Before(boundary)) => (index_of(boundary).saturating_sub(size), index_of(boundary)),
        };
        let id_at = |index: usize| webhooks.get(index).map(|webhook| webhook.id.clone());
        let first = webhooks.get(start).map(|webhook| webhook.id.clone());
        let boundary = match cursor {
            Some(WebhookCursor::From(boundary)) if first.is_none() => Some(boundary.clone()),
            _ => first,
        };
        let previous = boundary.filter(|_| start > 0).map(WebhookCursor::Before);
        let next = id_at(end).map(WebhookCursor::From);
        let page = webhooks.into_iter().skip(start).take(end - start);
        Self { webhooks: page.collect(), previous, next }
    }
}

/// Deliveries of a webhook, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryPage {
    /// The deliveries.
    pub deliveries: Vec<WebhookDelivery>,
    /// The delivery before which the next page begins; `None` if no delivery follows.
    pub next: Option<WebhookDeliveryId>,
}
