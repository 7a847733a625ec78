//! The task that brings vocabularies to the transcription component, on one replica at a time.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use parlance_adapters_objects::ObjectVocabularies;
use parlance_adapters_transcription::{DirectoryComponent, HttpComponent, document};
use parlance_domain::{
    access::TenantId,
    file_mode::FileMode,
    lease::{Duties, Duty},
    limits::{DELIVERY_TIMEOUT_SECONDS, LEASE_SECONDS},
    time::Clock,
    vocabulary::delivery::{Attempt, Reconciler, TranscriptionComponent},
};
use tokio::{
    sync::watch,
    task::{Id, JoinSet},
    time::{MissedTickBehavior, interval},
};

use crate::{duty::give_back, metrics::Metrics, settings::DeliveryTarget, tls};

/// How often it is looked whether anything is due. With a component that is healthy it is what a delivery waits for.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How many deliveries run at once.
const AT_ONCE: usize = 16;

/// For how long after a lease was asked for deliveries may begin, so that each has ended, by its own time limit and a
/// second more, when another replica may have the duty.
const BEGIN_FOR: Duration = Duration::from_secs(LEASE_SECONDS.unsigned_abs() - DELIVERY_TIMEOUT_SECONDS - 1);

/// How long after it was asked for a lease is asked for again. It leaves room for a few attempts.
const RENEWED_AFTER: Duration = Duration::from_secs(4);

/// Of so many failures in a row the first is logged as a warning.
const FAILURES_PER_WARNING: u32 = 20;

/// The component that a setting names.
///
/// # Errors
/// Where it can be told already that nothing can be brought there.
pub(crate) fn component(
    target: &DeliveryTarget,
    mode: FileMode,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<Arc<dyn TranscriptionComponent>> {
    Ok(match target {
        DeliveryTarget::Http { address, key } => Arc::new(HttpComponent::new(address.clone(), key.clone(), clock)),
        DeliveryTarget::Directory(directory) => {
            Arc::new(DirectoryComponent::new(directory).context("vocabulary_delivery_url")?.with_mode(mode))
        }
        DeliveryTarget::Bucket(address) => {
            tls::install_provider();
            Arc::new(ObjectVocabularies::open(address.reveal(), document).context("vocabulary_delivery_url")?)
        }
    })
}

/// Brings vocabularies to the transcription component for as long as it runs.
pub(crate) struct DeliveryTask {
    reconciler: Reconciler,
    duties: Duties,
    metrics: Metrics,
    /// Until when deliveries may begin; none where this replica does not have the duty.
    begin_until: Option<Instant>,
    running: JoinSet<()>,
    tenants: HashMap<Id, TenantId>,
    /// Whether there may be more that is due than was begun.
    more: bool,
}

impl DeliveryTask {
    pub(crate) fn new(reconciler: Reconciler, duties: Duties, metrics: Metrics) -> Self {
        let (running, tenants) = (JoinSet::new(), HashMap::new());
        Self { reconciler, duties, metrics, begin_until: None, running, tenants, more: false }
    }

    /// Runs until `stop` says so, and lets deliveries under way end first.
    pub(crate) async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let mut ticks = interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                _ = ticks.tick() => {
                    self.renew().await;
                    self.begin().await;
                }
                Some(ended) = self.running.join_next_with_id() => {
                    let id = ended.map_or_else(|panicked| panicked.id(), |(id, ())| id);
                    self.tenants.remove(&id);
                    if self.more {
                        self.begin().await;
                    }
                }
            }
        }
        while self.running.join_next().await.is_some() {}
        give_back(&self.duties, Duty::VocabularyDelivery).await;
    }

    /// Asks for the duty, where this replica does not have it or soon will not.
    async fn renew(&mut self) {
        let now = Instant::now();
        if self.begin_until.is_some_and(|until| now + BEGIN_FOR < until + RENEWED_AFTER) {
            return;
        }
        let had = self.has_duty();
        match self.duties.take(Duty::VocabularyDelivery).await {
            Ok(term) => self.begin_until = term.map(|_| now + BEGIN_FOR),
            Err(error) => tracing::warn!(%error, "it is not known who delivers vocabularies"),
        }
        if had != self.has_duty() {
            tracing::info!(delivers = self.has_duty(), "the duty to deliver vocabularies changed hands");
        }
    }

    fn has_duty(&self) -> bool {
        self.begin_until.is_some_and(|until| Instant::now() < until)
    }

    /// Begins what is due, as far as there is room.
    async fn begin(&mut self) {
        self.more = false;
        if !self.has_duty() {
            return;
        }
        // Those under way are still due, so that so many are asked for that all that there is room for are among them.
        let due = match self.reconciler.due(u16::try_from(2 * AT_ONCE).unwrap_or(u16::MAX)).await {
            Ok(due) => due,
            Err(error) => return tracing::warn!(%error, "it is not known which vocabularies are to be delivered"),
        };
        for tenant in due {
            if self.tenants.values().any(|busy| *busy == tenant) {
                continue;
            }
            if self.running.len() >= AT_ONCE {
                self.more = true;
                return;
            }
            let delivery = deliver(self.reconciler.clone(), self.metrics.clone(), tenant.clone());
            self.tenants.insert(self.running.spawn(delivery).id(), tenant);
        }
    }
}

/// Delivers one vocabulary, counts it, and says in the log what became of it.
async fn deliver(reconciler: Reconciler, metrics: Metrics, tenant: TenantId) {
    let tenant_name = tenant.as_str();
    let attempt = match reconciler.deliver(&tenant).await {
        Ok(attempt) => attempt,
        Err(error) => return tracing::warn!(tenant = tenant_name, %error, "a delivery could not be recorded"),
    };
    metrics.attempted(&attempt);
    match attempt {
        Attempt::Delivered { version, took } => {
            let seconds = took.as_secs_f64();
            tracing::info!(tenant = tenant_name, version, seconds, "vocabulary delivered");
        }
        Attempt::Failed { error, failures } => {
            let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            if failures % FAILURES_PER_WARNING == 1 {
                tracing::warn!(tenant = tenant_name, %error, cause, failures, "vocabulary not delivered");
            } else {
                tracing::debug!(tenant = tenant_name, %error, cause, failures, "vocabulary not delivered");
            }
        }
        Attempt::Idle => {}
    }
}
