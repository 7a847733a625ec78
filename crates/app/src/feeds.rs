//! Production of feeds beside a server: once a day, by one replica, on threads that serve no requests.

use std::{thread, time::Duration};

use anyhow::{Context, anyhow};
use parlance_domain::{
    access::TenantId,
    feed::{DayOutcome, DayRange, FeedDay, FeedProduction, Format, ProductionWatch, plan::next_at},
    lease::{Duties, Duty},
    limits::LEASE_SECONDS,
    time::Clock,
};
use tokio::{sync::oneshot, time::sleep};

use crate::{duty::give_back, metrics::FeedMetrics, service::Stores, settings::Settings, system::SystemClock};

/// Does asynchronous work on two threads of its own, one for the work and one for what it spawns: what takes long between
/// two awaits then holds up nothing else.
pub(crate) async fn on_own_threads<T, F>(work: F) -> anyhow::Result<T>
where
    T: Send + 'static,
    F: AsyncFnOnce() -> anyhow::Result<T> + Send + 'static,
{
    let (done, is_done) = oneshot::channel();
    let run = move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let outcome = runtime.context("no threads can be started").and_then(|runtime| runtime.block_on(work()));
        // Nobody listens any more where the process stops.
        let _ = done.send(outcome);
    };
    thread::Builder::new().name("feeds".to_owned()).spawn(run).context("no thread can be started")?;
    is_done.await.unwrap_or_else(|_| Err(anyhow!("the work ended in a panic")))
}

/// Produces every day what is missing or out of date, for as long as it is run. A day on which that fails, in whatever
/// way, is made up for on the next.
pub(crate) async fn produce_daily(settings: &Settings, minute: u16, metrics: &FeedMetrics) {
    loop {
        let now = SystemClock.now();
        let wait = next_at(now, minute).as_micros() - now.as_micros();
        sleep(Duration::from_micros(wait.unsigned_abs())).await;
        let (settings, watched) = (settings.clone(), metrics.clone());
        match on_own_threads(async move || produce_as_duty(&settings, watched).await).await {
            Ok(true) => {
                metrics.succeeded(SystemClock.now());
                tracing::info!("feeds are up to date");
            }
            Ok(false) => tracing::info!("feeds are produced by another replica"),
            Err(error) => {
                metrics.failed();
                tracing::error!(cause = format!("{error:#}"), "feeds are not all produced");
            }
        }
    }
}

/// Produces where this replica is given the duty, and tells whether it was.
async fn produce_as_duty(settings: &Settings, metrics: FeedMetrics) -> anyhow::Result<bool> {
    let stores = Stores::open(settings, false).await?;
    let production = stores.feed_production(settings);
    let watch = LogWatch(Some(metrics));
    let work = produce_all(&production, &settings.feeds.formats, &watch);
    let outcome = while_on_duty(&stores.duties(), work).await;
    // The feeds are written before: no production has failed for it.
    if let Err(error) = stores.database.close().await {
        tracing::warn!(%error, "the database did not close in order");
    }
    outcome
}

/// Does the work where this replica is given the duty, and tells whether it was. A replica that loses it stops at once.
async fn while_on_duty(duties: &Duties, work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<bool> {
    if duties.take(Duty::FeedProduction).await?.is_none() {
        return Ok(false);
    }
    let outcome = tokio::select! {
        outcome = work => outcome,
        lost = keep(duties) => Err(lost),
    };
    give_back(duties, Duty::FeedProduction).await;
    outcome.map(|()| true)
}

async fn produce_all(production: &FeedProduction, formats: &[Format], watch: &LogWatch) -> anyhow::Result<()> {
    for tenant in production.tenants().await? {
        let produced = production.produce(&tenant, formats, DayRange::default(), watch).await;
        produced.with_context(|| format!("of {tenant}"))?;
    }
    Ok(())
}

/// Keeps the duty as long as it can, and tells why it could not.
async fn keep(duties: &Duties) -> anyhow::Error {
    loop {
        sleep(Duration::from_secs(LEASE_SECONDS.unsigned_abs() / 3)).await;
        match duties.take(Duty::FeedProduction).await {
            Ok(Some(_)) => {}
            Ok(None) => return anyhow!("another replica has taken over"),
            Err(error) => return anyhow::Error::from(error).context("the duty cannot be kept"),
        }
    }
}

/// Logs each day that is written, and counts its rows where there is something to count them by.
pub(crate) struct LogWatch(pub(crate) Option<FeedMetrics>);

impl ProductionWatch for LogWatch {
    fn wants_total(&self) -> bool {
        false
    }

    fn begins(&self, _: &TenantId, _: &FeedDay, _: Option<u64>) {}

    fn rows(&self, _: u64) {}

    fn ends(&self, tenant: &TenantId, day: &FeedDay, outcome: DayOutcome) {
        let (tenant, table, day) = (tenant.as_str(), &day.table, day.day.to_string());
        let (feed, format) = (table.feed.as_str(), table.format.as_str());
        if let DayOutcome::Written { revision, rows, bytes, complete: _ } = outcome {
            if let Some(metrics) = &self.0 {
                metrics.written(table, rows);
            }
            tracing::info!(tenant, feed, format, day, revision, rows, bytes, "a day of a feed is written");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parlance_domain::{
        error::{StoreError, StoreErrorKind},
        lease::{MockLeaseStore, ReplicaId, Term},
    };

    use super::*;

    fn duties(store: MockLeaseStore) -> Duties {
        Duties::new(Arc::new(store), Arc::new(SystemClock), ReplicaId::from_bits(1))
    }

    /// What is told of work with such an end, by a replica that is given the duty and cannot give it back.
    async fn told_of(end: anyhow::Result<()>) -> anyhow::Result<bool> {
        let mut store = MockLeaseStore::new();
        store.expect_take().returning(|_| Ok(Some(Term(1))));
        store.expect_give_back().returning(|_, _| Err(StoreError::new(StoreErrorKind::Unavailable, "out of reach")));
        while_on_duty(&duties(store), async { end }).await
    }

    #[tokio::test]
    async fn a_duty_that_cannot_be_given_back_hides_nothing_of_the_work() {
        assert!(told_of(Ok(())).await.unwrap());
        assert_eq!(told_of(Err(anyhow!("the disk is full"))).await.unwrap_err().to_string(), "the disk is full");
    }

    #[tokio::test]
    async fn who_is_not_given_the_duty_does_nothing() {
        let mut store = MockLeaseStore::new();
        store.expect_take().returning(|_| Ok(None));
        assert!(!while_on_duty(&duties(store), async { unreachable!("another replica does it") }).await.unwrap());
    }

    #[tokio::test]
    async fn work_that_panics_is_told_as_a_failure_of_its_own() {
        let failed = on_own_threads::<(), _>(async || panic!("not to be repeated")).await.unwrap_err();
        assert_eq!(failed.to_string(), "the work ended in a panic");
        assert_eq!(on_own_threads(async || Ok(7)).await.unwrap(), 7);
    }
}
