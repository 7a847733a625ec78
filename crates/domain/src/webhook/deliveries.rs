//! The use cases of deliveries: tests, replays, and what was sent.

use super::{
    DeliveryPage, DeliveryQuery, DeliverySubject, Webhook, WebhookDelivery, WebhookDeliveryId, WebhookDeliveryStatus,
    WebhookError, WebhookId, Webhooks,
    webhooks::{ATTEMPTS, contended},
};
use crate::{
    access::{AuthorizedCaller, ReadWebhooks, WriteWebhooks},
    audit::AuditEntry,
    event::PollStart,
    limits::WEBHOOK_DELIVERY_PAGE,
};

impl Webhooks {
    /// Queues a test for an active webhook.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], [`WebhookError::Denied`], [`WebhookError::NotActive`] or [`WebhookError::Store`].
    pub async fn test(
        &self,
        caller: &AuthorizedCaller<WriteWebhooks>,
        id: &WebhookId,
    ) -> Result<WebhookDelivery, WebhookError> {
        let now = self.clock.now();
        let delivery_id = WebhookDeliveryId::from_bits(self.ids.next(now));
        self.put(caller, WebhookDelivery::new(delivery_id, id.clone(), DeliverySubject::Test, now)).await
    }

    /// Sends the events after a position, again if they were sent before. Each becomes a new delivery.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`] or [`WebhookError::Denied`]; [`WebhookError::CursorExpired`] or
    /// [`WebhookError::CursorUnknown`] if the log has not everything after the position; [`WebhookError::Store`].
    pub async fn replay(
        &self,
        caller: &AuthorizedCaller<WriteWebhooks>,
        id: &WebhookId,
        start: PollStart,
    ) -> Result<Webhook, WebhookError> {
        let tenant = caller.tenant();
        let webhook = self.readable(caller, id).await?;
        let cursor = match start {
            PollStart::Oldest => self.log.oldest(tenant).await?,
            PollStart::Latest => self.log.newest(tenant).await?,
            PollStart::After(position) => position,
        };
        self.check_cursor(tenant, cursor).await?;
        let entry = AuditEntry::webhook_replayed(id, cursor, caller.credential(), self.clock.now());
        let exists = self.store.replay(tenant, id, cursor, entry).await?;
        if exists { Ok(Webhook { cursor, ..webhook }) } else { Err(WebhookError::NotFound) }
    }

    /// A page of deliveries, newest first.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`] or [`WebhookError::Store`].
    pub async fn deliveries(
        &self,
        caller: &AuthorizedCaller<ReadWebhooks>,
        id: &WebhookId,
        status: Option<WebhookDeliveryStatus>,
        before: Option<WebhookDeliveryId>,
    ) -> Result<DeliveryPage, WebhookError> {
        let tenant = caller.tenant();
        self.existing(tenant, id).await?;
        let query = DeliveryQuery { status, before, limit: WEBHOOK_DELIVERY_PAGE + 1 };
        let mut deliveries = self.store.deliveries(tenant, id, &query).await?;
        let has_more = deliveries.len() > WEBHOOK_DELIVERY_PAGE;
        deliveries.truncate(WEBHOOK_DELIVERY_PAGE);
        let next = deliveries.last().filter(|_| has_more).map(|delivery| delivery.id.clone());
        Ok(DeliveryPage { deliveries, next })
    }

    /// Queues a delivery again, to be sent at once, with the same identifier.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], [`WebhookError::DeliveryNotFound`], [`WebhookError::Denied`],
    /// [`WebhookError::NotActive`], [`WebhookError::TypeNotNamed`] or [`WebhookError::Store`].
    pub async fn redeliver(
        &self,
        caller: &AuthorizedCaller<WriteWebhooks>,
        webhook: &WebhookId,
        id: &WebhookDeliveryId,
    ) -> Result<WebhookDelivery, WebhookError> {
        let tenant = caller.tenant();
        self.existing(tenant, webhook).await?;
        let delivery = self.store.find_delivery(tenant, webhook, id).await?.ok_or(WebhookError::DeliveryNotFound)?;
        self.put(caller, delivery.requeued(self.clock.now())).await
    }

    /// Stores a delivery for a webhook that is active, names its type, and names only types that the caller may read. A change
    /// of the webhook meanwhile repeats the checks.
    async fn put(
        &self,
        caller: &AuthorizedCaller<WriteWebhooks>,
        delivery: WebhookDelivery,
    ) -> Result<WebhookDelivery, WebhookError> {
        for _ in 0..ATTEMPTS {
            let webhook = self.readable(caller, &delivery.webhook).await?;
            if !webhook.active {
                return Err(WebhookError::NotActive);
            }
            if !delivery.subject.is_named_by(webhook.types) {
                return Err(WebhookError::TypeNotNamed);
            }
            if self.store.put_delivery(caller.tenant(), &delivery, webhook.revision).await? {
                return Ok(delivery);
            }
        }
        Err(contended())
    }
}
