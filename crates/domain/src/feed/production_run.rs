//! A run of feed production: it writes the feeds of a tenant, one day after the other.

use std::collections::BTreeSet;

use super::{
    Day, Feed, FeedPeriod, FeedWriteError, FileFormat, Interval, IntervalAction, LateChanges, Manifest, ManifestUpdate,
    PeriodOutcome, ProductionObserver,
    current_periods::{CompletePeriod, CurrentPeriods},
    hourly_run::{HourlyDay, HourlyRun},
    interval_export::IntervalExport,
    period_export::{Revision, clean_up},
    plan::{IntervalState, is_hourly, plan_interval},
    production_context::ProductionContext,
};
use crate::{access::TenantId, error::StoreError, time::Timestamp};

/// The number of days before the last day that each run checks again, whether or not they have known late changes.
const RECHECKED_DAYS: i64 = 7;
/// The number of days that are checked at once.
const BLOCK_DAYS: usize = 30;

/// The days to produce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DayRange {
    /// The first day; by default the first day on which the tenant has a record or a late change.
    pub from: Option<Day>,
    /// The last day; by default the last day that is closed, or that has a closed hour if hours are written.
    pub to: Option<Day>,
    /// Whether to write intervals that are not closed, with the records that exist so far. They are not complete.
    pub include_open: bool,
    /// Whether to leave complete days alone, even if they have late changes.
    pub missing_only: bool,
}

/// A run for one tenant.
pub(super) struct ProductionRun<'run> {
    pub(super) context: &'run ProductionContext,
    pub(super) tenant: &'run TenantId,
    pub(super) formats: &'run [FileFormat],
    /// Formats of which only complete days are brought up to date.
    pub(super) existing_formats: &'run [FileFormat],
    pub(super) observer: &'run dyn ProductionObserver,
}

/// What a run knows of a feed before it checks the days.
struct FeedState {
    feed: Feed,
    complete_days: Vec<(FileFormat, BTreeSet<Day>)>,
    late_changes: LateChanges,
    /// The time before the late changes were read.
    read_at: Timestamp,
}

impl FeedState {
    /// The periods of a day that are complete.
    fn complete_periods(&self, day: Day) -> impl Iterator<Item = CompletePeriod> + '_ {
        let complete = self.complete_days.iter().filter(move |(_, days)| days.contains(&day));
        complete.map(move |(format, _)| CompletePeriod {
            period: self.feed.dataset(*format).period(day),
            late_changes: self.late_changes.of(day),
        })
    }
}

impl ProductionRun<'_> {
    /// Writes the missing and outdated periods, earliest days first.
    pub(super) async fn produce(&self, range: DayRange) -> Result<(), FeedWriteError> {
        let read_at = self.context.clock.now();
        let mut late_changes = Vec::new();
        for feed in Feed::ALL {
            late_changes.push((feed, self.context.source.late_changes(self.tenant, feed).await?));
        }
        let first_changed = late_changes.iter().filter_map(|(_, changes)| changes.first_day()).min();
        let Some((first, last)) = self.day_bounds(range, first_changed).await? else { return Ok(()) };
        let mut feeds = Vec::new();
        for (feed, late_changes) in late_changes {
            let complete_days = self.complete_days(feed, (first, last), range).await?;
            feeds.push(FeedState { feed, complete_days, late_changes, read_at });
        }
        let recheck_from =
            range.from.unwrap_or_else(|| Day::from_epoch_days(last.epoch_days() - RECHECKED_DAYS).unwrap_or(first));
        let rechecks =
            |feed: &FeedState, day: Day| !range.missing_only && (day >= recheck_from || feed.late_changes.affect(day));
        let days: Vec<_> = first.through(last).collect();
        for block in days.chunks(BLOCK_DAYS) {
            let checked = block.iter().flat_map(|day| feeds.iter().map(move |feed| (feed, *day)));
            let checked = checked.filter(|(feed, day)| rechecks(feed, *day));
            let checked = checked.flat_map(|(feed, day)| feed.complete_periods(day)).collect();
            let current = CurrentPeriods::among(self.context, self.tenant, checked).await?;
            for day in block {
                for feed in &feeds {
                    let recheck = rechecks(feed, *day).then_some(&current);
                    self.produce_day(feed, *day, range.include_open, recheck).await?;
                }
            }
        }
        Ok(())
    }

    /// The first and the last day of a run. All rows of the first changed day, and of days before it, can be erased.
    async fn day_bounds(&self, range: DayRange, first_changed: Option<Day>) -> Result<Option<(Day, Day)>, StoreError> {
        let now = self.context.clock.now();
        let latest = if range.include_open { Some(Day::containing(now)) } else { self.context.length.last_day(now) };
        let first = match range.from {
            Some(from) => Some(from),
            None => self.context.source.first_day(self.tenant).await?.into_iter().chain(first_changed).min(),
        };
        let last = range.to.into_iter().chain(latest).min().filter(|_| latest.is_some());
        Ok(first.zip(last))
    }

    /// The complete days of a feed in each format.
    async fn complete_days(
        &self,
        feed: Feed,
        (first, last): (Day, Day),
        range: DayRange,
    ) -> Result<Vec<(FileFormat, BTreeSet<Day>)>, StoreError> {
        let (store, mut complete_days) = (&self.context.store, Vec::new());
        for format in self.formats.iter().chain(self.existing_formats) {
            let dataset = feed.dataset(*format);
            let mut complete = BTreeSet::new();
            if range.missing_only {
                for day in first.through(last) {
                    complete.extend(store.is_complete(self.tenant, &dataset.period(day)).await?.then_some(day));
                }
            } else {
                complete.extend(store.complete_days(self.tenant, &dataset).await?);
            }
            complete_days.push((*format, complete));
        }
        Ok(complete_days)
    }

    /// Brings a day of a feed up to date in every format. Complete days are checked only with the periods that are found
    /// `current`.
    async fn produce_day(
        &self,
        state: &FeedState,
        day: Day,
        include_open: bool,
        recheck: Option<&CurrentPeriods>,
    ) -> Result<(), FeedWriteError> {
        let (mut revisions, mut hourly_days) = (Vec::new(), Vec::new());
        for (format, complete_days) in &state.complete_days {
            let complete = complete_days.contains(&day);
            if !complete && self.existing_formats.contains(format) {
                continue;
            }
            let period = state.feed.dataset(*format).period(day);
            if complete {
                let Some(current) = recheck else { continue };
                if let Some(revision) = current.revision(&period) {
                    self.observer.export_finished(self.tenant, &period, PeriodOutcome::Unchanged { revision });
                    continue;
                }
            }
            let manifest = self.context.store.manifest(self.tenant, &period).await?;
            let (interval, late_changes) = (period.interval, state.late_changes.of(day));
            let found = IntervalState { interval, complete, manifest: manifest.as_ref(), late_changes };
            let planned = plan_interval(found);
            let may_be_hourly = !complete || manifest.as_ref().is_some_and(|manifest| manifest.hourly);
            let complete_hours = if may_be_hourly {
                self.context.store.complete_hours(self.tenant, &period.dataset, day).await?
            } else {
                Vec::new()
            };
            if is_hourly(found, !complete_hours.is_empty(), self.context.length) {
                hourly_days.push(HourlyDay { format: *format, period, planned, manifest, complete_hours });
            } else if !include_open && !interval.is_closed(state.read_at) {
                // The day is written once it is closed.
            } else if let IntervalAction::Write { revision } = planned {
                revisions.push(Revision { format: *format, period, number: revision, replaced: manifest });
            } else {
                self.keep(&period, manifest, planned).await?;
            }
        }
        if !revisions.is_empty() {
            self.export(state, day.into(), revisions).await?;
        }
        if hourly_days.is_empty() {
            Ok(())
        } else {
            self.hourly_run(state, day, include_open).produce(hourly_days).await
        }
    }

    async fn export(
        &self,
        state: &FeedState,
        interval: Interval,
        revisions: Vec<Revision>,
    ) -> Result<(), FeedWriteError> {
        let Self { context, tenant, observer, .. } = *self;
        let (feed, late_changes) = (state.feed, state.late_changes.of(interval));
        let export = IntervalExport { context, tenant, observer, feed, interval, late_changes, keeps_replaced: false };
        export.run(revisions).await
    }

    fn hourly_run<'run>(&'run self, state: &'run FeedState, day: Day, include_open: bool) -> HourlyRun<'run> {
        let Self { context, tenant, observer, .. } = *self;
        let FeedState { feed, ref late_changes, read_at, .. } = *state;
        HourlyRun { context, tenant, observer, feed, day, late_changes, read_at, include_open }
    }

    /// Marks a current period as complete if that is `planned`. Removes what a run left that was interrupted between
    /// the completion of the period and its clean-up.
    async fn keep(
        &self,
        period: &FeedPeriod,
        manifest: Option<Manifest>,
        planned: IntervalAction,
    ) -> Result<(), FeedWriteError> {
        let sink = &*self.context.sink;
        let marks = planned == IntervalAction::MarkComplete;
        let revision = manifest.as_ref().map_or(1, |manifest| manifest.inputs.revision);
        if let Some(manifest) = manifest {
            if marks {
                sink.complete(self.tenant, period, &ManifestUpdate::unchanged(manifest.clone())).await?;
            }
            if let Some(checkpoint) = sink.load_checkpoint(self.tenant, period).await? {
                clean_up(sink, self.tenant, period, &manifest, &checkpoint).await?;
            }
        }
        let outcome = if marks { PeriodOutcome::Marked { revision } } else { PeriodOutcome::Unchanged { revision } };
        self.observer.export_finished(self.tenant, period, outcome);
        Ok(())
    }
}
