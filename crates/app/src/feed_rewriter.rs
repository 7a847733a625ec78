//! Writes the feeds of a tenant again after an erasure, by the production of feeds of the server, or removes them.

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

/// Writes feeds again, or removes them, under the lease of their production, on threads that serve no requests.
pub(crate) struct ServerFeedRewriter {
    production: FeedProduction,
    log: Arc<dyn ChangeLog>,
    leases: Leases,
    /// Empty if the server does not produce feeds.
    formats: Vec<FileFormat>,
    /// Where written rows are counted, in a server.
    metrics: Option<FeedMetrics>,
    runtime: Mutex<Option<FeedRuntime>>,
}

impl ServerFeedRewriter {
    pub(crate) fn new(
        (production, log): (FeedProduction, Arc<dyn ChangeLog>),
        leases: Leases,
        formats: Vec<FileFormat>,
        metrics: Option<FeedMetrics>,
    ) -> Self {
        Self { production, log, leases, formats, metrics, runtime: Mutex::new(None) }
    }

    /// Stops the threads.
    pub(crate) async fn stop(&self) {
        if let Some(runtime) = mem::take(&mut *self.runtime.lock().await) {
            runtime.stop().await;
        }
    }

    /// Runs the work on the threads, if this process gets the lease. Returns whether it did.
    async fn run(&self, work: impl Future<Output = anyhow::Result<()>> + Send + 'static) -> Result<bool, StoreError> {
        let failed = |error: anyhow::Error| StoreError::new(StoreErrorKind::Unavailable, format!("{error:#}"));
        let mut runtime = self.runtime.lock().await;
        let runtime = match &mut *runtime {
            Some(runtime) => runtime,
            none => none.insert(FeedRuntime::start().map_err(failed)?),
        };
        // The task that runs this is dropped when the server stops.
        let (_not_stopped, mut stop) = watch::channel(false);
        let end = with_lease(&self.leases, runtime, work, None, &mut stop).await.map_err(failed)?;
        Ok(end == RunEnd::Finished)
    }
}

/// The outcome of a removal, which counted what it removed.
fn outcome(is_done: bool, removed: &AtomicU64) -> RemovalOutcome {
    if is_done { RemovalOutcome::Done(removed.load(Ordering::Relaxed)) } else { RemovalOutcome::Waiting }
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
        let written = Arc::new(AtomicU64::new(0));
        let observer = WrittenPeriods { logger: ProductionLogger(self.metrics.clone()), written: Arc::clone(&written) };
        let (source, formats, tenant) =
            ((self.production.clone(), Arc::clone(&self.log)), self.formats.clone(), tenant.clone());
        let work = async move { produce_tenant(&source, &tenant, &formats, DayRange::default(), &observer).await };
        Ok(outcome(self.run(work).await?, &written))
    }

    async fn count_of_tenant(&self, tenant: &TenantId) -> Result<u64, StoreError> {
        self.production.count_files(tenant).await
    }

    /// Removes the files of every format, also if this server produces none.
    async fn remove_tenant(&self, tenant: &TenantId) -> Result<RemovalOutcome, StoreError> {
        let removed = Arc::new(AtomicU64::new(0));
        let (production, tenant, count) = (self.production.clone(), tenant.clone(), Arc::clone(&removed));
        let work = async move {
            count.store(production.remove_tenant(&tenant).await?, Ordering::Relaxed);
            Ok(())
        };
        Ok(outcome(self.run(work).await?, &removed))
    }
}

/// The number of a period that is written for the first time.
const FIRST_REVISION: u32 = 1;

/// Logs what is written, and counts the periods that are written again. Periods that are written for the first time held
/// nothing that was erased.
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
        if matches!(outcome, PeriodOutcome::Written { revision, .. } if revision > FIRST_REVISION) {
            self.written.fetch_add(1, Ordering::Relaxed);
        }
        self.logger.export_finished(tenant, period, outcome);
    }
}
