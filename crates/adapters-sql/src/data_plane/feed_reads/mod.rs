//! Reads the records of feeds in SQL, in batches. Each batch is one statement with a limit.
//!
//! The next batches are read while the caller processes the current one.

mod literals;
mod param;
mod query;
mod records;
pub(super) mod statements;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    feed::{Day, Feed, FeedSource, Hour, Interval, LateChanges, RecordBatch, RecordStream, RowCursor, Rows},
    time::MICROS_PER_DAY,
};
use tokio::{sync::mpsc, task::JoinHandle};

use self::{
    param::Param,
    query::{fold_rows, query_all},
    statements::{COUNT_LATE_CHANGES, COUNT_RECORDS, SELECT_FIRST_TIMESTAMP, SELECT_TENANTS, select_records},
};
pub(crate) use self::{records::restore_into, statements::columns};
use crate::{
    Database,
    error::{ReadError, corrupt},
    row::Row,
};

/// The maximum number of records of a batch.
const MAX_BATCH_RECORDS: usize = 4_096;

/// The maximum number of queued batches, in addition to the batch that is read and the batch that is processed. With
/// one queued batch the reader and the consumer seldom wait for each other.
const MAX_QUEUED_BATCHES: usize = 1;

/// Reads the records of feeds from SQL.
#[derive(Clone, Debug)]
pub struct SqlFeedSource(Database);

impl SqlFeedSource {
    /// A source in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl FeedSource for SqlFeedSource {
    #[tracing::instrument(level = "debug", name = "sql.feed_source.tenants", skip_all)]
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        let restore = |row: &dyn Row| {
            let corrupt_tenant = |error| corrupt("credentials", "tenant_id", "(unknown)", error);
            Ok(TenantId::parse(row.text(0)?).map_err(corrupt_tenant)?)
        };
        query_all(&self.0, SELECT_TENANTS.into(), Vec::new(), restore).await
    }

    #[tracing::instrument(level = "debug", name = "sql.feed_source.first_day", skip_all, fields(%tenant))]
    async fn first_day(&self, tenant: &TenantId) -> Result<Option<Day>, StoreError> {
        let first =
            query_all(&self.0, SELECT_FIRST_TIMESTAMP.into(), vec![Param::tenant(tenant)], |row| Ok(row.integer(0)?))
                .await?;
        let micros = first.into_iter().next();
        micros.map(|micros| restore_day(micros.div_euclid(MICROS_PER_DAY), tenant)).transpose()
    }

    #[tracing::instrument(level = "debug", name = "sql.feed_source.count", skip_all, fields(%tenant))]
    async fn count(&self, tenant: &TenantId, feed: Feed, interval: Interval) -> Result<u64, StoreError> {
        let params = vec![Param::tenant(tenant), Param::timestamp(interval.start()), Param::timestamp(interval.end())];
        let sql = statements::for_feed(COUNT_RECORDS, feed);
        let count = query_all(&self.0, sql, params, |row| Ok(row.integer(0)?)).await?;
        Ok(count.into_iter().next().unwrap_or_default().unsigned_abs())
    }

    #[tracing::instrument(level = "debug", name = "sql.feed_source.late_changes", skip_all, fields(%tenant))]
    async fn late_changes(&self, tenant: &TenantId, feed: Feed) -> Result<LateChanges, StoreError> {
        let params = vec![Param::tenant(tenant), Param::Text(feed.as_str().to_owned())];
        let restore = |row: &dyn Row| Ok((row.integer(0)?, row.optional_integer(1)?, row.integer(2)?));
        let counts = query_all(&self.0, COUNT_LATE_CHANGES.into(), params, restore).await?;
        let restore_count = |(day, hour, changes): (i64, Option<i64>, i64)| {
            let (day, hour) = (restore_day(day, tenant)?, hour.map(|hour| restore_hour(hour, tenant)).transpose()?);
            Ok((Interval { day, hour }, changes.unsigned_abs()))
        };
        counts.into_iter().map(restore_count).collect()
    }

    #[tracing::instrument(level = "debug", name = "sql.feed_source.records", skip_all, fields(%tenant))]
    async fn records<'a>(
        &self,
        tenant: &TenantId,
        feed: Feed,
        interval: Interval,
        after: Option<&'a RowCursor>,
    ) -> Result<Box<dyn RecordStream>, StoreError> {
        let after = after.cloned().unwrap_or(RowCursor { timestamp: interval.start(), key: String::new() });
        let reader = RecordReader { database: self.0.clone(), tenant: tenant.clone(), feed, interval };
        let (sender, batches) = mpsc::channel(MAX_QUEUED_BATCHES);
        let reader = tokio::spawn(reader.send_batches(after, sender));
        Ok(Box::new(SqlRecordStream { batches, reader, ended: false }))
    }
}

fn restore_day(number: i64, tenant: &TenantId) -> Result<Day, StoreError> {
    Day::from_epoch_days(number).map_err(|error| corrupt("late_changes", "day", tenant.as_str(), error))
}

fn restore_hour(number: i64, tenant: &TenantId) -> Result<Hour, StoreError> {
    let hour = u8::try_from(number).ok().and_then(Hour::from_number);
    hour.ok_or_else(|| corrupt("late_changes", "hour", tenant.as_str(), "is not an hour of a day"))
}

/// Reads the records of an interval.
struct RecordReader {
    database: Database,
    tenant: TenantId,
    feed: Feed,
    interval: Interval,
}

impl RecordReader {
    /// Sends batches in order, until a read fails, the last batch is sent, or the receiver is dropped. An empty batch
    /// follows the last one.
    async fn send_batches(self, mut after: RowCursor, sender: mpsc::Sender<Result<RecordBatch, StoreError>>) {
        loop {
            let batch = self.read(after).await;
            let cursor = batch
                .as_ref()
                .ok()
                .filter(|batch| batch.count() == MAX_BATCH_RECORDS)
                .and_then(RecordBatch::last_cursor);
            let continues = batch.as_ref().is_ok_and(|batch| !batch.is_empty());
            if sender.send(batch).await.is_err() || !continues {
                return;
            }
            let Some(cursor) = cursor else {
                // The send fails if the receiver is dropped, and then nobody needs the empty batch.
                let _ = sender.send(Ok(RecordBatch::default())).await;
                return;
            };
            after = cursor;
        }
    }

    async fn read(&self, after: RowCursor) -> Result<RecordBatch, StoreError> {
        let feed = self.feed;
        let params = vec![
            Param::tenant(&self.tenant),
            Param::timestamp(after.timestamp),
            Param::Text(after.key),
            Param::timestamp(self.interval.end()),
            Param::Number(i64::try_from(MAX_BATCH_RECORDS).unwrap_or(i64::MAX)),
        ];
        let add =
            move |row: &dyn Row, batch: &mut RecordBatch| -> Result<(), ReadError> { restore_into(feed, row, batch) };
        fold_rows(&self.database, select_records(feed), params, add).await
    }
}

/// The records of an interval, which a task reads ahead.
struct SqlRecordStream {
    batches: mpsc::Receiver<Result<RecordBatch, StoreError>>,
    reader: JoinHandle<()>,
    ended: bool,
}

impl Drop for SqlRecordStream {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

#[async_trait]
impl RecordStream for SqlRecordStream {
    #[tracing::instrument(level = "debug", name = "sql.record_stream.next", skip_all)]
    async fn next(&mut self) -> Result<RecordBatch, StoreError> {
        if self.ended {
            return Ok(RecordBatch::default());
        }
        // An empty batch marks the end. A closed channel without it means that the reader has stopped early.
        let reader_stopped = || {
            StoreError::new(StoreErrorKind::Unavailable, "the reader of feed records stopped before the last record")
        };
        let batch = self.batches.recv().await.ok_or_else(reader_stopped)??;
        self.ended = batch.is_empty();
        Ok(batch)
    }
}
