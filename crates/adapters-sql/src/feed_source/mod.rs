//! What feeds are made of, in SQL: run by run in the order of creation, each run one bounded statement.
//!
//! The next runs are read while one is worked on.

mod literals;
mod reading;
mod records;
mod statements;

use std::collections::BTreeMap;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    feed::{Day, Feed, FeedSource, RecordRun, Records, RowPlace, Rows},
};
use tokio::{sync::mpsc, task::JoinHandle};

pub(crate) use self::{reading::gather, records::restore, statements::columns};
use self::{
    reading::{Value, read},
    statements::{COUNT, FIRST, LATE, TENANTS, statement},
};
use crate::{
    Database,
    columns::Columns,
    error::{Unread, corrupt},
};

/// How many records a run has at most.
const RUN: usize = 4_096;

/// How many runs wait at most, besides the one that is read and the one that is worked on: the database and whoever
/// works on its records then seldom wait for each other.
const WAITING: usize = 1;

/// Gives what feeds are made of from SQL.
#[derive(Clone, Debug)]
pub struct SqlFeedSource(Database);

impl SqlFeedSource {
    /// Reads from this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl FeedSource for SqlFeedSource {
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        let restore = |row: &dyn Columns| {
            let broken = |broken| corrupt("credentials", "tenant_id", "of a tenant", broken);
            Ok(TenantId::parse(row.text(0)?).map_err(broken)?)
        };
        read(&self.0, TENANTS.into(), Vec::new(), restore).await
    }

    async fn first_day(&self, tenant: &TenantId) -> Result<Option<Day>, StoreError> {
        let first = read(&self.0, FIRST.into(), vec![Value::of(tenant)], |row| Ok(row.integer(0)?)).await?;
        let micros = first.into_iter().next();
        micros.map(|micros| day_of(micros.div_euclid(86_400_000_000), tenant)).transpose()
    }

    async fn count(&self, tenant: &TenantId, feed: Feed, day: Day) -> Result<u64, StoreError> {
        let values = vec![Value::of(tenant), Value::at(day.start()), Value::at(day.end())];
        let sql = statements::for_feed(COUNT, feed);
        let counted = read(&self.0, sql, values, |row| Ok(row.integer(0)?)).await?;
        Ok(counted.into_iter().next().unwrap_or_default().unsigned_abs())
    }

    async fn late_changes(&self, tenant: &TenantId, feed: Feed) -> Result<BTreeMap<Day, u64>, StoreError> {
        let values = vec![Value::of(tenant), Value::Text(feed.as_str().to_owned())];
        let restore = |row: &dyn Columns| Ok((row.integer(0)?, row.integer(1)?));
        let counted = read(&self.0, LATE.into(), values, restore).await?;
        counted.into_iter().map(|(day, changes)| Ok((day_of(day, tenant)?, changes.unsigned_abs()))).collect()
    }

    async fn records<'a>(
        &self,
        tenant: &TenantId,
        feed: Feed,
        day: Day,
        after: Option<&'a RowPlace>,
    ) -> Result<Box<dyn RecordRun>, StoreError> {
        let after = after.cloned().unwrap_or(RowPlace { at: day.start(), key: String::new() });
        let reading = DayReading { database: self.0.clone(), tenant: tenant.clone(), feed, day };
        let (given, runs) = mpsc::channel(WAITING);
        let reading = tokio::spawn(reading.give(after, given));
        Ok(Box::new(SqlRun { runs, reading, ended: false }))
    }
}

fn day_of(number: i64, tenant: &TenantId) -> Result<Day, StoreError> {
    Day::from_number(number).map_err(|broken| corrupt("late_changes", "day", tenant.as_str(), broken))
}

/// The records of a day that are to be read.
struct DayReading {
    database: Database,
    tenant: TenantId,
    feed: Feed,
    day: Day,
}

impl DayReading {
    /// Gives run after run until one fails or is empty, as long as somebody takes them.
    async fn give(self, mut after: RowPlace, given: mpsc::Sender<Result<Records, StoreError>>) {
        loop {
            let run = self.read(after).await;
            let last = run.as_ref().ok().filter(|run| run.count() == RUN).and_then(Records::last_place);
            let goes_on = run.as_ref().is_ok_and(|run| !run.is_empty());
            if given.send(run).await.is_err() || !goes_on {
                return;
            }
            let Some(last) = last else {
                // Where nobody listens any more, nobody needs to know that it was the last.
                let _ = given.send(Ok(Records::default())).await;
                return;
            };
            after = last;
        }
    }

    async fn read(&self, after: RowPlace) -> Result<Records, StoreError> {
        let feed = self.feed;
        let values = vec![
            Value::of(&self.tenant),
            Value::at(after.at),
            Value::Text(after.key),
            Value::at(self.day.end()),
            Value::Number(i64::try_from(RUN).unwrap_or(i64::MAX)),
        ];
        let add = move |row: &dyn Columns, records: &mut Records| -> Result<(), Unread> { restore(feed, row, records) };
        gather(&self.database, statement(feed), values, add).await
    }
}

/// The records of a day, of which runs are always on their way.
struct SqlRun {
    runs: mpsc::Receiver<Result<Records, StoreError>>,
    reading: JoinHandle<()>,
    ended: bool,
}

impl Drop for SqlRun {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

#[async_trait]
impl RecordRun for SqlRun {
    async fn next(&mut self) -> Result<Records, StoreError> {
        if self.ended {
            return Ok(Records::default());
        }
        // The end of a day is told: a reading that is lost is never taken for it.
        let lost = || StoreError::new(StoreErrorKind::Unavailable, "the reading of records ended before their end");
        let records = self.runs.recv().await.ok_or_else(lost)??;
        self.ended = records.is_empty();
        Ok(records)
    }
}
