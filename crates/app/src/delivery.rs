//! The task that delivers vocabularies to the transcription component, on one replica at a time.

use std::{collections::HashMap, sync::Arc, time::Duration};

use anyhow::Context;
use parlance_adapters_objects::ObjectVocabularies;
use parlance_adapters_sql::SqlDeliveries;
use parlance_adapters_transcription::{DirectoryComponent, HttpComponent, encode_document};
use parlance_domain::{
    access::TenantId,
    file_mode::FileMode,
    lease::{LeaseName, Leases},
    limits::{DELIVERY_TIMEOUT_SECONDS, LEASE_SECONDS},
    time::Clock,
    vocabulary::delivery::{DeliveryOutcome, Reconciler, TranscriptionComponent},
};
use tokio::{
    sync::watch,
    task::{Id, JoinSet},
    time::{MissedTickBehavior, interval},
};

use tracing::Instrument;

use crate::{
    lease::KeptLease,
    metrics::Metrics,
    settings::{DeliveryTarget, Settings},
    tls,
    traces::Tracers,
    wiring::Stores,
};

/// Time between two checks for due deliveries. With a healthy component, a delivery waits for no more than this.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum number of concurrent deliveries.
const MAX_CONCURRENT: usize = 16;

/// Time after a lease request in which deliveries may start. Each of them ends, within its own timeout and one more
/// second, before another replica can get the lease.
const START_WINDOW: Duration = Duration::from_secs(LEASE_SECONDS.unsigned_abs() - DELIVERY_TIMEOUT_SECONDS - 1);

/// Number of consecutive failures per warning in the log. The first of them is the warning.
const FAILURES_PER_WARNING: u32 = 20;

/// Opens the component that the setting names.
///
/// # Errors
/// If it is already certain that no vocabulary can be delivered there.
pub(crate) fn open_component(
    target: &DeliveryTarget,
    mode: FileMode,
    clock: Arc<dyn Clock>,
    tracers: &Tracers,
) -> anyhow::Result<Arc<dyn TranscriptionComponent>> {
    Ok(match target {
        DeliveryTarget::Http { address, key } => {
            Arc::new(HttpComponent::new(address.clone(), key.clone(), clock).with_tracer(tracers.delivery_tracer()))
        }
        DeliveryTarget::Directory(directory) => {
            Arc::new(DirectoryComponent::new(directory).context("vocabulary_delivery_url")?.with_mode(mode))
        }
        DeliveryTarget::Bucket(address) => {
            tls::install_provider();
            Arc::new(ObjectVocabularies::open(address.reveal(), encode_document).context("vocabulary_delivery_url")?)
        }
    })
}

/// Delivers vocabularies to the transcription component until it is stopped.
pub(crate) struct DeliveryTask {
    reconciler: Reconciler,
    lease: KeptLease,
    metrics: Metrics,
    tracers: Tracers,
    running: JoinSet<()>,
    tenants: HashMap<Id, TenantId>,
    /// Whether more deliveries may be due than were started.
    has_more: bool,
}

impl DeliveryTask {
    /// Builds the task. `None` without a target of vocabularies.
    ///
    /// # Errors
    /// If it is already certain that no vocabulary can be delivered to the target.
    pub(crate) fn build(stores: &Stores, settings: &Settings, metrics: &Metrics) -> anyhow::Result<Option<Self>> {
        let Some(target) = &settings.vocabulary_delivery else { return Ok(None) };
        let component = open_component(target, settings.output_mode, Arc::clone(&stores.clock), &stores.tracers)?;
        let store = Arc::new(SqlDeliveries::new(stores.database.clone()));
        let reconciler = Reconciler::new(store, component, Arc::clone(&stores.clock));
        Ok(Some(Self::new(reconciler, stores.leases(), metrics.clone(), stores.tracers.clone())))
    }

    fn new(reconciler: Reconciler, leases: Leases, metrics: Metrics, tracers: Tracers) -> Self {
        let lease = KeptLease::new(leases, LeaseName::VocabularyDelivery, START_WINDOW);
        let (running, tenants) = (JoinSet::new(), HashMap::new());
        Self { reconciler, lease, metrics, tracers, running, tenants, has_more: false }
    }

    /// Runs until `stop` becomes true, then waits for running deliveries and releases the lease.
    pub(crate) async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let mut ticks = interval(POLL_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                _ = ticks.tick() => {
                    self.renew().await;
                    self.start_due().await;
                }
                Some(result) = self.running.join_next_with_id() => {
                    let id = result.map_or_else(|panicked| panicked.id(), |(id, ())| id);
                    self.tenants.remove(&id);
                    if self.has_more {
                        self.start_due().await;
                    }
                }
            }
        }
        while self.running.join_next().await.is_some() {}
        self.lease.release().await;
    }

    async fn renew(&mut self) {
        match self.lease.renew().await {
            Ok(true) => {
                tracing::info!(delivers = self.lease.term().is_some(), "the delivery lease was acquired or lost");
            }
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "failed to renew the delivery lease"),
        }
    }

    /// Starts due deliveries, up to the maximum number.
    async fn start_due(&mut self) {
        self.has_more = false;
        if self.lease.term().is_none() {
            return;
        }
        // Running deliveries are still due. Twice the maximum is requested, so that enough others are among the result.
        let due = match self.reconciler.due(u16::try_from(2 * MAX_CONCURRENT).unwrap_or(u16::MAX)).await {
            Ok(due) => due,
            Err(error) => return tracing::warn!(%error, "failed to read which vocabularies are due"),
        };
        for tenant in due {
            if self.tenants.values().any(|running| *running == tenant) {
                continue;
            }
            if self.running.len() >= MAX_CONCURRENT {
                self.has_more = true;
                return;
            }
            let delivery = deliver(self.reconciler.clone(), self.metrics.clone(), tenant.clone());
            let delivery = delivery.instrument(self.tracers.begin_delivery(&tenant));
            self.tenants.insert(self.running.spawn(delivery).id(), tenant);
        }
    }
}

/// Delivers one vocabulary, and counts and logs the outcome.
async fn deliver(reconciler: Reconciler, metrics: Metrics, tenant: TenantId) {
    let tenant_name = tenant.as_str();
    let attempt = match reconciler.deliver(&tenant).await {
        Ok(attempt) => attempt,
        Err(error) => return tracing::warn!(tenant = tenant_name, %error, "failed to record a delivery"),
    };
    metrics.record_delivery(&attempt);
    match attempt {
        DeliveryOutcome::Delivered { version, latency } => {
            let seconds = latency.as_secs_f64();
            tracing::info!(tenant = tenant_name, version, seconds, "vocabulary delivered");
        }
        DeliveryOutcome::Failed { error, failures } => {
            let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            if failures % FAILURES_PER_WARNING == 1 {
                tracing::warn!(tenant = tenant_name, %error, cause, failures, "vocabulary not delivered");
            } else {
                tracing::debug!(tenant = tenant_name, %error, cause, failures, "vocabulary not delivered");
            }
        }
        DeliveryOutcome::Idle => {}
    }
}
