//! The port that stores webhooks and their deliveries.

use std::collections::BTreeSet;

use async_trait::async_trait;

use super::{AttemptedDelivery, Webhook, WebhookDelivery, WebhookDeliveryId, WebhookDeliveryStatus, WebhookId};
use crate::{
    access::TenantId, audit::AuditEntry, error::StoreError, event::LogPosition, lease::LeaseTerm, time::Timestamp,
};

/// The outcome of storing a new webhook.
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookInsertOutcome {
    /// The webhook is stored.
    Inserted,
    /// The tenant has the maximum number of webhooks. Nothing is stored.
    Full,
}

/// Which deliveries of a webhook are listed, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryQuery {
    /// The status; `None` for every status.
    pub status: Option<WebhookDeliveryStatus>,
    /// Only deliveries before this one.
    pub before: Option<WebhookDeliveryId>,
    /// The maximum number.
    pub limit: usize,
}

/// An active webhook, for the dispatcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveWebhook {
    /// The tenant.
    pub tenant: TenantId,
    /// The webhook.
    pub webhook: Webhook,
    /// Whether the credential that created or changed it last was revoked.
    pub is_credential_revoked: bool,
}

/// Entries of the change log that become deliveries of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enqueue {
    /// The webhook.
    pub webhook: WebhookId,
    /// The revision of the webhook whose types chose the entries.
    pub expected_revision: i64,
    /// The cursor from which the entries were read.
    pub expected_cursor: LogPosition,
    /// The cursor after the last entry that was read.
    pub next_cursor: LogPosition,
    /// A delivery for each entry of a type of the webhook.
    pub deliveries: Vec<WebhookDelivery>,
}

/// What is not delivered yet at active webhooks, for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backlog {
    /// The number of deliveries.
    pub pending: u64,
    /// When the oldest of them was added.
    pub oldest: Option<Timestamp>,
}

/// Stores the webhooks of tenants and their deliveries.
///
/// Each change by a caller is stored with its audit entry, or not at all. A method with a [`LeaseTerm`] is for the
/// dispatcher. It MUST refuse a write where a newer term has written to the webhook or [claimed](Self::claim) it, so that a
/// dispatcher that lost its lease without noticing changes nothing.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait WebhookStore: Send + Sync {
    /// Stores a new webhook, unless the tenant has `max` already. Of concurrent calls, no more MUST succeed than fit.
    async fn insert(
        &self,
        tenant: &TenantId,
        webhook: &Webhook,
        max: u16,
        entry: AuditEntry,
    ) -> Result<WebhookInsertOutcome, StoreError>;

    /// The webhooks of a tenant, ordered by identifier.
    async fn list(&self, tenant: &TenantId) -> Result<Vec<Webhook>, StoreError>;

    /// The webhook with this identifier.
    async fn find(&self, tenant: &TenantId, id: &WebhookId) -> Result<Option<Webhook>, StoreError>;

    /// Replaces a webhook without its cursor, if the stored revision is the one before that of `webhook`, and returns
    /// whether it is. Pending deliveries of types that `webhook` does not name are removed. If the stored webhook is not
    /// active and `webhook` is, the others become untried and due at once, at the time of the entry.
    async fn update(&self, tenant: &TenantId, webhook: &Webhook, entry: AuditEntry) -> Result<bool, StoreError>;

    /// Removes a webhook with its deliveries, and returns whether it existed.
    async fn remove(&self, tenant: &TenantId, id: &WebhookId, entry: AuditEntry) -> Result<bool, StoreError>;

    /// Sets the cursor, and removes the pending deliveries of events after it, which become deliveries again. Returns
    /// whether the webhook exists.
    async fn replay(
        &self,
        tenant: &TenantId,
        id: &WebhookId,
        after: LogPosition,
        entry: AuditEntry,
    ) -> Result<bool, StoreError>;

    /// Deliveries of a webhook, newest first.
    async fn deliveries(
        &self,
        tenant: &TenantId,
        webhook: &WebhookId,
        query: &DeliveryQuery,
    ) -> Result<Vec<WebhookDelivery>, StoreError>;

    /// The delivery with this identifier.
    async fn find_delivery(
        &self,
        tenant: &TenantId,
        webhook: &WebhookId,
        id: &WebhookDeliveryId,
    ) -> Result<Option<WebhookDelivery>, StoreError>;

    /// Stores a delivery that a caller asked for, in place of the stored one with its identifier, if the webhook has this
    /// revision, and returns whether it has.
    async fn put_delivery(
        &self,
        tenant: &TenantId,
        delivery: &WebhookDelivery,
        expected_revision: i64,
    ) -> Result<bool, StoreError>;

    /// From now on, refuses writes of earlier terms to the webhooks of all tenants.
    async fn claim(&self, term: LeaseTerm) -> Result<(), StoreError>;

    /// The active webhooks of all tenants.
    async fn active(&self) -> Result<Vec<ActiveWebhook>, StoreError>;

    /// Adds deliveries and moves the cursor in one transaction, if the stored cursor and the stored revision are the expected
    /// ones, and returns whether it was done. Nothing is done at a webhook that is not active.
    async fn enqueue(&self, term: LeaseTerm, tenant: &TenantId, enqueue: &Enqueue) -> Result<bool, StoreError>;

    /// The number of pending deliveries of a webhook.
    async fn pending(&self, tenant: &TenantId, webhook: &WebhookId) -> Result<u64, StoreError>;

    /// The webhooks with pending deliveries whose next attempt is due at `now`, even if all of them must wait for their
    /// turn.
    async fn due_webhooks(&self, now: Timestamp) -> Result<Vec<(TenantId, WebhookId)>, StoreError>;

    /// The pending deliveries of a webhook that are due at `now` and whose turn has come: no delivery with the same order
    /// key and an earlier position is pending. Earlier positions first, at most `limit`.
    async fn due(
        &self,
        tenant: &TenantId,
        webhook: &WebhookId,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<WebhookDelivery>, StoreError>;

    /// Stores the state and the attempts of deliveries after an attempt each, in one transaction, and returns the identifiers
    /// of those whose state it stored. A delivery that was queued again during the attempt, so that it is due at another time,
    /// keeps its state: its attempts are stored, and it is sent again. A delivery that is not pending is left as it is, and so
    /// are the deliveries of a webhook whose term is newer; those of other webhooks are stored.
    async fn record(
        &self,
        term: LeaseTerm,
        attempted: &[AttemptedDelivery],
    ) -> Result<BTreeSet<WebhookDeliveryId>, StoreError>;

    /// Stores a webhook that the service switched off, if the stored revision is the one before, and returns whether it is.
    async fn switch_off(
        &self,
        term: LeaseTerm,
        tenant: &TenantId,
        webhook: &Webhook,
        entry: AuditEntry,
    ) -> Result<bool, StoreError>;

    /// Removes at most `limit` deliveries that were delivered before `cutoff`, and returns whether more may be left.
    async fn drop_delivered(&self, cutoff: Timestamp, limit: u16) -> Result<bool, StoreError>;

    /// What is not delivered yet at active webhooks.
    async fn backlog(&self) -> Result<Backlog, StoreError>;
}
