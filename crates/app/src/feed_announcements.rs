//! Tells the change log of the days of feeds that a production run has completed.

use std::sync::Mutex;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{ChangeLog, FeedChange},
    feed::{Day, Feed, FeedPeriod, Interval, PeriodOutcome, ProductionObserver},
    sync,
};

/// Passes what it observes on, and collects the changes of days.
pub(crate) struct FeedAnnouncements<'run> {
    observer: &'run dyn ProductionObserver,
    today: Day,
    changes: Mutex<Vec<FeedChange>>,
}

impl<'run> FeedAnnouncements<'run> {
    pub(crate) fn new(observer: &'run dyn ProductionObserver, today: Day) -> Self {
        Self { observer, today, changes: Mutex::default() }
    }

    /// Tells the log of the collected changes. A day is told once, with its newest revision, after it is written in all
    /// formats. Without this call, or after an error, the next run collects them again.
    ///
    /// # Errors
    /// [`StoreError`]. The same call can be repeated: the log ignores what it knows.
    pub(crate) async fn append_to(&self, log: &dyn ChangeLog, tenant: &TenantId) -> Result<(), StoreError> {
        let mut changes = sync::lock(&self.changes).clone();
        changes.sort_by(|one, other| (&one.feed, one.day, other.revision).cmp(&(&other.feed, other.day, one.revision)));
        changes.dedup_by(|later, first| (&later.feed, later.day) == (&first.feed, first.day));
        for change in &changes {
            log.append_feed_change(tenant, change).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl ProductionObserver for FeedAnnouncements<'_> {
    fn wants_row_count(&self) -> bool {
        self.observer.wants_row_count()
    }

    fn export_started(&self, tenant: &TenantId, feed: Feed, interval: Interval, total: Option<u64>) {
        self.observer.export_started(tenant, feed, interval, total);
    }

    fn rows_written(&self, count: u64) {
        self.observer.rows_written(count);
    }

    async fn before_publication(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        revision: u32,
    ) -> Result<(), StoreError> {
        self.observer.before_publication(tenant, period, revision).await
    }

    fn export_finished(&self, tenant: &TenantId, period: &FeedPeriod, outcome: PeriodOutcome) {
        sync::lock(&self.changes).extend(FeedChange::of_outcome(period, outcome, self.today));
        self.observer.export_finished(tenant, period, outcome);
    }
}
