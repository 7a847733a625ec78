//! Production of feeds in a server: by one replica at a time, on threads that serve no requests.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, anyhow};
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::ChangeLog,
    feed::{Day, DayRange, FeedProduction, FeedWriteError, FileFormat, IntervalLength, ProductionObserver},
    lease::{LeaseName, Leases},
    time::Clock,
};
use tokio::{sync::watch, task::JoinSet, time::sleep};

use crate::{
    feed_announcements::FeedAnnouncements,
    feed_log::ProductionLogger,
    feed_runtime::FeedRuntime,
    feed_schedule::{ExportEnd, ExportKind, FeedSchedule},
    lease::{release_lease, renew_until_lost},
    metrics::FeedMetrics,
    settings::FeedSettings,
    system::SystemClock,
};

/// Exports missing and outdated days of feeds once a day and, if days are written by their hours, the closed hours after
/// each full hour.
pub(crate) struct FeedTask {
    production: FeedProduction,
    /// Is told of completed days.
    log: Arc<dyn ChangeLog>,
    leases: Leases,
    formats: Vec<FileFormat>,
    /// The minute of the UTC day at which the export starts.
    minute: u16,
    length: IntervalLength,
    metrics: FeedMetrics,
    /// Started by the first export. It runs until the task ends, because the connections that an export opened in the
    /// shared pools of the database depend on it.
    runtime: Option<FeedRuntime>,
}

/// The end of a run that did not fail.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RunEnd {
    /// Every feed is up to date.
    Finished,
    /// Another replica holds the lease.
    LeaseHeldElsewhere,
    /// The run took as long as it may.
    ReachedLimit,
    /// The server stops.
    Stopped,
}

impl FeedTask {
    /// A task that exports at the minute of the settings. `None` if they contain no time for it.
    pub(crate) fn new(
        (production, log): (FeedProduction, Arc<dyn ChangeLog>),
        leases: Leases,
        settings: &FeedSettings,
        metrics: FeedMetrics,
    ) -> Option<Self> {
        let (formats, minute) = (settings.formats.clone(), settings.export_minute?);
        Some(Self { production, log, leases, formats, minute, length: settings.intervals, metrics, runtime: None })
    }

    /// Runs until `stop` becomes true, then interrupts a running export and releases the lease. After a failure of any
    /// kind, or an interruption, the next run exports what is still missing.
    pub(crate) async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let mut schedule = FeedSchedule::new(self.minute, self.length, SystemClock.now());
        loop {
            let (kind, due) = schedule.next();
            let wait = (due.as_micros() - SystemClock.now().as_micros()).max(0);
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                () = sleep(Duration::from_micros(wait.unsigned_abs())) => {}
            }
            let began = SystemClock.now();
            let ended = self.produce(kind, schedule.time_limit(kind, began), &mut stop).await;
            let end = self.report(kind, ended);
            schedule.record_end(kind, began, SystemClock.now(), end);
        }
        if let Some(runtime) = self.runtime {
            runtime.stop().await;
        }
    }

    /// Logs and counts the end of a run.
    fn report(&self, kind: ExportKind, ended: anyhow::Result<RunEnd>) -> ExportEnd {
        match ended {
            Ok(RunEnd::Finished) => {
                match kind {
                    ExportKind::Hours => self.metrics.record_hours(SystemClock.now()),
                    ExportKind::All => self.metrics.record_success(SystemClock.now()),
                }
                tracing::info!("feeds are up to date");
                return ExportEnd::Succeeded;
            }
            Ok(RunEnd::ReachedLimit) => {
                tracing::info!("the export of feeds continues after the export of the next hour");
                return ExportEnd::ReachedLimit;
            }
            Ok(RunEnd::LeaseHeldElsewhere) => tracing::info!("another replica exports the feeds"),
            Ok(RunEnd::Stopped) => tracing::info!("the export of feeds was interrupted; the next one continues"),
            Err(error) => {
                self.metrics.record_failure();
                tracing::error!(cause = format!("{error:#}"), "the export of feeds is incomplete");
            }
        }
        ExportEnd::NotDone
    }

    async fn produce(
        &mut self,
        kind: ExportKind,
        limit: Option<Duration>,
        stop: &mut watch::Receiver<bool>,
    ) -> anyhow::Result<RunEnd> {
        let runtime = match &mut self.runtime {
            Some(runtime) => runtime,
            none => none.insert(FeedRuntime::start()?),
        };
        let range = match kind {
            ExportKind::All => DayRange::default(),
            ExportKind::Hours => {
                let from = Day::containing(SystemClock.now()).previous();
                DayRange { from, missing_only: true, ..DayRange::default() }
            }
        };
        let source = (self.production.clone(), Arc::clone(&self.log));
        let work = produce_all(source, self.formats.clone(), range, self.metrics.clone());
        with_lease(&self.leases, runtime, work, limit, stop).await
    }
}

/// Runs the work if this replica gets the lease. The work ends at its next await if the lease is lost, `limit` is over, or
/// `stop` becomes true. The lease is released after the end of the work.
pub(crate) async fn with_lease(
    leases: &Leases,
    runtime: &FeedRuntime,
    work: impl Future<Output = anyhow::Result<()>> + Send + 'static,
    limit: Option<Duration>,
    stop: &mut watch::Receiver<bool>,
) -> anyhow::Result<RunEnd> {
    if leases.acquire(LeaseName::FeedProduction).await?.is_none() {
        return Ok(RunEnd::LeaseHeldElsewhere);
    }
    tracing::info!("exporting feeds");
    let mut running = JoinSet::new();
    running.spawn_on(work, runtime.handle());
    let outcome = tokio::select! {
        // The message of a panic is left out, because it may contain stored texts.
        Some(ended) = running.join_next() => {
            ended.unwrap_or_else(|_| Err(anyhow!("the task panicked"))).map(|()| RunEnd::Finished)
        }
        error = renew_until_lost(leases, LeaseName::FeedProduction) => Err(error),
        () = sleep(limit.unwrap_or(Duration::MAX)) => Ok(RunEnd::ReachedLimit),
        _ = stop.wait_for(|stop| *stop) => Ok(RunEnd::Stopped),
    };
    running.shutdown().await;
    release_lease(leases, LeaseName::FeedProduction).await;
    outcome
}

/// Exports the feeds of all tenants. The failure of one tenant does not hold up the others; the first failure is returned.
async fn produce_all(
    source: (FeedProduction, Arc<dyn ChangeLog>),
    formats: Vec<FileFormat>,
    range: DayRange,
    metrics: FeedMetrics,
) -> anyhow::Result<()> {
    let (logger, mut outcome) = (ProductionLogger(Some(metrics)), Ok(()));
    for tenant in source.0.tenants().await? {
        outcome = outcome.and(produce_tenant(&source, &tenant, &formats, range, &logger).await);
    }
    outcome
}

/// Exports the feeds of a tenant, and tells the change log of its days.
pub(crate) async fn produce_tenant(
    (production, log): &(FeedProduction, Arc<dyn ChangeLog>),
    tenant: &TenantId,
    formats: &[FileFormat],
    range: DayRange,
    observer: &dyn ProductionObserver,
) -> anyhow::Result<()> {
    let announcements = FeedAnnouncements::new(observer, Day::containing(SystemClock.now()));
    let produced = production.produce(tenant, formats, range, &announcements).await;
    announced(produced, announcements.append_to(&**log, tenant).await, tenant)
}

/// Writes the feeds of a tenant again after an erasure, and tells the change log of its days.
pub(crate) async fn rewrite_tenant(
    (production, log): &(FeedProduction, Arc<dyn ChangeLog>),
    tenant: &TenantId,
    formats: &[FileFormat],
    observer: &dyn ProductionObserver,
) -> anyhow::Result<()> {
    let announcements = FeedAnnouncements::new(observer, Day::containing(SystemClock.now()));
    let rewritten = production.rewrite(tenant, formats, &announcements).await;
    announced(rewritten, announcements.append_to(&**log, tenant).await, tenant)
}

fn announced(
    produced: Result<(), FeedWriteError>,
    announced: Result<(), StoreError>,
    tenant: &TenantId,
) -> anyhow::Result<()> {
    produced.and(announced.map_err(Into::into)).with_context(|| format!("tenant {tenant}"))
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use parlance_domain::{
        error::{StoreError, StoreErrorKind},
        lease::{LeaseTerm, MockLeaseStore, ReplicaId},
    };
    use tokio::sync::oneshot;

    use super::*;

    /// Runs work under these leases, in a server that does not stop.
    async fn run_with_leases(
        store: MockLeaseStore,
        work: impl Future<Output = anyhow::Result<()>> + Send + 'static,
    ) -> anyhow::Result<RunEnd> {
        let (_stop, mut stopped) = watch::channel(false);
        run_until_stopped(store, work, &mut stopped).await
    }

    async fn run_until_stopped(
        store: MockLeaseStore,
        work: impl Future<Output = anyhow::Result<()>> + Send + 'static,
        stop: &mut watch::Receiver<bool>,
    ) -> anyhow::Result<RunEnd> {
        let leases = Leases::new(Arc::new(store), ReplicaId::from_bits(1));
        let runtime = FeedRuntime::start().unwrap();
        let outcome = with_lease(&leases, &runtime, work, None, stop).await;
        runtime.stop().await;
        outcome
    }

    /// Runs work with this result, under a lease that is granted and cannot be released.
    async fn run_with_unreleasable_lease(result: anyhow::Result<()>) -> anyhow::Result<RunEnd> {
        let mut store = MockLeaseStore::new();
        store.expect_acquire().returning(|_| Ok(Some(LeaseTerm(1))));
        store.expect_release().returning(|_, _| Err(StoreError::new(StoreErrorKind::Unavailable, "out of reach")));
        run_with_leases(store, ready(result)).await
    }

    #[tokio::test]
    async fn a_lease_that_cannot_be_released_does_not_hide_the_result_of_the_work() {
        assert_eq!(run_with_unreleasable_lease(Ok(())).await.unwrap(), RunEnd::Finished);
        assert_eq!(
            run_with_unreleasable_lease(Err(anyhow!("the disk is full"))).await.unwrap_err().to_string(),
            "the disk is full"
        );
    }

    #[tokio::test]
    async fn without_the_lease_no_work_is_done() {
        let mut store = MockLeaseStore::new();
        store.expect_acquire().returning(|_| Ok(None));
        let work = async { unreachable!("the lease is not granted") };
        assert_eq!(run_with_leases(store, work).await.unwrap(), RunEnd::LeaseHeldElsewhere);
    }

    #[tokio::test]
    async fn work_that_panics_releases_its_lease() {
        let mut store = MockLeaseStore::new();
        store.expect_acquire().returning(|_| Ok(Some(LeaseTerm(1))));
        store.expect_release().times(1).returning(|_, _| Ok(()));
        let failed = run_with_leases(store, async { panic!("not to be repeated") }).await.unwrap_err();
        assert_eq!(failed.to_string(), "the task panicked");
    }

    #[tokio::test]
    async fn a_stop_ends_the_work_before_it_releases_the_lease() {
        let (mut store, (stop, mut stopped)) = (MockLeaseStore::new(), watch::channel(false));
        let (work, mut work_end) = oneshot::channel::<()>();
        store.expect_acquire().returning(|_| Ok(Some(LeaseTerm(1))));
        store.expect_release().times(1).returning(move |_, _| {
            assert_eq!(work_end.try_recv(), Err(oneshot::error::TryRecvError::Closed));
            Ok(())
        });
        let endless = async move {
            let _work = work;
            stop.send(true).unwrap();
            pending().await
        };
        assert_eq!(run_until_stopped(store, endless, &mut stopped).await.unwrap(), RunEnd::Stopped);
    }
}
