//! A run of feed production: it writes the feeds of a tenant, one day after the other.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Day, DayAction, DayOutcome, Feed, FeedPeriod, FileFormat, Manifest, ProductionObserver,
    day_export::DayExport,
    period_export::{Revision, clean_up},
    plan::{DayState, last_closed_day, plan_day},
    production_context::ProductionContext,
};
use crate::{access::TenantId, error::StoreError};

/// The number of days before the last day that each run checks again, whether or not they have known late changes.
const RECHECKED_DAYS: i64 = 7;

/// The days to produce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DayRange {
    /// The first day; by default the first day on which the tenant has a record.
    pub from: Option<Day>,
    /// The last day; by default the last closed day.
    pub to: Option<Day>,
    /// Whether to write days that are not closed, with the records that exist so far. These days are not complete.
    pub include_open: bool,
}

/// A run for one tenant.
pub(super) struct ProductionRun<'run> {
    pub(super) context: &'run ProductionContext,
    pub(super) tenant: &'run TenantId,
    pub(super) formats: &'run [FileFormat],
    pub(super) observer: &'run dyn ProductionObserver,
}

impl ProductionRun<'_> {
    /// Writes the missing and outdated periods, earliest days first.
    pub(super) async fn produce(&self, range: DayRange) -> Result<(), StoreError> {
        let Some((first, last)) = self.day_bounds(range).await? else { return Ok(()) };
        let mut feeds = Vec::new();
        for feed in Feed::ALL {
            feeds.push(self.feed_state(feed).await?);
        }
        let recheck_from =
            range.from.unwrap_or_else(|| Day::from_epoch_days(last.epoch_days() - RECHECKED_DAYS).unwrap_or(first));
        for day in first.through(last) {
            for feed in &feeds {
                self.produce_day(feed, day, day >= recheck_from).await?;
            }
        }
        Ok(())
    }

    async fn day_bounds(&self, range: DayRange) -> Result<Option<(Day, Day)>, StoreError> {
        let now = self.context.clock.now();
        let latest = if range.include_open { Some(Day::containing(now)) } else { last_closed_day(now) };
        let first = match range.from {
            Some(from) => Some(from),
            None => self.context.source.first_day(self.tenant).await?,
        };
        let last = range.to.into_iter().chain(latest).min().filter(|_| latest.is_some());
        Ok(first.zip(last))
    }

    async fn feed_state(&self, feed: Feed) -> Result<FeedState, StoreError> {
        let mut complete_days = Vec::new();
        for format in self.formats {
            let complete = self.context.store.complete_days(self.tenant, &feed.dataset(*format)).await?;
            complete_days.push((*format, complete.into_iter().collect()));
        }
        Ok(FeedState { feed, complete_days, late_changes: self.context.source.late_changes(self.tenant, feed).await? })
    }

    /// Brings a day of a feed up to date in every format. Complete days are checked only if they have late changes, or
    /// if `recheck` is set.
    async fn produce_day(&self, state: &FeedState, day: Day, recheck: bool) -> Result<(), StoreError> {
        let recheck = recheck || state.late_changes.contains_key(&day);
        let late_changes = state.late_changes.get(&day).copied().unwrap_or_default();
        let mut revisions = Vec::new();
        for (format, complete_days) in &state.complete_days {
            let complete = complete_days.contains(&day);
            if complete && !recheck {
                continue;
            }
            let period = state.feed.dataset(*format).period(day);
            let manifest = self.context.store.manifest(self.tenant, &period).await?;
            let planned = plan_day(DayState { day, complete, manifest: manifest.as_ref(), late_changes });
            if let DayAction::Write { revision } = planned {
                revisions.push(Revision { format: *format, period, number: revision, replaced: manifest });
                continue;
            }
            let outcome = match manifest {
                Some(manifest) => self.keep(&period, &manifest, planned).await?,
                None => DayOutcome::Unchanged,
            };
            self.observer.export_finished(self.tenant, &period, outcome);
        }
        if revisions.is_empty() {
            return Ok(());
        }
        let Self { context, tenant, observer, .. } = *self;
        DayExport { context, tenant, observer, feed: state.feed, day, late_changes }.run(revisions).await
    }

    /// Marks a current period as complete if that is `planned`. Removes what a run left that was interrupted between
    /// the completion of the period and its clean-up.
    async fn keep(
        &self,
        period: &FeedPeriod,
        manifest: &Manifest,
        planned: DayAction,
    ) -> Result<DayOutcome, StoreError> {
        let sink = &*self.context.sink;
        let marks = planned == DayAction::MarkComplete;
        if marks {
            sink.complete(self.tenant, period, manifest).await?;
        }
        if let Some(checkpoint) = sink.load_checkpoint(self.tenant, period).await? {
            clean_up(sink, self.tenant, period, manifest, &checkpoint).await?;
        }
        Ok(if marks { DayOutcome::Marked } else { DayOutcome::Unchanged })
    }
}

/// The state of a feed before its days are checked.
struct FeedState {
    feed: Feed,
    complete_days: Vec<(FileFormat, BTreeSet<Day>)>,
    late_changes: BTreeMap<Day, u64>,
}
