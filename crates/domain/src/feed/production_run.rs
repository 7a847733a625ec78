//! A run of feed production: it writes the feeds of a tenant, one period after the other.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Day, DayAction, DayOutcome, DayRange, Feed, FeedPeriod, FeedProduction, FileFormat, Manifest, ProductionObserver,
    export::{ExportSpec, PeriodExport, clean_up},
    plan::{DayState, last_closed_day, plan_day},
};
use crate::{access::TenantId, error::StoreError};

/// The number of days before the last day that each run checks again, whether or not they have known late changes.
const RECHECKED_DAYS: i64 = 7;

impl FeedProduction {
    /// Writes the missing and outdated periods of a tenant's feeds, earliest days first.
    ///
    /// # Errors
    /// [`StoreError`]. Periods that were written before the error remain, and the next run continues from there.
    pub async fn produce(
        &self,
        tenant: &TenantId,
        formats: &[FileFormat],
        range: DayRange,
        observer: &dyn ProductionObserver,
    ) -> Result<(), StoreError> {
        let Some((first, last)) = self.day_bounds(tenant, range).await? else { return Ok(()) };
        let mut datasets = Vec::new();
        for feed in Feed::ALL {
            for format in formats {
                datasets.push(self.dataset_state(tenant, feed, *format).await?);
            }
        }
        let recheck_from =
            range.from.unwrap_or_else(|| Day::from_epoch_days(last.epoch_days() - RECHECKED_DAYS).unwrap_or(first));
        for day in first.through(last) {
            for dataset in &datasets {
                let is_written = dataset.complete.contains(&day);
                if is_written && day < recheck_from && !dataset.late_changes.contains_key(&day) {
                    continue;
                }
                self.produce_day(tenant, dataset, day, observer).await?;
            }
        }
        Ok(())
    }

    async fn day_bounds(&self, tenant: &TenantId, range: DayRange) -> Result<Option<(Day, Day)>, StoreError> {
        let now = self.clock.now();
        let latest = if range.include_open { Some(Day::containing(now)) } else { last_closed_day(now) };
        let first = match range.from {
            Some(from) => Some(from),
            None => self.source.first_day(tenant).await?,
        };
        let last = range.to.into_iter().chain(latest).min().filter(|_| latest.is_some());
        Ok(first.zip(last))
    }

    async fn dataset_state(
        &self,
        tenant: &TenantId,
        feed: Feed,
        format: FileFormat,
    ) -> Result<DatasetState, StoreError> {
        let complete = self.store.complete_days(tenant, &feed.dataset(format)).await?.into_iter().collect();
        let late_changes = self.source.late_changes(tenant, feed).await?;
        Ok(DatasetState { feed, format, complete, late_changes })
    }

    async fn produce_day(
        &self,
        tenant: &TenantId,
        dataset: &DatasetState,
        day: Day,
        observer: &dyn ProductionObserver,
    ) -> Result<(), StoreError> {
        let period = dataset.feed.dataset(dataset.format).period(day);
        let manifest = self.store.manifest(tenant, &period).await?;
        let late_changes = dataset.late_changes.get(&day).copied().unwrap_or_default();
        let complete = dataset.complete.contains(&day);
        let outcome = match (plan_day(DayState { day, complete, manifest: manifest.as_ref(), late_changes }), manifest)
        {
            (DayAction::Skip | DayAction::MarkComplete, None) => DayOutcome::Unchanged,
            (DayAction::Skip, Some(manifest)) => {
                self.clean_if_interrupted(tenant, &period, &manifest).await?;
                DayOutcome::Unchanged
            }
            (DayAction::MarkComplete, Some(manifest)) => {
                self.sink.complete(tenant, &period, &manifest).await?;
                self.clean_if_interrupted(tenant, &period, &manifest).await?;
                DayOutcome::Marked
            }
            (DayAction::Write { revision }, replaced) => {
                let total = observer.wants_row_count().then_some(self.source.count(tenant, dataset.feed, day));
                let total = match total {
                    Some(count) => Some(count.await?),
                    None => None,
                };
                observer.export_started(tenant, &period, total);
                let spec =
                    ExportSpec { feed: dataset.feed, format: dataset.format, period: &period, revision, late_changes };
                PeriodExport::new(self, tenant, spec, observer).run(replaced).await?
            }
        };
        observer.export_finished(tenant, &period, outcome);
        Ok(())
    }
}

impl FeedProduction {
    /// Cleans up after a run that was interrupted between completing the period and removing its leftovers.
    async fn clean_if_interrupted(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        manifest: &Manifest,
    ) -> Result<(), StoreError> {
        match self.sink.load_checkpoint(tenant, period).await? {
            Some(progress) => clean_up(&*self.sink, tenant, period, manifest, &progress).await,
            None => Ok(()),
        }
    }
}

/// The state of a dataset before its days are checked.
struct DatasetState {
    feed: Feed,
    format: FileFormat,
    complete: BTreeSet<Day>,
    late_changes: BTreeMap<Day, u64>,
}
