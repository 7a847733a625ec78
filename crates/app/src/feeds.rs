//! Daily production of feeds in a server: by one replica, on threads that serve no requests.

use std::{thread, time::Duration};

use anyhow::{Context, anyhow};
use parlance_domain::{
    access::TenantId,
    feed::{DayOutcome, DayRange, FeedPeriod, FeedProduction, FileFormat, ProductionObserver, plan::next_time_of_day},
    lease::{LeaseName, Leases},
    limits::LEASE_SECONDS,
    time::Clock,
};
use tokio::{sync::oneshot, time::sleep};

use crate::{lease::release_lease, metrics::FeedMetrics, settings::Settings, system::SystemClock, wiring::Stores};

/// Runs asynchronous work on two threads of its own, one for the work and one for the tasks that it spawns. Long
/// computations between two awaits then delay nothing else.
pub(crate) async fn run_on_own_threads<T, F>(work: F) -> anyhow::Result<T>
where
    T: Send + 'static,
    F: AsyncFnOnce() -> anyhow::Result<T> + Send + 'static,
{
    let (sender, receiver) = oneshot::channel();
    let run = move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let outcome = runtime.context("failed to start a runtime").and_then(|runtime| runtime.block_on(work()));
        // The receiver is gone if the process is stopping.
        let _ = sender.send(outcome);
    };
    thread::Builder::new().name("feeds".to_owned()).spawn(run).context("failed to start a thread")?;
    receiver.await.unwrap_or_else(|_| Err(anyhow!("the task panicked")))
}

/// Exports missing and outdated days of feeds once a day. Never returns. After a failure of any kind, the run of the
/// next day exports what is still missing.
pub(crate) async fn produce_daily(settings: &Settings, minute: u16, metrics: &FeedMetrics) {
    loop {
        let now = SystemClock.now();
        let wait = next_time_of_day(now, minute).as_micros() - now.as_micros();
        sleep(Duration::from_micros(wait.unsigned_abs())).await;
        let (settings, task_metrics) = (settings.clone(), metrics.clone());
        match run_on_own_threads(async move || produce_with_lease(&settings, task_metrics).await).await {
            Ok(true) => {
                metrics.record_success(SystemClock.now());
                tracing::info!("feeds are up to date");
            }
            Ok(false) => tracing::info!("another replica exports the feeds"),
            Err(error) => {
                metrics.record_failure();
                tracing::error!(cause = format!("{error:#}"), "the export of feeds is incomplete");
            }
        }
    }
}

/// Exports feeds if this replica gets the lease. Returns whether it got the lease.
async fn produce_with_lease(settings: &Settings, metrics: FeedMetrics) -> anyhow::Result<bool> {
    let stores = Stores::open(settings, false).await?;
    let production = stores.feed_production(settings);
    let logger = ProductionLogger(Some(metrics));
    let work = produce_all(&production, &settings.feeds.formats, &logger);
    let outcome = with_lease(&stores.leases(), work).await;
    // The feeds are already written: a failure to close the database does not fail the production.
    if let Err(error) = stores.database.close().await {
        tracing::warn!(%error, "failed to close the database");
    }
    outcome
}

/// Runs the work if this replica gets the lease, and returns whether it got the lease. The work stops at once if the
/// lease is lost.
async fn with_lease(leases: &Leases, work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<bool> {
    if leases.acquire(LeaseName::FeedProduction).await?.is_none() {
        return Ok(false);
    }
    let outcome = tokio::select! {
        outcome = work => outcome,
        error = renew_until_lost(leases) => Err(error),
    };
    release_lease(leases, LeaseName::FeedProduction).await;
    outcome.map(|()| true)
}

async fn produce_all(
    production: &FeedProduction,
    formats: &[FileFormat],
    logger: &ProductionLogger,
) -> anyhow::Result<()> {
    for tenant in production.tenants().await? {
        let produced = production.produce(&tenant, formats, DayRange::default(), logger).await;
        produced.with_context(|| format!("tenant {tenant}"))?;
    }
    Ok(())
}

/// Renews the lease until that fails, and returns the reason.
async fn renew_until_lost(leases: &Leases) -> anyhow::Error {
    loop {
        sleep(Duration::from_secs(LEASE_SECONDS.unsigned_abs() / 3)).await;
        match leases.acquire(LeaseName::FeedProduction).await {
            Ok(Some(_)) => {}
            Ok(None) => return anyhow!("another replica holds the lease"),
            Err(error) => return anyhow::Error::from(error).context("failed to renew the lease"),
        }
    }
}

/// Logs each exported day and, given metrics, counts its rows.
pub(crate) struct ProductionLogger(pub(crate) Option<FeedMetrics>);

impl ProductionObserver for ProductionLogger {
    fn wants_row_count(&self) -> bool {
        false
    }

    fn export_started(&self, _: &TenantId, _: &FeedPeriod, _: Option<u64>) {}

    fn rows_written(&self, _: u64) {}

    fn export_finished(&self, tenant: &TenantId, period: &FeedPeriod, outcome: DayOutcome) {
        let (tenant, dataset, day) = (tenant.as_str(), &period.dataset, period.day.to_string());
        let (feed, format) = (dataset.feed.as_str(), dataset.format.as_str());
        if let DayOutcome::Written { revision, rows, bytes, complete: _ } = outcome {
            if let Some(metrics) = &self.0 {
                metrics.add_rows(dataset, rows);
            }
            tracing::info!(tenant, feed, format, day, revision, rows, bytes, "exported a day of a feed");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parlance_domain::{
        error::{StoreError, StoreErrorKind},
        lease::{LeaseTerm, MockLeaseStore, ReplicaId},
    };

    use super::*;

    fn leases(store: MockLeaseStore) -> Leases {
        Leases::new(Arc::new(store), Arc::new(SystemClock), ReplicaId::from_bits(1))
    }

    /// Runs work with this result, under a lease that is granted and cannot be released.
    async fn run_with_unreleasable_lease(result: anyhow::Result<()>) -> anyhow::Result<bool> {
        let mut store = MockLeaseStore::new();
        store.expect_acquire().returning(|_| Ok(Some(LeaseTerm(1))));
        store.expect_release().returning(|_, _| Err(StoreError::new(StoreErrorKind::Unavailable, "out of reach")));
        with_lease(&leases(store), async { result }).await
    }

    #[tokio::test]
    async fn a_lease_that_cannot_be_released_does_not_hide_the_result_of_the_work() {
        assert!(run_with_unreleasable_lease(Ok(())).await.unwrap());
        assert_eq!(
            run_with_unreleasable_lease(Err(anyhow!("the disk is full"))).await.unwrap_err().to_string(),
            "the disk is full"
        );
    }

    #[tokio::test]
    async fn without_the_lease_no_work_is_done() {
        let mut store = MockLeaseStore::new();
        store.expect_acquire().returning(|_| Ok(None));
        assert!(!with_lease(&leases(store), async { unreachable!("the lease is not granted") }).await.unwrap());
    }

    #[tokio::test]
    async fn a_panic_in_the_work_becomes_an_error_without_its_message() {
        let failed = run_on_own_threads::<(), _>(async || panic!("not to be repeated")).await.unwrap_err();
        assert_eq!(failed.to_string(), "the task panicked");
        assert_eq!(run_on_own_threads(async || Ok(7)).await.unwrap(), 7);
    }
}
