//! The task that sends events to webhooks, on one replica at a time.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    iter,
    sync::Arc,
    time::Duration,
};

use parlance_domain::{
    lease::{LeaseName, LeaseTerm},
    limits::{LEASE_SECONDS, WEBHOOK_MAX_CONCURRENT_PER_ENDPOINT},
    time::Clock,
    webhook::{
        ActiveWebhook, Dispatcher, EndedAttempt, EndpointKey, Jitter, Slots, Webhook, WebhookDelivery,
        WebhookDeliveryId,
    },
};
use tokio::{
    sync::watch,
    task::{Id, JoinError, JoinSet},
    time::{MissedTickBehavior, interval, timeout},
};

use crate::{
    lease::KeptLease,
    metrics::{Metrics, WebhookMetrics},
    settings::Settings,
    wiring::Stores,
};

/// Time between two looks at the change log and at what is due.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// How many attempts may still run at an endpoint when further ones are started before the next look. What is due is read for
/// several attempts at once.
const MAX_LEFT_RUNNING: usize = WEBHOOK_MAX_CONCURRENT_PER_ENDPOINT / 2;

/// Time after a lease request in which attempts may start. An attempt that outlives the lease is recorded only if no other
/// replica has claimed the webhooks meanwhile.
const START_WINDOW: Duration = Duration::from_secs(LEASE_SECONDS.unsigned_abs() - 5);

/// Time for running attempts to end when the server stops. The others are made again by the next holder of the lease.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// Looks between two counts of what is not delivered, and between two removals of old deliveries.
const LOOKS_PER_COUNT: u32 = 40;

/// How the task of an attempt ended: `None` if a store was unavailable.
type JoinResult = Result<(Id, Option<EndedAttempt>), JoinError>;

/// Sends events to webhooks until it is stopped.
pub(crate) struct WebhookTask {
    dispatcher: Dispatcher,
    lease: KeptLease,
    metrics: WebhookMetrics,
    clock: Arc<dyn Clock>,
    active: BTreeMap<EndpointKey, Webhook>,
    slots: Slots,
    running: JoinSet<Option<EndedAttempt>>,
    attempts: HashMap<Id, (EndpointKey, WebhookDeliveryId)>,
    looks: u32,
}

impl WebhookTask {
    /// Builds the task.
    ///
    /// # Errors
    /// If `webhook_ca_file` cannot be used.
    pub(crate) fn build(stores: &Stores, settings: &Settings, metrics: &Metrics) -> anyhow::Result<Self> {
        Ok(Self {
            dispatcher: stores.webhook_dispatcher(settings)?,
            lease: KeptLease::new(stores.leases(), LeaseName::WebhookDelivery, START_WINDOW),
            metrics: metrics.webhooks.clone(),
            clock: Arc::clone(&stores.clock),
            active: BTreeMap::new(),
            slots: Slots::default(),
            running: JoinSet::new(),
            attempts: HashMap::new(),
            looks: 0,
        })
    }

    /// Runs until `stop` becomes true, then waits for running attempts for a short time and releases the lease.
    pub(crate) async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let mut ticks = interval(POLL_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                _ = ticks.tick() => {
                    self.renew().await;
                    if let Some(term) = self.lease.term() {
                        self.look(term).await;
                    }
                }
                Some(first) = self.running.join_next_with_id() => {
                    for endpoint in self.record(first).await {
                        self.start_due_deliveries(&endpoint).await;
                    }
                }
            }
        }
        // Attempts that do not end in time are not recorded, and are made again.
        let record_all = async {
            while let Some(first) = self.running.join_next_with_id().await {
                self.record(first).await;
            }
        };
        let _ = timeout(STOP_TIMEOUT, record_all).await;
        self.running.shutdown().await;
        self.lease.release().await;
    }

    /// Records an attempt, with all others that have ended meanwhile, and gives their slots back. Returns the endpoints that can
    /// have more: after a failure the next look starts more, so that no failure is repeated at once.
    async fn record(&mut self, first: JoinResult) -> BTreeSet<EndpointKey> {
        let mut results = vec![first];
        results.extend(iter::from_fn(|| self.running.try_join_next_with_id()));
        let (mut ended, mut outcomes) = (Vec::new(), Vec::new());
        for result in results {
            let (id, attempt) = result.unwrap_or_else(|panicked| (panicked.id(), None));
            outcomes.push((id, attempt.as_ref().is_some_and(|ended| ended.attempt.outcome.is_ok())));
            ended.extend(attempt);
        }
        let recorded = self.dispatcher.record(ended).await;
        if let Err(error) = &recorded {
            tracing::warn!(%error, "failed to record what was sent to webhooks");
        }
        let mut ready = BTreeSet::new();
        for (id, is_delivered) in outcomes {
            let Some((endpoint, delivery)) = self.attempts.remove(&id) else { continue };
            let succeeded = is_delivered && recorded.is_ok();
            self.slots.finish(&endpoint, &delivery, succeeded);
            if succeeded && self.slots.running_at(&endpoint) <= MAX_LEFT_RUNNING {
                ready.insert(endpoint);
            }
        }
        ready
    }

    /// Keeps the lease. A new term is claimed before anything is written in it.
    async fn renew(&mut self) {
        match self.lease.renew().await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => return tracing::warn!(%error, "failed to renew the lease of webhooks"),
        }
        let term = self.lease.term();
        tracing::info!(sends = term.is_some(), "the lease of webhooks was acquired or lost");
        if let Some(term) = term
            && let Err(error) = self.dispatcher.claim(term).await
        {
            tracing::warn!(%error, "failed to claim the webhooks");
            self.lease.forget();
        }
    }

    /// Queues what the log has, and starts what is due.
    async fn look(&mut self, term: LeaseTerm) {
        let active = match self.dispatcher.active().await {
            Ok(active) => active,
            Err(error) => return tracing::warn!(%error, "failed to read the webhooks"),
        };
        if !active.is_empty() {
            self.collect(term, &active).await;
        }
        self.active = active.into_iter().map(|it| ((it.tenant, it.webhook.id.clone()), it.webhook)).collect();
        self.slots.retain(&self.active.keys().cloned().collect::<BTreeSet<_>>());
        if !self.active.is_empty() {
            self.start_due().await;
        }
        self.count_and_clear().await;
    }

    /// Starts what is due at all endpoints.
    async fn start_due(&mut self) {
        match self.dispatcher.due_webhooks().await {
            Ok(due) => {
                for endpoint in due {
                    self.start_due_deliveries(&endpoint).await;
                }
            }
            Err(error) => tracing::warn!(%error, "failed to read which webhooks have something to send"),
        }
    }

    async fn collect(&self, term: LeaseTerm, active: &[ActiveWebhook]) {
        let with_entries = match self.dispatcher.with_entries(active).await {
            Ok(with_entries) => with_entries,
            Err(error) => return tracing::warn!(%error, "failed to read which webhooks have new events"),
        };
        for webhook in with_entries {
            if let Err(error) = self.dispatcher.collect(term, webhook).await {
                let (tenant, webhook) = (webhook.tenant.as_str(), webhook.webhook.id.as_str());
                tracing::warn!(%error, tenant, webhook, "failed to queue the events of a webhook");
            }
        }
    }

    /// Starts the due deliveries of an endpoint, as many as it has slots.
    async fn start_due_deliveries(&mut self, endpoint: &EndpointKey) {
        let (Some(term), Some(webhook)) = (self.lease.term(), self.active.get(endpoint).cloned()) else { return };
        let free = self.slots.free(endpoint);
        if free == 0 {
            return;
        }
        // Running deliveries are still due.
        let due = match self.dispatcher.due(&endpoint.0, &webhook, free + self.slots.running_at(endpoint)).await {
            Ok(due) => due,
            Err(error) => return tracing::warn!(%error, "failed to read what is due at a webhook"),
        };
        for delivery in due {
            if self.slots.free(endpoint) > 0 && self.slots.start(endpoint, &delivery.id) {
                self.spawn(term, endpoint, webhook.clone(), delivery);
            }
        }
    }

    fn spawn(&mut self, term: LeaseTerm, endpoint: &EndpointKey, webhook: Webhook, delivery: WebhookDelivery) {
        let (dispatcher, metrics) = (self.dispatcher.clone(), self.metrics.clone());
        let (tenant, id) = (endpoint.0.clone(), delivery.id.clone());
        let jitter = Jitter::from_thousandths(fastrand::u16(0..=1_000));
        let attempt = async move {
            match dispatcher.attempt(term, tenant.clone(), webhook, delivery, jitter).await {
                Ok(ended) => {
                    metrics.record(&ended.attempt);
                    if let Err(failure) = ended.attempt.outcome {
                        let (webhook, failure) = (ended.webhook.id.as_str(), failure.as_str());
                        tracing::debug!(tenant = tenant.as_str(), webhook, failure, "an event was not delivered");
                    }
                    Some(ended)
                }
                Err(error) => {
                    tracing::warn!(tenant = tenant.as_str(), %error, "failed to send an event");
                    None
                }
            }
        };
        self.attempts.insert(self.running.spawn(attempt).id(), (endpoint.clone(), id));
    }

    /// Reports what is not delivered, and removes old deliveries, now and then.
    async fn count_and_clear(&mut self) {
        self.looks = self.looks.wrapping_add(1);
        if self.looks % LOOKS_PER_COUNT != 1 {
            return;
        }
        match self.dispatcher.backlog().await {
            Ok(backlog) => self.metrics.set_backlog(backlog, self.clock.now()),
            Err(error) => tracing::warn!(%error, "failed to count the deliveries of webhooks"),
        }
        match self.dispatcher.drop_old().await {
            // The next look removes more.
            Ok(true) => self.looks = 0,
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "failed to remove old deliveries of webhooks"),
        }
    }
}
