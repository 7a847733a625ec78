//! Writes again what exists of days that are not closed, after an erasure.
//!
//! A production run leaves such days alone until they close. But an unfinished export may have written one, and the hours of
//! a day are complete before the day is. Their files would keep erased rows until the day closes.

use super::{
    Day, Feed, FeedPeriod, FeedWriteError, FileFormat, Interval, IntervalAction, Manifest, ProductionObserver,
    interval_export::IntervalExport,
    period_export::{Revision, clean_up},
    plan::{IntervalState, plan_interval},
    production_context::ProductionContext,
};
use crate::{access::TenantId, error::StoreError, time::Timestamp};

/// The days of a tenant that are not closed, in every format.
pub(super) struct OpenDayRewrite<'run> {
    pub(super) context: &'run ProductionContext,
    pub(super) tenant: &'run TenantId,
    pub(super) observer: &'run dyn ProductionObserver,
}

impl OpenDayRewrite<'_> {
    /// Writes each day and each hour again that has a manifest and is not current.
    pub(super) async fn run(&self) -> Result<(), FeedWriteError> {
        let read_at = self.context.clock.now();
        let today = Day::containing(read_at);
        let yesterday = Day::from_epoch_days(today.epoch_days() - 1);
        let open = yesterday.into_iter().chain([today]).filter(|day| !Interval::from(*day).is_closed(read_at));
        for day in open {
            for feed in Feed::ALL {
                self.rewrite_day(feed, day, read_at).await?;
            }
        }
        Ok(())
    }

    async fn rewrite_day(&self, feed: Feed, day: Day, read_at: Timestamp) -> Result<(), FeedWriteError> {
        let hours = Interval::hours_of(day).filter(|hour| hour.start() <= read_at);
        let written = self.written_periods(feed, [day.into()].into_iter().chain(hours)).await?;
        if written.is_empty() {
            return Ok(());
        }
        let late_changes = self.context.source.late_changes(self.tenant, feed).await?;
        let mut current = Vec::new();
        for same in written.chunk_by(|first, second| first.period.interval == second.period.interval) {
            let Some(interval) = same.first().map(|written| written.period.interval) else { continue };
            let late_changes = late_changes.of(interval);
            let Self { context, tenant, observer } = *self;
            let mut revisions = Vec::new();
            for written in same {
                match written.revision(late_changes) {
                    Some(revision) => revisions.push(revision),
                    None => current.push(written),
                }
            }
            if !revisions.is_empty() {
                let export =
                    IntervalExport { context, tenant, observer, feed, interval, late_changes, keeps_replaced: false };
                export.run(revisions).await?;
            }
        }
        Ok(self.clean_up(&current).await?)
    }

    /// Removes what a run left that was killed between the publication of a period and its clean-up.
    async fn clean_up(&self, current: &[&WrittenPeriod]) -> Result<(), StoreError> {
        let periods: Vec<_> = current.iter().map(|written| written.period.clone()).collect();
        let checkpoints = self.context.sink.load_checkpoints(self.tenant, &periods).await?;
        for (written, checkpoint) in current.iter().zip(checkpoints) {
            if let Some(checkpoint) = checkpoint {
                let WrittenPeriod { period, manifest, .. } = written;
                clean_up(&*self.context.sink, self.tenant, period, manifest, &checkpoint).await?;
            }
        }
        Ok(())
    }

    /// The periods of these intervals that have a manifest, in the order of the intervals.
    async fn written_periods(
        &self,
        feed: Feed,
        intervals: impl Iterator<Item = Interval>,
    ) -> Result<Vec<WrittenPeriod>, StoreError> {
        let (formats, periods): (Vec<_>, Vec<_>) = intervals
            .flat_map(|interval| FileFormat::ALL.map(|format| (format, feed.dataset(format).period(interval))))
            .unzip();
        let manifests = self.context.store.manifests(self.tenant, &periods).await?;
        let found = formats.into_iter().zip(periods).zip(manifests);
        let written = |((format, period), manifest)| Some(WrittenPeriod { format, period, manifest: manifest? });
        Ok(found.filter_map(written).collect())
    }
}

/// A period with its manifest.
struct WrittenPeriod {
    format: FileFormat,
    period: FeedPeriod,
    manifest: Manifest,
}

impl WrittenPeriod {
    /// The next revision, unless the period is current. A day that is the sum of its hours has no rows of its own.
    fn revision(&self, late_changes: u64) -> Option<Revision> {
        let Self { format, period, manifest } = self;
        let interval = period.interval;
        let state = IntervalState { interval, complete: true, manifest: Some(manifest), late_changes };
        match plan_interval(state) {
            IntervalAction::Write { revision: number } if !manifest.hourly => {
                let (period, replaced) = (period.clone(), Some(manifest.clone()));
                Some(Revision { format: *format, period, number, replaced })
            }
            IntervalAction::Write { .. } | IntervalAction::MarkComplete | IntervalAction::Skip => None,
        }
    }
}
