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
    feed::{Dataset, Feed, FeedPeriod, FeedProduction, FileFormat, Interval, PeriodOutcome, ProductionObserver},
    lease::Leases,
    privacy::{DerivedData, DerivedDataKind, RemovalOutcome, RewriteRecorder},
};
use tokio::sync::{Mutex, watch};

use crate::{
    feed_log::ProductionLogger,
    feed_runtime::FeedRuntime,
    feeds::{RunEnd, rewrite_tenant, with_lease},
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

/// The outcome of a removal of this number of objects.
fn outcome(is_done: bool, removed: u64) -> RemovalOutcome {
    if is_done { RemovalOutcome::Done(removed) } else { RemovalOutcome::Waiting }
}

#[async_trait]
impl DerivedData for ServerFeedRewriter {
    fn kind(&self) -> DerivedDataKind {
        DerivedDataKind::Feeds
    }

    async fn remove_erased(
        &self,
        tenant: &TenantId,
        recorder: Arc<dyn RewriteRecorder>,
    ) -> Result<RemovalOutcome, StoreError> {
        if self.formats.is_empty() {
            return Ok(RemovalOutcome::NotKept);
        }
        let observer = RewrittenPeriods { logger: ProductionLogger(self.metrics.clone()), recorder };
        let (source, formats, tenant) =
            ((self.production.clone(), Arc::clone(&self.log)), self.formats.clone(), tenant.clone());
        let work = async move { rewrite_tenant(&source, &tenant, &formats, &observer).await };
        Ok(outcome(self.run(work).await?, 0))
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
        Ok(outcome(self.run(work).await?, removed.load(Ordering::Relaxed)))
    }
}

/// The number of a period that is written for the first time.
const FIRST_REVISION: u32 = 1;

/// Logs what is written, and records the periods that are written again. Periods that are written for the first time held
/// nothing that was erased.
struct RewrittenPeriods {
    logger: ProductionLogger,
    recorder: Arc<dyn RewriteRecorder>,
}

#[async_trait]
impl ProductionObserver for RewrittenPeriods {
    fn wants_row_count(&self) -> bool {
        self.logger.wants_row_count()
    }

    fn export_started(&self, tenant: &TenantId, feed: Feed, interval: Interval, total: Option<u64>) {
        self.logger.export_started(tenant, feed, interval, total);
    }

    fn rows_written(&self, count: u64) {
        self.logger.rows_written(count);
    }

    async fn before_publication(&self, _: &TenantId, period: &FeedPeriod, revision: u32) -> Result<(), StoreError> {
        if revision == FIRST_REVISION {
            return Ok(());
        }
        let FeedPeriod { dataset: Dataset { feed, version, format }, interval } = period;
        self.recorder.record(&format!("{feed} {version} {format} {interval} revision {revision}")).await
    }

    fn export_finished(&self, tenant: &TenantId, period: &FeedPeriod, outcome: PeriodOutcome) {
        self.logger.export_finished(tenant, period, outcome);
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::{feed::Day, privacy::MockRewriteRecorder};

    use super::*;

    #[tokio::test]
    async fn only_periods_that_are_written_again_are_recorded_each_with_its_revision() {
        let mut recorder = MockRewriteRecorder::new();
        let is_second = |name: &str| name.starts_with("messages ") && name.ends_with(" 2026-01-31 revision 2");
        recorder.expect_record().withf(is_second).once().returning(|_| Ok(()));
        let observer = RewrittenPeriods { logger: ProductionLogger(None), recorder: Arc::new(recorder) };
        let period = Feed::Messages.dataset(FileFormat::JsonLines).period(Day::parse("2026-01-31").unwrap());
        for revision in [1, 2] {
            observer.before_publication(&TenantId::parse("acme").unwrap(), &period, revision).await.unwrap();
        }
    }
}
