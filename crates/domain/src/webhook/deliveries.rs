//! The use cases of deliveries: tests, replays, and what was sent.

use super::{
    DeliveryPage, DeliveryQuery, DeliverySubject, Webhook, WebhookDelivery, WebhookDeliveryId, WebhookDeliveryStatus,
    WebhookError, WebhookId, Webhooks,
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
    /// [`WebhookError::NotFound`], [`WebhookError::NotActive`] or [`WebhookError::Store`].
    pub async fn test(
        &self,
        caller: &AuthorizedCaller<WriteWebhooks>,
        id: &WebhookId,
    ) -> Result<WebhookDelivery, WebhookError> {
        let tenant = caller.tenant();
        ensure_active(&self.existing(tenant, id).await?)?;
        let now = self.clock.now();
        let delivery_id = WebhookDeliveryId::from_bits(self.ids.next(now));
        let delivery = WebhookDelivery::new(delivery_id, id.clone(), DeliverySubject::Test, now);
        let exists = self.store.put_delivery(tenant, &delivery).await?;
        if exists { Ok(delivery) } else { Err(WebhookError::NotFound) }
    }

    /// Sends the events after a position, again if they were sent before. Each becomes a new delivery.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`]; [`WebhookError::CursorExpired`] or [`WebhookError::CursorUnknown`] if the log has not
    /// everything after the position; [`WebhookError::Store`].
    pub async fn replay(
        &self,
        caller: &AuthorizedCaller<WriteWebhooks>,
        id: &WebhookId,
        start: PollStart,
    ) -> Result<Webhook, WebhookError> {
        let tenant = caller.tenant();
        let webhook = self.existing(tenant, id).await?;
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
    /// [`WebhookError::NotFound`], [`WebhookError::DeliveryNotFound`], [`WebhookError::NotActive`] or
    /// [`WebhookError::Store`].
    pub async fn redeliver(
        &self,
        caller: &AuthorizedCaller<WriteWebhooks>,
        webhook: &WebhookId,
        id: &WebhookDeliveryId,
    ) -> Result<WebhookDelivery, WebhookError> {
        let tenant = caller.tenant();
        ensure_active(&self.existing(tenant, webhook).await?)?;
        let delivery = self.store.find_delivery(tenant, webhook, id).await?.ok_or(WebhookError::DeliveryNotFound)?;
        let requeued = delivery.requeued(self.clock.now());
        let exists = self.store.put_delivery(tenant, &requeued).await?;
        if exists { Ok(requeued) } else { Err(WebhookError::NotFound) }
    }
}

fn ensure_active(webhook: &Webhook) -> Result<(), WebhookError> {
    if webhook.active { Ok(()) } else { Err(WebhookError::NotActive) }
}
