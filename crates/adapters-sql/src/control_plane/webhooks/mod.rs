//! Webhooks and their deliveries in SQL.
//!
//! Each write of the dispatcher first writes its term into the row of the webhook, unless a newer term is there. This also
//! locks the row until the transaction ends, so the writes at one webhook run one after another.

mod attempts;
mod changes;
mod delivery_rows;
mod dispatch;
mod due;
mod reads;
mod secrets;
mod webhook_rows;

pub use secrets::{SqlWebhookSecrets, StoredWebhookSecrets};

use std::collections::BTreeSet;

use crate::Database;
use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    event::LogPosition,
    lease::LeaseTerm,
    time::Timestamp,
    webhook::{
        ActiveWebhook, AttemptedDelivery, Backlog, DeliveryQuery, Enqueue, Webhook, WebhookDelivery, WebhookDeliveryId,
        WebhookId, WebhookInsertOutcome, WebhookStore,
    },
};

/// Stores webhooks and their deliveries in SQL.
#[derive(Clone, Debug)]
pub struct SqlWebhooks(Database);

impl SqlWebhooks {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl WebhookStore for SqlWebhooks {
    #[tracing::instrument(level = "debug", name = "sql.webhooks.insert", skip_all, fields(%tenant))]
    async fn insert(
        &self,
        tenant: &TenantId,
        webhook: &Webhook,
        max: u16,
        entry: AuditEntry,
    ) -> Result<WebhookInsertOutcome, StoreError> {
        self.0.write(changes::insert(&self.0, tenant, webhook, max, entry)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.list", skip_all, fields(%tenant))]
    async fn list(&self, tenant: &TenantId) -> Result<Vec<Webhook>, StoreError> {
        reads::list(&self.0, tenant).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.find", skip_all, fields(%tenant))]
    async fn find(&self, tenant: &TenantId, id: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        reads::find(&self.0, tenant, id).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.update", skip_all, fields(%tenant))]
    async fn update(&self, tenant: &TenantId, webhook: &Webhook, entry: AuditEntry) -> Result<bool, StoreError> {
        self.0.write(changes::update(&self.0, tenant, webhook, entry)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.remove", skip_all, fields(%tenant))]
    async fn remove(&self, tenant: &TenantId, id: &WebhookId, entry: AuditEntry) -> Result<bool, StoreError> {
        self.0.write(changes::remove(&self.0, tenant, id, entry)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.replay", skip_all, fields(%tenant))]
    async fn replay(
        &self,
        tenant: &TenantId,
        id: &WebhookId,
        after: LogPosition,
        entry: AuditEntry,
    ) -> Result<bool, StoreError> {
        self.0.write(changes::replay(&self.0, tenant, id, after, entry)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.deliveries", skip_all, fields(%tenant))]
    async fn deliveries(
        &self,
        tenant: &TenantId,
        webhook: &WebhookId,
        query: &DeliveryQuery,
    ) -> Result<Vec<WebhookDelivery>, StoreError> {
        reads::deliveries(&self.0, tenant, webhook, query).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.find_delivery", skip_all, fields(%tenant))]
    async fn find_delivery(
        &self,
        tenant: &TenantId,
        webhook: &WebhookId,
        id: &WebhookDeliveryId,
    ) -> Result<Option<WebhookDelivery>, StoreError> {
        reads::find_delivery(&self.0, tenant, webhook, id).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.put_delivery", skip_all, fields(%tenant))]
    async fn put_delivery(
        &self,
        tenant: &TenantId,
        delivery: &WebhookDelivery,
        expected_revision: i64,
    ) -> Result<bool, StoreError> {
        self.0.write(changes::put_delivery(&self.0, tenant, delivery, expected_revision)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.claim", skip_all)]
    async fn claim(&self, term: LeaseTerm) -> Result<(), StoreError> {
        self.0.write(dispatch::claim(&self.0, term)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.active", skip_all)]
    async fn active(&self) -> Result<Vec<ActiveWebhook>, StoreError> {
        reads::active(&self.0).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.enqueue", skip_all, fields(%tenant))]
    async fn enqueue(&self, term: LeaseTerm, tenant: &TenantId, enqueue: &Enqueue) -> Result<bool, StoreError> {
        self.0.write(dispatch::enqueue(&self.0, term, tenant, enqueue)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.pending", skip_all, fields(%tenant))]
    async fn pending(&self, tenant: &TenantId, webhook: &WebhookId) -> Result<u64, StoreError> {
        reads::pending(&self.0, tenant, webhook).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.due_webhooks", skip_all)]
    async fn due_webhooks(&self, now: Timestamp) -> Result<Vec<(TenantId, WebhookId)>, StoreError> {
        reads::due_webhooks(&self.0, now).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.due", skip_all, fields(%tenant))]
    async fn due(
        &self,
        tenant: &TenantId,
        webhook: &WebhookId,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<WebhookDelivery>, StoreError> {
        due::due(&self.0, tenant, webhook, now, limit).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.record", skip_all)]
    async fn record(
        &self,
        term: LeaseTerm,
        attempted: &[AttemptedDelivery],
    ) -> Result<BTreeSet<WebhookDeliveryId>, StoreError> {
        self.0.write(dispatch::record(&self.0, term, attempted)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.switch_off", skip_all, fields(%tenant))]
    async fn switch_off(
        &self,
        term: LeaseTerm,
        tenant: &TenantId,
        webhook: &Webhook,
        entry: AuditEntry,
    ) -> Result<bool, StoreError> {
        self.0.write(dispatch::switch_off(&self.0, term, tenant, webhook, entry)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.drop_delivered", skip_all)]
    async fn drop_delivered(&self, cutoff: Timestamp, limit: u16) -> Result<bool, StoreError> {
        self.0.write(dispatch::drop_delivered(&self.0, cutoff, limit)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.webhooks.backlog", skip_all)]
    async fn backlog(&self) -> Result<Backlog, StoreError> {
        reads::backlog(&self.0).await
    }
}
