//! Writes again what exists of days that are not closed, after an erasure.
//!
//! A production run leaves such days alone until they close. But an unfinished export may have written one, and the hours of
//! a day are complete before the day is. Their files would keep erased rows until the day closes.

use super::{
    Day, Feed, FeedPeriod, FeedWriteError, FileFormat, Interval, IntervalAction, LateChanges, Manifest,
    ProductionObserver,
    interval_export::IntervalExport,
    period_export::Revision,
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
                let late_changes = self.context.source.late_changes(self.tenant, feed).await?;
                self.rewrite_day(feed, day, &late_changes, read_at).await?;
            }
        }
        Ok(())
    }

    async fn rewrite_day(
        &self,
        feed: Feed,
        day: Day,
        late_changes: &LateChanges,
        read_at: Timestamp,
    ) -> Result<(), FeedWriteError> {
        let hours = Interval::hours_of(day).filter(|hour| hour.start() <= read_at);
        for (interval, written) in self.written_periods(feed, [day.into()].into_iter().chain(hours)).await? {
            let late_changes = late_changes.of(interval);
            let revisions: Vec<_> =
                written.into_iter().filter_map(|period| period.revision(interval, late_changes)).collect();
            if revisions.is_empty() {
                continue;
            }
            let Self { context, tenant, observer } = *self;
            let export =
                IntervalExport { context, tenant, observer, feed, interval, late_changes, keeps_replaced: false };
            export.run(revisions).await?;
        }
        Ok(())
    }

    /// The periods of each interval that have a manifest.
    async fn written_periods(
        &self,
        feed: Feed,
        intervals: impl Iterator<Item = Interval>,
    ) -> Result<Vec<(Interval, Vec<WrittenPeriod>)>, StoreError> {
        let intervals: Vec<_> = intervals.collect();
        let of = |interval: Interval| {
            FileFormat::ALL.into_iter().map(move |format| (format, feed.dataset(format).period(interval)))
        };
        let periods: Vec<_> = intervals.iter().flat_map(|interval| of(*interval)).collect();
        let keys: Vec<_> = periods.iter().map(|(_, period)| period.clone()).collect();
        let manifests = self.context.store.manifests(self.tenant, &keys).await?;
        let written: Vec<_> = periods
            .into_iter()
            .zip(manifests)
            .filter_map(|((format, period), manifest)| Some(WrittenPeriod { format, period, manifest: manifest? }))
            .collect();
        Ok(intervals
            .into_iter()
            .map(|interval| {
                (interval, written.iter().filter(|found| found.period.interval == interval).cloned().collect())
            })
            .collect())
    }
}

/// A period with its manifest.
#[derive(Clone)]
struct WrittenPeriod {
    format: FileFormat,
    period: FeedPeriod,
    manifest: Manifest,
}

impl WrittenPeriod {
    /// The next revision, unless the period is current. A day that is the sum of its hours has no rows of its own.
    fn revision(self, interval: Interval, late_changes: u64) -> Option<Revision> {
        let Self { format, period, manifest } = self;
        let state = IntervalState { interval, complete: true, manifest: Some(&manifest), late_changes };
        match plan_interval(state) {
            IntervalAction::Write { revision } if !manifest.hourly => {
                Some(Revision { format, period, number: revision, replaced: Some(manifest) })
            }
            IntervalAction::Write { .. } | IntervalAction::MarkComplete | IntervalAction::Skip => None,
        }
    }
}
