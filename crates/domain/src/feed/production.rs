//! The use case of whoever produces feeds: which days of which tenant are written, one after the other.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    Compression, Day, DayTask, Feed, FeedDay, FeedSink, FeedSource, FeedStore, Format, Manifest,
    plan::{DayState, last_day_over, task},
    writing::{DayWriting, Draft, clean_up},
};
use crate::{access::TenantId, conversation::ExportMasking, error::StoreError, id::IdSource, time::Clock};

/// How many days before the last are looked at again in each run, whether or not a late change of them is known.
const LOOKED_AT_AGAIN: i64 = 7;

/// Produces feeds. Runs may be killed at any moment and be run at once: no reader sees a half day by either.
#[derive(Clone)]
pub struct FeedProduction {
    pub(super) source: Arc<dyn FeedSource>,
    pub(super) store: Arc<dyn FeedStore>,
    pub(super) sink: Arc<dyn FeedSink>,
    pub(super) masking: ExportMasking,
    pub(super) ids: Arc<dyn IdSource>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) compression: Compression,
}

/// Which days are produced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DayRange {
    /// The first; left out, the first on which the tenant has anything.
    pub from: Option<Day>,
    /// The last; left out, the last that is over.
    pub to: Option<Day>,
    /// Whether days that are not over are written too, with what there is of them. They are not complete.
    pub unfinished: bool,
}

/// What became of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayOutcome {
    /// It was written.
    Written {
        /// In which revision.
        revision: u32,
        /// With how many rows.
        rows: u64,
        /// In how many bytes.
        bytes: u64,
        /// Whether it is complete: not where it was written before it was over.
        complete: bool,
    },
    /// It was written already, and is marked as complete since.
    Marked,
    /// It was as it should be.
    Unchanged,
}

/// Is told how far a production has come.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait ProductionWatch: Send + Sync {
    /// Whether it wants to know the number of rows before they are written, which takes a look at each of them.
    fn wants_total(&self) -> bool;

    /// A day is being written, with so many rows where that was asked for.
    fn begins(&self, tenant: &TenantId, day: &FeedDay, total: Option<u64>);

    /// So many rows more were written.
    fn rows(&self, more: u64);

    /// The day is done.
    fn ends(&self, tenant: &TenantId, day: &FeedDay, outcome: DayOutcome);
}

impl FeedProduction {
    /// Produces from this source into this store, whose two sides are given.
    #[must_use]
    pub fn new(
        source: Arc<dyn FeedSource>,
        (store, sink): (Arc<dyn FeedStore>, Arc<dyn FeedSink>),
        masking: ExportMasking,
        (ids, clock): (Arc<dyn IdSource>, Arc<dyn Clock>),
        compression: Compression,
    ) -> Self {
        Self { source, store, sink, masking, ids, clock, compression }
    }

    /// Every tenant that feeds can be produced for.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        self.source.tenants().await
    }

    /// Writes what is missing or out of date of a tenant's feeds, the earliest days first.
    ///
    /// # Errors
    /// [`StoreError`]. Days that were written before it stay; the next run goes on from there.
    pub async fn produce(
        &self,
        tenant: &TenantId,
        formats: &[Format],
        range: DayRange,
        watch: &dyn ProductionWatch,
    ) -> Result<(), StoreError> {
        let Some((first, last)) = self.bounds(tenant, range).await? else { return Ok(()) };
        let mut tables = Vec::new();
        for feed in Feed::ALL {
            for format in formats {
                tables.push(self.known(tenant, feed, *format).await?);
            }
        }
        let again = range.from.unwrap_or_else(|| Day::from_number(last.number() - LOOKED_AT_AGAIN).unwrap_or(first));
        for day in first.through(last) {
            for table in &tables {
                let written = table.complete.contains(&day);
                if written && day < again && !table.late.contains_key(&day) {
                    continue;
                }
                self.day(tenant, table, day, watch).await?;
            }
        }
        Ok(())
    }

    async fn bounds(&self, tenant: &TenantId, range: DayRange) -> Result<Option<(Day, Day)>, StoreError> {
        let now = self.clock.now();
        let latest = if range.unfinished { Some(Day::of(now)) } else { last_day_over(now) };
        let first = match range.from {
            Some(from) => Some(from),
            None => self.source.first_day(tenant).await?,
        };
        let last = range.to.into_iter().chain(latest).min().filter(|_| latest.is_some());
        Ok(first.zip(last))
    }

    async fn known(&self, tenant: &TenantId, feed: Feed, format: Format) -> Result<Known, StoreError> {
        let complete = self.store.complete_days(tenant, &feed.table(format)).await?.into_iter().collect();
        let late = self.source.late_changes(tenant, feed).await?;
        Ok(Known { feed, format, complete, late })
    }

    async fn day(
        &self,
        tenant: &TenantId,
        table: &Known,
        day: Day,
        watch: &dyn ProductionWatch,
    ) -> Result<(), StoreError> {
        let place = table.feed.table(table.format).on(day);
        let manifest = self.store.manifest(tenant, &place).await?;
        let late_changes = table.late.get(&day).copied().unwrap_or_default();
        let complete = table.complete.contains(&day);
        let outcome = match (task(DayState { day, complete, manifest: manifest.as_ref(), late_changes }), manifest) {
            (DayTask::Leave | DayTask::Mark, None) => DayOutcome::Unchanged,
            (DayTask::Leave, Some(manifest)) => {
                self.finish(tenant, &place, &manifest).await?;
                DayOutcome::Unchanged
            }
            (DayTask::Mark, Some(manifest)) => {
                self.sink.complete(tenant, &place, &manifest).await?;
                self.finish(tenant, &place, &manifest).await?;
                DayOutcome::Marked
            }
            (DayTask::Write { revision }, replaced) => {
                let total = watch.wants_total().then_some(self.source.count(tenant, table.feed, day));
                let total = match total {
                    Some(count) => Some(count.await?),
                    None => None,
                };
                watch.begins(tenant, &place, total);
                let draft = Draft { feed: table.feed, format: table.format, place: &place, revision, late_changes };
                DayWriting::new(self, tenant, draft, watch).run(replaced).await?
            }
        };
        watch.ends(tenant, &place, outcome);
        Ok(())
    }
}

impl FeedProduction {
    /// Ends what a run that was cut off after it completed the day had still to do.
    async fn finish(&self, tenant: &TenantId, place: &FeedDay, manifest: &Manifest) -> Result<(), StoreError> {
        match self.sink.progress(tenant, place).await? {
            Some(progress) => clean_up(&*self.sink, tenant, place, manifest, &progress).await,
            None => Ok(()),
        }
    }
}

/// What is known of a table before its days are looked at.
struct Known {
    feed: Feed,
    format: Format,
    complete: BTreeSet<Day>,
    late: BTreeMap<Day, u64>,
}
