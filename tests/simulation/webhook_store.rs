//! The store of webhooks as a replica reaches it: the store in memory, behind a network.

use std::{
    collections::BTreeSet,
    slice,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    event::{ChangeLog, LogPosition, LogRead},
    lease::LeaseTerm,
    time::Timestamp,
    webhook::{
        ActiveWebhook, AttemptedDelivery, Backlog, DeliveryQuery, DeliverySubject, Enqueue, Webhook, WebhookDelivery,
        WebhookDeliveryId, WebhookDeliveryState, WebhookId, WebhookInsertOutcome, WebhookStore,
    },
};
use pollster::block_on;
use support::memory::MemoryStore;

use crate::{fault::Fault, world::World};

/// The database with the webhooks and their deliveries. Clones share it.
#[derive(Clone)]
pub(crate) struct SimulatedWebhooks {
    pub(crate) world: World,
    pub(crate) memory: Arc<MemoryStore>,
    /// The newest term that has claimed the webhooks. They exist since before the first claim.
    claimed: Arc<Mutex<LeaseTerm>>,
}

impl SimulatedWebhooks {
    pub(crate) fn new(world: &World, memory: &Arc<MemoryStore>) -> Self {
        let claimed = Arc::new(Mutex::new(LeaseTerm(0)));
        Self { world: world.clone(), memory: Arc::clone(memory), claimed }
    }

    async fn call<T: Send + 'static>(&self, effect: impl FnOnce(&Self) -> T + Send + 'static) -> Result<T, StoreError> {
        let store = self.clone();
        self.world.call_store(move || effect(&store)).await
    }

    /// A write of the dispatcher, which lands only if no newer term has claimed the webhooks.
    fn write(&self, term: LeaseTerm, what: &str, action: impl FnOnce(LeaseTerm) -> bool) -> bool {
        let checked = if self.world.has(Fault::UncheckedWebhookTerm) { LeaseTerm(i64::MAX) } else { term };
        let has_landed = action(checked);
        let claimed = *self.claimed.lock().unwrap();
        self.world.trace(|| {
            let outcome = if has_landed { "is stored" } else { "is refused" };
            format!("{what} by term {} {outcome} in term {}", term.0, claimed.0)
        });
        if has_landed && term < claimed {
            self.world.violate(format!("{what} by term {} landed after term {} began", term.0, claimed.0));
        }
        has_landed
    }

    fn enqueue_at(&self, term: LeaseTerm, tenant: &TenantId, mut enqueue: Enqueue) -> bool {
        if self.world.has(Fault::UncomparedWebhookCursor) {
            let stored = block_on(self.memory.find(tenant, &enqueue.webhook)).unwrap().unwrap();
            enqueue.expected_cursor = stored.cursor;
        }
        let what = format!("the cursor {} of webhook {}", enqueue.next_cursor.sequence, short(&enqueue.webhook));
        let has_landed = self.write(term, &what, |term| block_on(self.memory.enqueue(term, tenant, &enqueue)).unwrap());
        if has_landed {
            self.check_passed(tenant, &enqueue);
        }
        has_landed
    }

    /// Each entry of the log that the cursor has passed must be a delivery.
    fn check_passed(&self, tenant: &TenantId, enqueue: &Enqueue) {
        let Enqueue { webhook: id, expected_cursor, next_cursor, .. } = enqueue;
        let webhook = block_on(self.memory.find(tenant, id)).unwrap().unwrap();
        let deliveries = self.all_deliveries(tenant, id);
        let read = block_on(self.memory.read(tenant, *expected_cursor, usize::from(u16::MAX))).unwrap();
        let LogRead::Page(page) = read else { return };
        let passed = page.entries.iter().filter(|entry| entry.position.sequence <= next_cursor.sequence);
        for entry in passed.filter(|entry| webhook.types.contains(entry.change.event_type())) {
            if !deliveries.iter().any(|delivery| delivery.subject.position() == entry.position) {
                let number = entry.position.sequence;
                self.world.violate(format!("the cursor of {} has passed event {number}, which is lost", short(id)));
            }
        }
    }

    fn all_deliveries(&self, tenant: &TenantId, webhook: &WebhookId) -> Vec<WebhookDelivery> {
        let query = DeliveryQuery { status: None, before: None, limit: usize::MAX };
        block_on(self.memory.deliveries(tenant, webhook, &query)).unwrap()
    }

    fn due_deliveries(
        &self,
        tenant: &TenantId,
        webhook: &WebhookId,
        now: Timestamp,
        limit: usize,
    ) -> Vec<WebhookDelivery> {
        let (by_time, in_turn) = (self.world.has(Fault::DeliveriesByTime), !self.world.has(Fault::DeliveriesOutOfTurn));
        if !by_time && in_turn {
            return block_on(self.memory.due(tenant, webhook, now, limit)).unwrap();
        }
        let mut pending = self.all_deliveries(tenant, webhook);
        pending.retain(|delivery| matches!(delivery.state, WebhookDeliveryState::Pending(_)));
        pending.sort_by_key(|delivery| (by_time.then_some(delivery.created_at), delivery.subject.position().sequence));
        let key = |delivery: &WebhookDelivery| delivery.subject.order_key().to_owned();
        let is_first = |index: usize| !pending[..index].iter().any(|earlier| key(earlier) == key(&pending[index]));
        let is_due = |delivery: &WebhookDelivery| matches!(delivery.state, WebhookDeliveryState::Pending(pending) if pending.next_attempt <= now);
        let due = (0..pending.len()).filter(|index| is_due(&pending[*index]) && (!in_turn || is_first(*index)));
        due.take(limit).map(|index| pending[index].clone()).collect()
    }

    fn record_one(&self, term: LeaseTerm, attempted: &AttemptedDelivery) -> bool {
        let delivery = &attempted.delivery;
        let DeliverySubject::Event(entry) = &delivery.subject else { return false };
        let (number, webhook) = (entry.position.sequence, short(&delivery.webhook));
        let what = format!("an attempt of event {number} for webhook {webhook}, {},", delivery.status().as_str());
        let record = |term| block_on(self.memory.record(term, slice::from_ref(attempted))).unwrap();
        self.write(term, &what, |term| !record(term).is_empty())
    }

    fn claim_for(&self, term: LeaseTerm) {
        block_on(self.memory.claim(term)).unwrap();
        let mut claimed = self.claimed.lock().unwrap();
        *claimed = term.max(*claimed);
        self.world.trace(|| format!("term {} claims the webhooks", term.0));
    }
}

/// The number of a webhook.
fn short(id: &WebhookId) -> &str {
    id.as_str().trim_start_matches('0')
}

#[async_trait]
impl WebhookStore for SimulatedWebhooks {
    async fn claim(&self, term: LeaseTerm) -> Result<(), StoreError> {
        self.call(move |store| store.claim_for(term)).await
    }

    async fn active(&self) -> Result<Vec<ActiveWebhook>, StoreError> {
        self.call(|store| block_on(store.memory.active()).unwrap()).await
    }

    async fn enqueue(&self, term: LeaseTerm, tenant: &TenantId, enqueue: &Enqueue) -> Result<bool, StoreError> {
        let (of, mut enqueue) = (tenant.clone(), enqueue.clone());
        if !self.world.has(Fault::CursorBeforeDeliveries) {
            return self.call(move |store| store.enqueue_at(term, &of, enqueue)).await;
        }
        let (deliveries, revision) = (std::mem::take(&mut enqueue.deliveries), enqueue.expected_revision);
        let is_stored = self.call(move |store| store.enqueue_at(term, &of, enqueue)).await?;
        for delivery in deliveries {
            self.put_delivery(tenant, &delivery, revision).await?;
        }
        Ok(is_stored)
    }

    async fn pending(&self, tenant: &TenantId, webhook: &WebhookId) -> Result<u64, StoreError> {
        let (tenant, webhook) = (tenant.clone(), webhook.clone());
        self.call(move |store| block_on(store.memory.pending(&tenant, &webhook)).unwrap()).await
    }

    async fn due_webhooks(&self, now: Timestamp) -> Result<Vec<(TenantId, WebhookId)>, StoreError> {
        self.call(move |store| block_on(store.memory.due_webhooks(now)).unwrap()).await
    }

    async fn due(
        &self,
        tenant: &TenantId,
        webhook: &WebhookId,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<WebhookDelivery>, StoreError> {
        let (tenant, webhook) = (tenant.clone(), webhook.clone());
        self.call(move |store| store.due_deliveries(&tenant, &webhook, now, limit)).await
    }

    async fn record(
        &self,
        term: LeaseTerm,
        attempted: &[AttemptedDelivery],
    ) -> Result<BTreeSet<WebhookDeliveryId>, StoreError> {
        let attempted = attempted.to_vec();
        self.call(move |store| {
            let recorded = attempted.into_iter().filter(|attempted| store.record_one(term, attempted));
            recorded.map(|attempted| attempted.delivery.id).collect()
        })
        .await
    }

    async fn switch_off(
        &self,
        term: LeaseTerm,
        tenant: &TenantId,
        webhook: &Webhook,
        entry: AuditEntry,
    ) -> Result<bool, StoreError> {
        let (tenant, webhook) = (tenant.clone(), webhook.clone());
        self.call(move |store| {
            let what = format!("the end of webhook {}", short(&webhook.id));
            let action = |term| block_on(store.memory.switch_off(term, &tenant, &webhook, entry)).unwrap();
            store.write(term, &what, action)
        })
        .await
    }

    async fn drop_delivered(&self, cutoff: Timestamp, limit: u16) -> Result<bool, StoreError> {
        self.call(move |store| block_on(store.memory.drop_delivered(cutoff, limit)).unwrap()).await
    }

    async fn put_delivery(
        &self,
        tenant: &TenantId,
        delivery: &WebhookDelivery,
        expected_revision: i64,
    ) -> Result<bool, StoreError> {
        let (tenant, delivery) = (tenant.clone(), delivery.clone());
        self.call(move |store| block_on(store.memory.put_delivery(&tenant, &delivery, expected_revision)).unwrap())
            .await
    }

    // What follows is for callers. The operator of the simulation writes to the store in memory itself.

    async fn insert(
        &self,
        _: &TenantId,
        _: &Webhook,
        _: u16,
        _: AuditEntry,
    ) -> Result<WebhookInsertOutcome, StoreError> {
        unreachable!("the dispatcher adds no webhook")
    }

    async fn list(&self, _: &TenantId) -> Result<Vec<Webhook>, StoreError> {
        unreachable!("the dispatcher lists no webhooks")
    }

    async fn find(&self, _: &TenantId, _: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        unreachable!("the dispatcher finds no webhook")
    }

    async fn update(&self, _: &TenantId, _: &Webhook, _: AuditEntry) -> Result<bool, StoreError> {
        unreachable!("the dispatcher updates no webhook")
    }

    async fn remove(&self, _: &TenantId, _: &WebhookId, _: AuditEntry) -> Result<bool, StoreError> {
        unreachable!("the dispatcher removes no webhook")
    }

    async fn replay(&self, _: &TenantId, _: &WebhookId, _: LogPosition, _: AuditEntry) -> Result<bool, StoreError> {
        unreachable!("the dispatcher replays nothing")
    }

    async fn deliveries(
        &self,
        _: &TenantId,
        _: &WebhookId,
        _: &DeliveryQuery,
    ) -> Result<Vec<WebhookDelivery>, StoreError> {
        unreachable!("the dispatcher lists no deliveries")
    }

    async fn find_delivery(
        &self,
        _: &TenantId,
        _: &WebhookId,
        _: &WebhookDeliveryId,
    ) -> Result<Option<WebhookDelivery>, StoreError> {
        unreachable!("the dispatcher finds no delivery")
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        unreachable!("the replicas of the simulation count nothing")
    }
}
