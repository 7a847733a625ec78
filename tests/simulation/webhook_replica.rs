//! The dispatcher of webhooks on one replica, as the task of the program runs it: looks one after the other, and attempts
//! beside them.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::{Future, poll_fn},
    mem,
    pin::pin,
    sync::{Arc, Mutex, Weak},
    task::Poll,
};

use parlance_domain::{
    lease::{LeaseName, LeaseTerm, Leases},
    limits::LEASE_SECONDS,
    webhook::{
        ActiveWebhook, Dispatcher, EndedAttempt, EndpointKey, Jitter, Slots, Webhook, WebhookDelivery,
        WebhookDeliveryId,
    },
};

use crate::{
    hint::Hint,
    world::{SECOND, World},
};

/// Time after a lease request in which attempts may start, and the age at which a lease is requested again, as in the
/// program.
const START_WINDOW: i64 = (LEASE_SECONDS - 5) * SECOND;
const RENEW_AFTER: i64 = 4 * SECOND;

/// Time between two looks. It grows when nothing goes wrong any more, so that a run can last for days.
const POLL_INTERVAL: i64 = SECOND;
const MAX_POLL_INTERVAL: i64 = 4 * 3_600 * SECOND;

/// The ended attempts that the replica has not recorded yet: `None` if a store failed.
type Ended = Arc<Mutex<Vec<(EndpointKey, WebhookDeliveryId, Option<EndedAttempt>)>>>;

/// The dispatcher on one replica, which ends with its process.
pub(crate) struct WebhookReplica {
    world: World,
    dispatcher: Dispatcher,
    leases: Leases,
    /// The term of the lease, and the end of the time in which attempts may start.
    current_term: Option<(LeaseTerm, i64)>,
    active: BTreeMap<EndpointKey, Webhook>,
    slots: Slots,
    ended: Ended,
    /// Wakes the replica after each attempt.
    hint: Hint,
    /// The process, without which its attempts end.
    process: Arc<()>,
}

impl WebhookReplica {
    pub(crate) fn new(world: &World, dispatcher: Dispatcher, leases: Leases) -> Self {
        Self {
            world: world.clone(),
            dispatcher,
            leases,
            current_term: None,
            active: BTreeMap::new(),
            slots: Slots::default(),
            ended: Ended::default(),
            hint: Hint::new(world),
            process: Arc::default(),
        }
    }

    pub(crate) async fn run(mut self) {
        let mut next_look = 0;
        loop {
            self.record_ended().await;
            if self.world.now() >= next_look {
                self.renew().await;
                if let Some(term) = self.term() {
                    // A failure means that the next look tries again.
                    let _: Option<()> = self.look(term).await;
                }
                let since_chaos = self.world.calm_since().map_or(0, |since| self.world.now() - since);
                next_look = self.world.now() + (since_chaos / 8).clamp(POLL_INTERVAL, MAX_POLL_INTERVAL);
            }
            self.hint.wait((next_look - self.world.now()).max(0)).await;
        }
    }

    /// Records ended attempts, gives their slots back, and starts what follows the successful ones.
    async fn record_ended(&mut self) {
        let ended = mem::take(&mut *self.ended.lock().unwrap());
        let attempts = ended.iter().filter_map(|(_, _, attempt)| attempt.clone()).collect();
        let is_recorded = self.dispatcher.record(attempts).await.is_ok();
        for (endpoint, delivery, attempt) in ended {
            let succeeded = is_recorded && attempt.is_some_and(|ended| ended.attempt.outcome.is_ok());
            self.slots.finish(&endpoint, &delivery, succeeded);
            if succeeded {
                self.start_due_deliveries(&endpoint).await;
            }
        }
    }

    async fn renew(&mut self) {
        let now = self.world.now();
        if self.current_term.is_some_and(|(_, until)| now + START_WINDOW < until + RENEW_AFTER) {
            return;
        }
        let Ok(term) = self.leases.acquire(LeaseName::WebhookDelivery).await else { return };
        let before = self.current_term.map(|(term, _)| term);
        self.current_term = term.map(|term| (term, now + START_WINDOW));
        if let Some(term) = term.filter(|term| before != Some(*term))
            && self.dispatcher.claim(term).await.is_err()
        {
            self.current_term = None;
        }
    }

    fn term(&self) -> Option<LeaseTerm> {
        self.current_term.filter(|(_, until)| self.world.now() < *until).map(|(term, _)| term)
    }

    async fn look(&mut self, term: LeaseTerm) -> Option<()> {
        let active = self.dispatcher.active().await.ok()?;
        self.collect(term, &active).await;
        self.active = active.into_iter().map(|it| ((it.tenant, it.webhook.id.clone()), it.webhook)).collect();
        self.slots.retain(&self.active.keys().cloned().collect::<BTreeSet<_>>());
        for endpoint in self.dispatcher.due_webhooks().await.ok()? {
            self.start_due_deliveries(&endpoint).await;
        }
        self.dispatcher.drop_old().await.ok().map(drop)
    }

    async fn collect(&self, term: LeaseTerm, active: &[ActiveWebhook]) {
        for webhook in self.dispatcher.with_entries(active).await.unwrap_or_default() {
            // After a failure, the next look reads the same entries.
            let _: Result<_, _> = self.dispatcher.collect(term, webhook).await;
        }
    }

    /// Starts the due deliveries of an endpoint, as many as it has slots.
    async fn start_due_deliveries(&mut self, endpoint: &EndpointKey) {
        let (Some(term), Some(webhook)) = (self.term(), self.active.get(endpoint).cloned()) else { return };
        let free = self.slots.free(endpoint);
        if free == 0 {
            return;
        }
        let limit = free + self.slots.running_at(endpoint);
        for delivery in self.dispatcher.due(&endpoint.0, &webhook, limit).await.unwrap_or_default() {
            if self.slots.free(endpoint) > 0 && self.slots.start(endpoint, &delivery.id) {
                self.spawn(term, endpoint.clone(), webhook.clone(), delivery);
            }
        }
    }

    fn spawn(&self, term: LeaseTerm, endpoint: EndpointKey, webhook: Webhook, delivery: WebhookDelivery) {
        let (dispatcher, ended, hint) = (self.dispatcher.clone(), Arc::clone(&self.ended), self.hint.clone());
        let jitter = Jitter::from_thousandths(u16::try_from(self.world.below(1_001)).unwrap());
        let attempt = async move {
            let id = delivery.id.clone();
            let attempt = dispatcher.attempt(term, endpoint.0.clone(), webhook, delivery, jitter).await.ok();
            ended.lock().unwrap().push((endpoint, id, attempt));
            hint.give();
        };
        self.world.spawn(while_alive(Arc::downgrade(&self.process), attempt));
    }
}

/// Runs an attempt as long as its process does.
async fn while_alive(process: Weak<()>, attempt: impl Future<Output = ()> + Send) {
    let mut attempt = pin!(attempt);
    poll_fn(|context| if process.strong_count() == 0 { Poll::Ready(()) } else { attempt.as_mut().poll(context) }).await;
}
