//! Writes the feeds of a tenant again after an erasure, by the production of feeds of the server.

use std::{
    mem,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    event::ChangeLog,
    feed::{DayRange, Feed, FeedPeriod, FeedProduction, FileFormat, Interval, PeriodOutcome, ProductionObserver},
    lease::Leases,
    privacy::{DerivedData, DerivedDataKind, RemovalOutcome},
};
use tokio::sync::{Mutex, watch};

use crate::{
    feed_log::ProductionLogger,
    feed_runtime::FeedRuntime,
    feeds::{RunEnd, produce_tenant, with_lease},
    metrics::FeedMetrics,
};

/// Writes feeds again under the lease of their production, on threads that serve no requests.
pub(crate) struct ServerFeedRewriter {
    production: FeedProduction,
    log: Arc<dyn ChangeLog>,
    leases: Leases,
    /// Empty if the server does not produce feeds.
    formats: Vec<FileFormat>,
    metrics: FeedMetrics,
    runtime: Mutex<Option<FeedRuntime>>,
}

impl ServerFeedRewriter {
    pub(crate) fn new(
        (production, log): (FeedProduction, Arc<dyn ChangeLog>),
        leases: Leases,
        formats: Vec<FileFormat>,
        metrics: FeedMetrics,
    ) -> Self {
        Self { production, log, leases, formats, metrics, runtime: Mutex::new(None) }
    }

    /// Stops the threads.
    pub(crate) async fn stop(&self) {
        if let Some(runtime) = mem::take(&mut *self.runtime.lock().await) {
            runtime.stop().await;
        }
    }
}

#[async_trait]
impl DerivedData for ServerFeedRewriter {
    fn kind(&self) -> DerivedDataKind {
        DerivedDataKind::Feeds
    }

    async fn remove_erased(&self, tenant: &TenantId) -> Result<RemovalOutcome, StoreError> {
        if self.formats.is_empty() {
            return Ok(RemovalOutcome::NotKept);
        }
        let failed = |error: anyhow::Error| StoreError::new(StoreErrorKind::Unavailable, format!("{error:#}"));
        let mut runtime = self.runtime.lock().await;
        let runtime = match &mut *runtime {
            Some(runtime) => runtime,
            none => none.insert(FeedRuntime::start().map_err(failed)?),
        };
        let written = Arc::new(AtomicU64::new(0));
        let observer =
            WrittenPeriods { logger: ProductionLogger(Some(self.metrics.clone())), written: Arc::clone(&written) };
        let (source, formats, tenant) =
            ((self.production.clone(), Arc::clone(&self.log)), self.formats.clone(), tenant.clone());
        let work = async move { produce_tenant(&source, &tenant, &formats, DayRange::default(), &observer).await };
        // The task that runs this is dropped when the server stops.
        let (_not_stopped, mut stop) = watch::channel(false);
        match with_lease(&self.leases, runtime, work, None, &mut stop).await.map_err(failed)? {
            RunEnd::Finished => Ok(RemovalOutcome::Done(written.load(Ordering::Relaxed))),
            RunEnd::LeaseHeldElsewhere | RunEnd::ReachedLimit | RunEnd::Stopped => Ok(RemovalOutcome::Waiting),
        }
    }
}

/// Logs what is written, and counts the periods.
struct WrittenPeriods {
    logger: ProductionLogger,
    written: Arc<AtomicU64>,
}

impl ProductionObserver for WrittenPeriods {
    fn wants_row_count(&self) -> bool {
        self.logger.wants_row_count()
    }

    fn export_started(&self, tenant: &TenantId, feed: Feed, interval: Interval, total: Option<u64>) {
        self.logger.export_started(tenant, feed, interval, total);
    }

    fn rows_written(&self, count: u64) {
        self.logger.rows_written(count);
    }

    fn export_finished(&self, tenant: &TenantId, period: &FeedPeriod, outcome: PeriodOutcome) {
        if matches!(outcome, PeriodOutcome::Written { .. }) {
            self.written.fetch_add(1, Ordering::Relaxed);
        }
        self.logger.export_finished(tenant, period, outcome);
    }
}
