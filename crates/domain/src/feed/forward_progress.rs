//! Whether the repeated runs of a production advance.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

use async_trait::async_trait;

use super::{Feed, FeedPeriod, Interval, PeriodOutcome, ProductionObserver};
use crate::{access::TenantId, error::StoreError, sync};

/// Counts what a run of a tenant's production does that no run before it did, and passes on what it observes.
///
/// A run that is repeated after a failure writes some rows again. These do not count: otherwise runs that all fail at the
/// same row would seem to advance.
pub struct ForwardProgress<'run> {
    observer: &'run dyn ProductionObserver,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    steps: u64,
    finished: BTreeSet<FeedPeriod>,
    /// The interval that the run writes, and its rows so far.
    current: Option<(Feed, Interval)>,
    rows: u64,
    /// The most rows of an interval that a run has reached since a period was finished.
    most_rows: BTreeMap<(Feed, Interval), u64>,
}

impl<'run> ForwardProgress<'run> {
    /// The progress of runs that this observer is told of, too.
    #[must_use]
    pub fn new(observer: &'run dyn ProductionObserver) -> Self {
        Self { observer, state: Mutex::default() }
    }

    /// A number that grows whenever a run comes further than all runs before it.
    #[must_use]
    pub fn steps(&self) -> u64 {
        sync::lock(&self.state).steps
    }
}

impl State {
    fn start(&mut self, interval: (Feed, Interval)) {
        (self.current, self.rows) = (Some(interval), 0);
    }

    fn add_rows(&mut self, count: u64) {
        self.rows = self.rows.saturating_add(count);
        let Some(interval) = self.current else { return };
        let most = self.most_rows.entry(interval).or_default();
        if self.rows > *most {
            *most = self.rows;
            self.steps += 1;
        }
    }

    fn finish(&mut self, period: &FeedPeriod) {
        if self.finished.insert(period.clone()) {
            self.steps += 1;
            // The rows are counted for all formats together, and a next run writes one format less.
            self.most_rows.clear();
        }
    }
}

#[async_trait]
impl ProductionObserver for ForwardProgress<'_> {
    fn wants_row_count(&self) -> bool {
        self.observer.wants_row_count()
    }

    fn export_started(&self, tenant: &TenantId, feed: Feed, interval: Interval, total: Option<u64>) {
        sync::lock(&self.state).start((feed, interval));
        self.observer.export_started(tenant, feed, interval, total);
    }

    fn rows_written(&self, count: u64) {
        sync::lock(&self.state).add_rows(count);
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
        sync::lock(&self.state).finish(period);
        self.observer.export_finished(tenant, period, outcome);
    }
}
