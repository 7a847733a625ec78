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

use crate::{service::Stores, settings::Settings, system::SystemClock};

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
pub(crate) async fn produce_daily(settings: &Settings, minute: u16) {
    loop {
        let now = SystemClock.now();
        let wait = next_at(now, minute).as_micros() - now.as_micros();
        sleep(Duration::from_micros(wait.unsigned_abs())).await;
        let settings = settings.clone();
        match on_own_threads(async move || produce_as_duty(&settings).await).await {
            Ok(true) => tracing::info!("feeds are up to date"),
            Ok(false) => tracing::info!("feeds are produced by another replica"),
            Err(error) => tracing::error!(cause = format!("{error:#}"), "feeds are not all produced"),
        }
    }
}

/// Produces where this replica is given the duty, and tells whether it was. A replica that loses it stops at once.
async fn produce_as_duty(settings: &Settings) -> anyhow::Result<bool> {
    let stores = Stores::open(settings, false).await?;
    let (production, duties) = (stores.feed_production(settings), stores.duties());
    if duties.take(Duty::FeedProduction).await?.is_none() {
        return Ok(false);
    }
    let outcome = tokio::select! {
        outcome = produce_all(&production, &settings.feeds.formats) => outcome,
        lost = keep(&duties) => Err(lost),
    };
    duties.give_back(Duty::FeedProduction).await?;
    stores.database.close().await?;
    outcome.map(|()| true)
}

async fn produce_all(production: &FeedProduction, formats: &[Format]) -> anyhow::Result<()> {
    for tenant in production.tenants().await? {
        let produced = production.produce(&tenant, formats, DayRange::default(), &LogWatch).await;
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

/// Logs each day that is written.
struct LogWatch;

impl ProductionWatch for LogWatch {
    fn wants_total(&self) -> bool {
        false
    }

    fn begins(&self, _: &TenantId, _: &FeedDay, _: Option<u64>) {}

    fn rows(&self, _: u64) {}

    fn ends(&self, tenant: &TenantId, day: &FeedDay, outcome: DayOutcome) {
        let (tenant, table, day) = (tenant.as_str(), &day.table, day.day.to_string());
        let (feed, format) = (table.feed.as_str(), table.format.as_str());
        if let DayOutcome::Written { revision, rows, bytes } = outcome {
            tracing::info!(tenant, feed, format, day, revision, rows, bytes, "a day of a feed is written");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_panics_is_told_as_a_failure_of_its_own() {
        let failed = on_own_threads::<(), _>(async || panic!("not to be repeated")).await.unwrap_err();
        assert_eq!(failed.to_string(), "the work ended in a panic");
        assert_eq!(on_own_threads(async || Ok(7)).await.unwrap(), 7);
    }
}
