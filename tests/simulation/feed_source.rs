//! The records that the feeds of the simulation are made of, with their late changes.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    feed::{
        Day, Feed, FeedName, FeedRecord, FeedSource, Interval, LateChanges, RecordBatch, RecordStream, RowCursor,
        VocabularyChange, VocabularyChangeKind,
    },
    vocabulary::VocabularyEntry,
};
use support::fixtures::{acme, vocabulary_entry};

use crate::{
    fault::Fault,
    world::{SECOND, World},
};

/// The only feed with rows. The others have days without rows.
pub(crate) const FEED: Feed = Feed::VocabularyChanges;

/// How old a row must be that a wrong reader sees.
const STALENESS: i64 = 3 * SECOND;

/// The database with the records. Clones share it.
#[derive(Clone)]
pub(crate) struct SimulatedSource {
    world: World,
    days: Arc<Mutex<BTreeMap<Day, Vec<Row>>>>,
}

#[derive(Clone)]
struct Row {
    number: u128,
    /// The number of late changes of the day with this row.
    late_changes: u64,
    added_at: i64,
}

impl SimulatedSource {
    /// Two closed days with one row each.
    pub(crate) fn new(world: &World) -> Self {
        let row = |number| vec![Row { number, late_changes: 0, added_at: -STALENESS }];
        let days = days().into_iter().zip([1, 2]).map(|(day, number)| (day, row(number)));
        Self { world: world.clone(), days: Arc::new(Mutex::new(days.collect())) }
    }

    /// Adds a row to a day that is over.
    pub(crate) fn add_late(&self, day: Day, number: u128) {
        let mut days = self.days.lock().unwrap();
        let rows = days.entry(day).or_default();
        let late_changes = rows.len() as u64;
        self.world.trace(|| format!("row {number} is added late to {day}, as change {late_changes}"));
        rows.push(Row { number, late_changes, added_at: self.world.now() });
    }

    /// The number of late changes of a day of a feed.
    pub(crate) fn late_changes_of(&self, feed: Feed, day: Day) -> u64 {
        let rows = self.days.lock().unwrap().get(&day).map_or(0, |rows| rows.len() as u64);
        if feed == FEED { rows - 1 } else { 0 }
    }

    /// A row that a revision with this many late changes must have, and has not.
    pub(crate) fn missing_row(&self, feed: &FeedName, day: Day, late_changes: u64, rows: &[&String]) -> Option<u128> {
        if *feed != FEED.name() {
            return None;
        }
        let days = self.days.lock().unwrap();
        let counted = days.get(&day)?.iter().filter(|row| row.late_changes <= late_changes);
        let is_missing = |row: &&Row| !rows.iter().any(|text| text.contains(&phrase(row.number)));
        counted.filter(is_missing).map(|row| row.number).next()
    }

    fn read(&self, feed: Feed, interval: Interval, after: Option<&RowCursor>) -> RecordBatch {
        let mut batch = RecordBatch::default();
        let days = self.days.lock().unwrap();
        for row in days.get(&interval.day).filter(|_| feed == FEED).into_iter().flatten() {
            let is_unseen = self.world.has(Fault::StaleRows) && self.world.now() < row.added_at + STALENESS;
            let record = record(interval.day, row.number);
            if !is_unseen && after.is_none_or(|after| record.cursor() > *after) {
                batch.push(record).unwrap();
            }
        }
        batch
    }
}

/// The days that are closed at the start of a run.
pub(crate) fn days() -> [Day; 2] {
    ["2025-12-29", "2025-12-30"].map(|day| Day::parse(day).unwrap())
}

fn phrase(number: u128) -> String {
    format!("<{number}>")
}

fn record(day: Day, number: u128) -> FeedRecord {
    let changed_at = day.start().plus_seconds(i64::try_from(number).unwrap());
    let entry = VocabularyEntry { created_at: changed_at, ..vocabulary_entry(number, &phrase(number)) };
    FeedRecord::VocabularyChange(Box::new(VocabularyChange { entry, kind: VocabularyChangeKind::Added, changed_at }))
}

/// One batch, which was read at once.
struct OneBatch(Option<RecordBatch>);

#[async_trait]
impl RecordStream for OneBatch {
    async fn next(&mut self) -> Result<RecordBatch, StoreError> {
        Ok(self.0.take().unwrap_or_default())
    }
}

#[async_trait]
impl FeedSource for SimulatedSource {
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        self.world.call_store(|| vec![acme()]).await
    }

    async fn first_day(&self, _: &TenantId) -> Result<Option<Day>, StoreError> {
        self.world.call_store(|| days().first().copied()).await
    }

    async fn count(&self, _: &TenantId, _: Feed, _: Interval) -> Result<u64, StoreError> {
        unreachable!("the observer of the simulation wants no count")
    }

    async fn late_changes(&self, _: &TenantId, feed: Feed) -> Result<LateChanges, StoreError> {
        let source = self.clone();
        let read = move || days().map(|day| (Interval::from(day), source.late_changes_of(feed, day)));
        Ok(self.world.call_store(read).await?.into_iter().collect())
    }

    async fn records<'a>(
        &self,
        _: &TenantId,
        feed: Feed,
        interval: Interval,
        after: Option<&'a RowCursor>,
    ) -> Result<Box<dyn RecordStream>, StoreError> {
        let (source, after) = (self.clone(), after.cloned());
        let batch = self.world.call_store(move || source.read(feed, interval, after.as_ref())).await?;
        Ok(Box::new(OneBatch(Some(batch))))
    }
}
