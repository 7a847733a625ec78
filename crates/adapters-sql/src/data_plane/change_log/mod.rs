//! The change log in SQL. Triggers append to it in the transaction of each change: see
//! `migrations/functions/change_log_v1_postgres.sql` and `change_log_row_v1_sqlite.sql`.

mod notifications;
pub(crate) mod partitions;
mod postgres;
mod retention;
pub(crate) mod rows;
mod rows_read;
mod sqlite;
pub(crate) mod statement;

use async_trait::async_trait;
pub use notifications::ChangeNotifications;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{ChangeLog, FeedChange, LogPosition, LogRead, LogStatus},
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, Statement, Value};
use statement::RECORD_FEED_DAY;

use crate::{Database, database::NativeReader};

/// Reads the change log in SQL, and drops its old rows.
#[derive(Clone, Debug)]
pub struct SqlChangeLog(Database);

impl SqlChangeLog {
    /// The log in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl ChangeLog for SqlChangeLog {
    #[tracing::instrument(level = "debug", name = "sql.change_log.read", skip_all, fields(%tenant))]
    async fn read(&self, tenant: &TenantId, after: LogPosition, limit: usize) -> Result<LogRead, StoreError> {
        let read = match self.0.native_reader() {
            NativeReader::Sqlite(readers) => sqlite::rows(readers, tenant, after, limit).await?,
            NativeReader::Postgres(pools) => postgres::rows(pools, tenant, after, limit).await?,
        };
        read.into_read(tenant, after, limit)
    }

    #[tracing::instrument(level = "debug", name = "sql.change_log.oldest", skip_all, fields(%tenant))]
    async fn oldest(&self, tenant: &TenantId) -> Result<LogPosition, StoreError> {
        let last_dropped = match self.0.native_reader() {
            NativeReader::Sqlite(readers) => sqlite::last_dropped(readers, tenant)?,
            NativeReader::Postgres(pools) => postgres::last_dropped(pools, tenant).await?,
        };
        Ok(last_dropped.unwrap_or(LogPosition::START))
    }

    #[tracing::instrument(level = "debug", name = "sql.change_log.newest", skip_all, fields(%tenant))]
    async fn newest(&self, tenant: &TenantId) -> Result<LogPosition, StoreError> {
        let newest = match self.0.native_reader() {
            NativeReader::Sqlite(readers) => sqlite::newest(readers, tenant)?,
            NativeReader::Postgres(pools) => postgres::newest(pools, tenant).await?,
        };
        match newest {
            Some(newest) => Ok(newest),
            None => self.oldest(tenant).await,
        }
    }

    #[tracing::instrument(
        level = "debug", name = "sql.change_log.has_entries", skip_all, fields(tenants = positions.len())
    )]
    async fn has_entries(&self, positions: &[(TenantId, LogPosition)]) -> Result<Vec<bool>, StoreError> {
        match self.0.native_reader() {
            NativeReader::Sqlite(readers) => sqlite::has_entries(readers, positions),
            NativeReader::Postgres(pools) => postgres::has_entries(pools, positions).await,
        }
    }

    #[tracing::instrument(level = "debug", name = "sql.change_log.append_feed_change", skip_all, fields(%tenant))]
    async fn append_feed_change(&self, tenant: &TenantId, change: &FeedChange) -> Result<(), StoreError> {
        let db = self.0.writer();
        let values: [Value; 4] = [
            tenant.as_str().into(),
            change.feed.as_str().into(),
            change.day.epoch_days().into(),
            i64::from(change.revision).into(),
        ];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), RECORD_FEED_DAY, values);
        self.0.write(db.execute_raw(statement)).await.map(drop)
    }

    #[tracing::instrument(level = "debug", name = "sql.change_log.drop_before", skip_all)]
    async fn drop_before(&self, cutoff: Timestamp) -> Result<bool, StoreError> {
        retention::drop_before(&self.0, cutoff).await
    }

    #[tracing::instrument(level = "debug", name = "sql.change_log.status", skip_all)]
    async fn status(&self) -> Result<LogStatus, StoreError> {
        match self.0.native_reader() {
            NativeReader::Sqlite(readers) => sqlite::status(readers),
            NativeReader::Postgres(pools) => postgres::status(pools).await,
        }
    }
}
