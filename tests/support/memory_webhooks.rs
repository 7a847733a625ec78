//! The store of webhooks and their deliveries in memory.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use parlance_domain::{
    access::{ApiId, TenantId},
    audit::AuditEntry,
    error::StoreError,
    event::LogPosition,
    lease::LeaseTerm,
    time::Timestamp,
    webhook::{
        ActiveWebhook, AttemptedDelivery, Backlog, DeliveryQuery, DeliverySubject, Enqueue, Webhook, WebhookDelivery,
        WebhookDeliveryId, WebhookDeliveryState, WebhookId, WebhookInsertOutcome, WebhookStore,
    },
};

use crate::{
    memory::{MemoryStore, TenantData},
    memory_webhook::{StoredWebhook, order, pending},
};

impl MemoryStore {
    /// Runs an action of the dispatcher, unless a newer term is there.
    fn in_term(
        &self,
        term: LeaseTerm,
        tenant: &TenantId,
        id: &WebhookId,
        action: impl FnOnce(&mut StoredWebhook) -> bool,
    ) -> bool {
        self.with_tenant(tenant, |data| {
            let Some(stored) = data.webhooks.get_mut(id).filter(|stored| stored.term <= term) else { return false };
            stored.term = term;
            action(stored)
        })
    }

    fn audited(&self, tenant: &TenantId, entry: AuditEntry, action: impl FnOnce(&mut TenantData) -> bool) -> bool {
        self.with_tenant(tenant, |data| {
            let changed = action(data);
            if changed {
                data.append_audit(tenant, entry, self.signer.as_ref());
            }
            changed
        })
    }
}

#[async_trait]
impl WebhookStore for MemoryStore {
    async fn insert(
        &self,
        tenant: &TenantId,
        webhook: &Webhook,
        max: u16,
        entry: AuditEntry,
    ) -> Result<WebhookInsertOutcome, StoreError> {
        self.ensure_not_erased(tenant)?;
        let inserted = self.audited(tenant, entry, |data| {
            let fits = data.webhooks.len() < usize::from(max);
            if fits {
                let stored =
                    StoredWebhook { webhook: webhook.clone(), term: LeaseTerm(0), deliveries: BTreeMap::new() };
                data.webhooks.insert(webhook.id.clone(), stored);
            }
            fits
        });
        Ok(if inserted { WebhookInsertOutcome::Inserted } else { WebhookInsertOutcome::Full })
    }

    async fn list(&self, tenant: &TenantId) -> Result<Vec<Webhook>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.webhooks.values().map(|stored| stored.webhook.clone()).collect()))
    }

    async fn find(&self, tenant: &TenantId, id: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.webhooks.get(id).map(|stored| stored.webhook.clone())))
    }

    async fn update(&self, tenant: &TenantId, webhook: &Webhook, entry: AuditEntry) -> Result<bool, StoreError> {
        let at = entry.at;
        Ok(self.audited(tenant, entry, |data| {
            let Some(stored) = data.webhooks.get_mut(&webhook.id) else { return false };
            let resumes = webhook.active && !stored.webhook.active;
            let replaced = stored.replace(webhook);
            if replaced && resumes {
                for delivery in stored.deliveries.values_mut().filter(|delivery| pending(delivery).is_some()) {
                    *delivery = delivery.clone().requeued(at);
                }
            }
            replaced
        }))
    }

    async fn remove(&self, tenant: &TenantId, id: &WebhookId, entry: AuditEntry) -> Result<bool, StoreError> {
        Ok(self.audited(tenant, entry, |data| data.webhooks.remove(id).is_some()))
    }

    async fn replay(
        &self,
        tenant: &TenantId,
        id: &WebhookId,
        after: LogPosition,
        entry: AuditEntry,
    ) -> Result<bool, StoreError> {
        Ok(self.audited(tenant, entry, |data| {
            let Some(stored) = data.webhooks.get_mut(id) else { return false };
            stored.webhook.cursor = after;
            stored.deliveries.retain(|_, delivery| {
                pending(delivery).is_none()
                    || delivery.subject == DeliverySubject::Test
                    || order(delivery) <= (after.sequence, after.index)
            });
            true
        }))
    }

    async fn deliveries(
        &self,
        tenant: &TenantId,
        webhook: &WebhookId,
        query: &DeliveryQuery,
    ) -> Result<Vec<WebhookDelivery>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let newest_first = data.webhooks.get(webhook).into_iter().flat_map(|it| it.deliveries.values().rev());
            let matching = newest_first
                .filter(|delivery| query.status.is_none_or(|status| delivery.status() == status))
                .filter(|delivery| query.before.as_ref().is_none_or(|before| delivery.id < *before));
            matching.take(query.limit).cloned().collect()
        }))
    }

    async fn find_delivery(
        &self,
        tenant: &TenantId,
        webhook: &WebhookId,
        id: &WebhookDeliveryId,
    ) -> Result<Option<WebhookDelivery>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.webhooks.get(webhook)?.deliveries.get(id).cloned()))
    }

    async fn put_delivery(
        &self,
        tenant: &TenantId,
        delivery: &WebhookDelivery,
        expected_revision: i64,
    ) -> Result<bool, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let stored = data.webhooks.get_mut(&delivery.webhook);
            let Some(stored) = stored.filter(|it| it.webhook.revision == expected_revision) else { return false };
            stored.deliveries.insert(delivery.id.clone(), delivery.clone());
            true
        }))
    }

    async fn claim(&self, term: LeaseTerm) -> Result<(), StoreError> {
        for stored in self.lock_tenants().values_mut().flat_map(|data| data.webhooks.values_mut()) {
            stored.term = stored.term.max(term);
        }
        Ok(())
    }

    async fn active(&self) -> Result<Vec<ActiveWebhook>, StoreError> {
        let tenants = self.lock_tenants();
        let active = tenants.iter().flat_map(|(tenant, data)| {
            let is_valid = |id: &ApiId| data.credentials.get(id.as_str()).is_some_and(|it| it.revoked_at.is_none());
            let active = data.webhooks.values().filter(|stored| stored.webhook.active);
            active.map(move |stored| ActiveWebhook {
                tenant: tenant.clone(),
                webhook: stored.webhook.clone(),
                is_credential_revoked: stored.webhook.credential.as_ref().is_some_and(|id| !is_valid(id)),
            })
        });
        Ok(active.collect())
    }

    async fn enqueue(&self, term: LeaseTerm, tenant: &TenantId, enqueue: &Enqueue) -> Result<bool, StoreError> {
        Ok(self.in_term(term, tenant, &enqueue.webhook, |stored| {
            let Webhook { active, revision, cursor, .. } = &stored.webhook;
            if !active || *revision != enqueue.expected_revision || *cursor != enqueue.expected_cursor {
                return false;
            }
            stored.webhook.cursor = enqueue.next_cursor;
            let added = enqueue.deliveries.iter().map(|delivery| (delivery.id.clone(), delivery.clone()));
            stored.deliveries.extend(added);
            true
        }))
    }

    async fn pending(&self, tenant: &TenantId, webhook: &WebhookId) -> Result<u64, StoreError> {
        let count = self.with_tenant(tenant, |data| data.webhooks.get(webhook).map_or(0, |it| it.pending().count()));
        Ok(count.try_into().unwrap())
    }

    async fn due_webhooks(&self, now: Timestamp) -> Result<Vec<(TenantId, WebhookId)>, StoreError> {
        let tenants = self.lock_tenants();
        let is_due = |delivery: &WebhookDelivery| pending(delivery).is_some_and(|it| it.next_attempt <= now);
        let due = tenants.iter().flat_map(|(tenant, data)| {
            let active = data.webhooks.iter().filter(|(_, stored)| stored.webhook.active);
            let due = active.filter(|(_, stored)| stored.deliveries.values().any(is_due));
            due.map(|(id, _)| (tenant.clone(), id.clone()))
        });
        Ok(due.collect())
    }

    async fn due(
        &self,
        tenant: &TenantId,
        webhook: &WebhookId,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<WebhookDelivery>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let Some(stored) = data.webhooks.get(webhook) else { return Vec::new() };
            let mut due: Vec<_> = stored.pending().filter(|it| stored.is_due(it, now)).cloned().collect();
            due.sort_by_key(|delivery| (order(delivery), delivery.id.clone()));
            due.truncate(limit);
            due
        }))
    }

    async fn record(
        &self,
        term: LeaseTerm,
        attempted: &[AttemptedDelivery],
    ) -> Result<BTreeSet<WebhookDeliveryId>, StoreError> {
        let record = |AttemptedDelivery { tenant, delivery, expected_next_attempt }: &&AttemptedDelivery| {
            self.in_term(term, tenant, &delivery.webhook, |stored| {
                let stored = stored.deliveries.get_mut(&delivery.id).filter(|stored| pending(stored).is_some());
                let Some(stored) = stored else { return false };
                stored.attempts.clone_from(&delivery.attempts);
                let is_due_as_before = stored.next_attempt() == *expected_next_attempt;
                stored.state = if is_due_as_before { delivery.state } else { stored.state };
                is_due_as_before
            })
        };
        Ok(attempted.iter().filter(record).map(|attempted| attempted.delivery.id.clone()).collect())
    }

    async fn switch_off(
        &self,
        term: LeaseTerm,
        tenant: &TenantId,
        webhook: &Webhook,
        entry: AuditEntry,
    ) -> Result<bool, StoreError> {
        let switched = self.in_term(term, tenant, &webhook.id, |stored| stored.replace(webhook));
        Ok(self.audited(tenant, entry, |_| switched))
    }

    async fn drop_delivered(&self, cutoff: Timestamp, limit: u16) -> Result<bool, StoreError> {
        let mut left = usize::from(limit);
        for stored in self.lock_tenants().values_mut().flat_map(|data| data.webhooks.values_mut()) {
            stored.deliveries.retain(|_, delivery| {
                let is_old = matches!(delivery.state, WebhookDeliveryState::Delivered(at) if at < cutoff);
                let dropped = is_old && left > 0;
                left -= usize::from(dropped);
                !dropped
            });
        }
        Ok(left == 0)
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        let tenants = self.lock_tenants();
        let active = tenants.values().flat_map(|data| data.webhooks.values()).filter(|it| it.webhook.active);
        let times: Vec<_> = active.flat_map(|stored| stored.pending().map(|delivery| delivery.created_at)).collect();
        Ok(Backlog { pending: times.len().try_into().unwrap(), oldest: times.into_iter().min() })
    }
}
