//! The production of one day of a feed by its hours.
//!
//! Each hour is a period of its own. Once the day is closed and all its hours are complete and current, the manifest of
//! the day names the files of its hours, and the day is marked as complete. No row is written twice.
//!
//! While a day runs, each of its hours is written once. Late changes of an hour are written when the day closes, and
//! from then on by each run that checks the day. The files that a revision of an hour replaces stay until the manifest of
//! the day no longer names them. The checkpoint of the day is saved before its manifest and removed last, so that a later
//! run finds what a killed one left.

use super::{
    Day, ExportCheckpoint, Feed, FeedPeriod, FeedWriteError, FileFormat, Hour, Interval, IntervalAction, LateChanges,
    Manifest, ManifestUpdate, PeriodOutcome, ProductionObserver,
    interval_export::IntervalExport,
    manifest::file_names,
    period_export::{Revision, clean_up},
    plan::{IntervalState, plan_interval},
    production_context::ProductionContext,
};
use crate::{access::TenantId, error::StoreError, time::Timestamp};

/// A day in one format that is written by its hours.
pub(super) struct HourlyDay {
    pub(super) format: FileFormat,
    pub(super) period: FeedPeriod,
    /// The action that the day needs.
    pub(super) planned: IntervalAction,
    /// The manifest of the day.
    pub(super) manifest: Option<Manifest>,
    /// The hours that are complete before the run.
    pub(super) complete_hours: Vec<Hour>,
}

/// The production of one day of a feed by its hours.
pub(super) struct HourlyRun<'run> {
    pub(super) context: &'run ProductionContext,
    pub(super) tenant: &'run TenantId,
    pub(super) observer: &'run dyn ProductionObserver,
    pub(super) feed: Feed,
    pub(super) day: Day,
    pub(super) late_changes: &'run LateChanges,
    /// The time before the late changes were read.
    pub(super) read_at: Timestamp,
    /// Whether to write the hour that is not over.
    pub(super) include_open: bool,
}

impl HourlyRun<'_> {
    /// Brings the day up to date in these formats.
    pub(super) async fn produce(&self, days: Vec<HourlyDay>) -> Result<(), FeedWriteError> {
        let (stale, current): (Vec<_>, Vec<_>) =
            days.into_iter().partition(|day| matches!(day.planned, IntervalAction::Write { .. }));
        for day in current {
            self.keep(day).await?;
        }
        if stale.is_empty() {
            return Ok(());
        }
        for hour in Interval::hours_of(self.day) {
            if hour.is_closed(self.read_at) || (self.include_open && hour.start() <= self.read_at) {
                self.produce_hour(hour, &stale).await?;
            }
        }
        if Interval::from(self.day).is_closed(self.read_at) {
            for day in stale {
                self.sum_hours(day).await?;
            }
        }
        Ok(())
    }

    /// Writes an hour in every format in which it is missing or, if the day is closed, outdated.
    async fn produce_hour(&self, interval: Interval, days: &[HourlyDay]) -> Result<(), FeedWriteError> {
        let (revises, late_changes) =
            (Interval::from(self.day).is_closed(self.read_at), self.late_changes.of(interval));
        let mut revisions = Vec::new();
        for HourlyDay { format, period, complete_hours, .. } in days {
            let period = period.dataset.period(interval);
            let complete = interval.hour.is_some_and(|hour| complete_hours.contains(&hour));
            if complete && !revises {
                continue;
            }
            let manifest = self.context.store.manifest(self.tenant, &period).await?;
            match plan_interval(IntervalState { interval, complete, manifest: manifest.as_ref(), late_changes }) {
                IntervalAction::Write { revision } => {
                    revisions.push(Revision { format: *format, period, number: revision, replaced: manifest });
                }
                IntervalAction::MarkComplete => self.mark_complete(&period, manifest).await?,
                IntervalAction::Skip => {}
            }
        }
        if revisions.is_empty() {
            return Ok(());
        }
        let Self { context, tenant, observer, feed, .. } = *self;
        // A manifest of the day may name the files that the revisions replace, also one that another run writes meanwhile.
        let keeps_replaced = revises;
        let export = IntervalExport { context, tenant, observer, feed, interval, late_changes, keeps_replaced };
        export.run(revisions).await
    }

    async fn mark_complete(&self, period: &FeedPeriod, manifest: Option<Manifest>) -> Result<(), FeedWriteError> {
        if let Some(manifest) = manifest {
            let revision = manifest.inputs.revision;
            self.context.sink.complete(self.tenant, period, &ManifestUpdate::unchanged(manifest)).await?;
            self.observer.export_finished(self.tenant, period, PeriodOutcome::Marked { revision });
        }
        Ok(())
    }

    /// Writes the manifest of the day from the manifests of its hours, if all of them are complete and current.
    async fn sum_hours(&self, day: HourlyDay) -> Result<(), FeedWriteError> {
        let HourlyDay { period, planned: IntervalAction::Write { revision }, manifest: expected, .. } = day else {
            return Ok(());
        };
        let Some(hours) = self.current_hours(&period).await? else { return Ok(()) };
        let late_changes = self.late_changes.of(self.day);
        let Some(manifest) = Manifest::sum(revision, self.read_at, late_changes, hours) else { return Ok(()) };
        let (sink, tenant) = (&*self.context.sink, self.tenant);
        let replaced_files = expected.as_ref().map(|replaced| file_names(&replaced.files)).unwrap_or_default();
        let inputs = manifest.inputs.clone();
        let mut checkpoint =
            ExportCheckpoint { rows_complete: true, replaced_files, ..ExportCheckpoint::start(inputs) };
        if let Some(found) = sink.load_checkpoint(tenant, &period).await? {
            checkpoint.discard_files_of(found);
        }
        sink.save_checkpoint(tenant, &period, &checkpoint).await?;
        let update = ManifestUpdate { expected, manifest };
        sink.complete(tenant, &period, &update).await?;
        self.clean_up(&period, &update.manifest, &checkpoint).await?;
        self.observer.export_finished(tenant, &period, PeriodOutcome::Summed { revision });
        Ok(())
    }

    /// The manifests of all hours; `None` unless each hour is complete and has its late changes.
    async fn current_hours(&self, day: &FeedPeriod) -> Result<Option<Vec<(Interval, Manifest)>>, StoreError> {
        let mut hours = Vec::new();
        for interval in Interval::hours_of(self.day) {
            let period = day.dataset.period(interval);
            let complete = self.context.store.is_complete(self.tenant, &period).await?;
            let manifest = self.context.store.manifest(self.tenant, &period).await?;
            let late_changes = self.late_changes.of(interval);
            let planned =
                plan_interval(IntervalState { interval, complete, manifest: manifest.as_ref(), late_changes });
            let Some(manifest) = manifest.filter(|_| planned == IntervalAction::Skip) else { return Ok(None) };
            hours.push((interval, manifest));
        }
        Ok(Some(hours))
    }

    /// Marks a current day as complete if that is planned, and removes what a killed run left.
    async fn keep(&self, day: HourlyDay) -> Result<(), FeedWriteError> {
        let HourlyDay { period, planned, manifest, .. } = day;
        let Some(manifest) = manifest else { return Ok(()) };
        if planned == IntervalAction::MarkComplete {
            self.mark_complete(&period, Some(manifest.clone())).await?;
        } else {
            let revision = manifest.inputs.revision;
            self.observer.export_finished(self.tenant, &period, PeriodOutcome::Unchanged { revision });
        }
        if let Some(checkpoint) = self.context.sink.load_checkpoint(self.tenant, &period).await? {
            self.clean_up(&period, &manifest, &checkpoint).await?;
        }
        Ok(())
    }

    /// Removes the leftovers of the hours, then those of the day. An hour with another revision than the one in the day
    /// is left alone: the run that writes it next into the day removes its leftovers.
    async fn clean_up(
        &self,
        day: &FeedPeriod,
        manifest: &Manifest,
        checkpoint: &ExportCheckpoint,
    ) -> Result<(), StoreError> {
        let (sink, store) = (&*self.context.sink, &*self.context.store);
        for interval in Interval::hours_of(self.day) {
            let period = day.dataset.period(interval);
            let Some(checkpoint) = sink.load_checkpoint(self.tenant, &period).await? else { continue };
            let hour = store.manifest(self.tenant, &period).await?;
            if let Some(hour) = hour.filter(|hour| manifest.includes(interval, hour)) {
                clean_up(sink, self.tenant, &period, &hour, &checkpoint).await?;
            }
        }
        clean_up(sink, self.tenant, day, manifest, checkpoint).await
    }
}
