//! The compaction of the database: PostgreSQL writes each table with data of customers anew, with its indexes.
//!
//! SQLite needs none: it overwrites deleted data, and its write-ahead log is emptied after each erasure.

use std::time::Duration;

use async_trait::async_trait;
use parlance_domain::privacy::{CompactionError, CompactionOutcome, DatabaseCompactor, RewrittenTable};
use sea_orm::sqlx::{self, AssertSqlSafe, Connection, Row, error::DatabaseError, postgres::PgConnection};
use tokio::time::{Instant, sleep};

use crate::{
    Database,
    error::{DbError, INSUFFICIENT_PRIVILEGE},
    subject_data::tables_to_compact,
};

/// Compacts the database of a [`Database`].
#[derive(Clone, Debug)]
pub struct SqlCompactor {
    database: Database,
    max_wait: Duration,
}

/// The longest wait for older transactions, and for the lock of one table.
const MAX_WAIT: Duration = Duration::from_mins(1);

/// Time between two attempts. Users of the table go on meanwhile.
const PAUSE: Duration = Duration::from_millis(500);

/// The longest wait of one attempt. Everybody who uses the table after it began waits as long.
const SET_LOCK_TIMEOUT: &str = "SET lock_timeout = '1s'";

/// Whether the role may rewrite every table of the schema, and the statistics, which are a table of the database's owner.
const HAS_RIGHTS: &str = "SELECT pg_has_role(datdba, 'USAGE') AND NOT EXISTS (SELECT FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND NOT pg_has_role(relowner, 'USAGE'))
    FROM pg_database WHERE datname = current_database()";

const NEXT_TRANSACTION: &str = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text";

/// Whether something holds a snapshot that is older than a transaction id. A rewrite keeps what such a snapshot can see. The
/// snapshot of the rewrite itself is as old as the oldest transaction that writes in any database of the server.
const HAS_OLDER_SNAPSHOT: &str =
    "SELECT pg_snapshot_xmin(pg_current_snapshot()) < $1::text::xid8 OR EXISTS (SELECT FROM (
        SELECT backend_xmin AS id FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND (datname IS NULL OR datname = current_database())
        UNION ALL SELECT transaction FROM pg_prepared_xacts WHERE database = current_database()
        UNION ALL SELECT xmin FROM pg_replication_slots
        UNION ALL SELECT catalog_xmin FROM pg_replication_slots) AS holders
    WHERE age(id) > age($1::text::xid8::xid))";

/// The table of the statistics, which hold values of the columns. An analysis leaves the earlier values as deleted rows.
const STATISTICS: &str = "pg_statistic";

/// Whether a table has statistics although it is empty. An analysis of an empty table leaves its statistics as they were.
const HAS_STALE_STATISTICS: &str =
    "SELECT NOT EXISTS (SELECT FROM {TABLE}) AND EXISTS (SELECT FROM pg_stats WHERE tablename = '{TABLE}')";

const DELETE_STATISTICS: &str = "DELETE FROM pg_statistic WHERE starelid = '{TABLE}'::regclass";

impl SqlCompactor {
    /// A compactor of this database. It waits up to a minute for older transactions, and up to a minute for each table.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database, max_wait: MAX_WAIT }
    }

    /// Waits so long at most.
    #[must_use]
    pub fn with_max_wait(self, max_wait: Duration) -> Self {
        Self { max_wait, ..self }
    }

    /// A connection of its own, whose settings no other statement shares.
    async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let mut connection = self.database.writer().get_postgres_connection_pool().acquire().await?.detach();
        execute(&mut connection, "SET statement_timeout = 0").await?;
        execute(&mut connection, SET_LOCK_TIMEOUT).await?;
        Ok(connection)
    }

    /// Waits until no snapshot is older than this call.
    async fn wait_for_older_snapshots(&self, connection: &mut PgConnection) -> Result<(), CompactionError> {
        let row = sqlx::query(NEXT_TRANSACTION).fetch_one(&mut *connection).await.map_err(failed)?;
        let next: String = row.try_get(0).map_err(failed)?;
        let began = Instant::now();
        loop {
            let row = sqlx::query(HAS_OLDER_SNAPSHOT).bind(&next).fetch_one(&mut *connection).await.map_err(failed)?;
            if !row.try_get::<bool, _>(0).map_err(failed)? {
                return Ok(());
            }
            if began.elapsed() >= self.max_wait {
                return Err(CompactionError::OpenTransaction);
            }
            sleep(PAUSE).await;
        }
    }

    /// Writes a table anew, with its indexes, and analyses it if that is asked for.
    async fn rewrite(
        &self,
        connection: &mut PgConnection,
        (name, options): (&'static str, &str),
    ) -> Result<RewrittenTable, CompactionError> {
        let (began, before) = (Instant::now(), file_node(connection, name).await?);
        while let Err(error) = execute(connection, &format!("VACUUM ({options}) {name}")).await {
            let error = DbError::from(error);
            if !error.is_contention() {
                return Err(CompactionError::Store(error.into()));
            }
            if began.elapsed() >= self.max_wait {
                return Err(CompactionError::TableInUse(name));
            }
            sleep(PAUSE).await;
        }
        // The server only warns of a table that it leaves out.
        if file_node(connection, name).await? == before {
            return Err(CompactionError::MissingRights);
        }
        Ok(RewrittenTable { name, elapsed: began.elapsed() })
    }
}

#[async_trait]
impl DatabaseCompactor for SqlCompactor {
    #[tracing::instrument(level = "debug", name = "sql.compactor.compact", skip_all)]
    async fn compact(&self) -> Result<CompactionOutcome, CompactionError> {
        if !self.database.is_postgres() {
            return Ok(CompactionOutcome::NotNeeded);
        }
        let mut connection = self.connect().await.map_err(failed)?;
        let rights = sqlx::query(HAS_RIGHTS).fetch_one(&mut connection).await.map_err(failed)?;
        if !rights.try_get::<bool, _>(0).map_err(failed)? {
            return Err(CompactionError::MissingRights);
        }
        let mut tables = Vec::new();
        self.wait_for_older_snapshots(&mut connection).await?;
        for table in tables_to_compact() {
            tables.push(self.rewrite(&mut connection, (table, "FULL, ANALYZE")).await?);
            delete_stale_statistics(&mut connection, table).await?;
        }
        // The analyses have deleted the earlier statistics.
        self.wait_for_older_snapshots(&mut connection).await?;
        tables.push(self.rewrite(&mut connection, (STATISTICS, "FULL")).await?);
        let is_log_switched = switch_log(&mut connection).await.map_err(failed)?;
        connection.close().await.map_err(failed)?;
        Ok(CompactionOutcome::Rewritten { tables, is_log_switched })
    }
}

/// Begins a new segment of the write-ahead log and writes a checkpoint, so that the server may reuse or remove the segments
/// before. Returns whether the role may do both.
async fn switch_log(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    for statement in ["SELECT pg_switch_wal()", "CHECKPOINT"] {
        match execute(connection, statement).await {
            Err(error) if is_missing_right(&error) => return Ok(false),
            result => result?,
        }
    }
    Ok(true)
}

async fn delete_stale_statistics(connection: &mut PgConnection, table: &'static str) -> Result<(), CompactionError> {
    let select = HAS_STALE_STATISTICS.replace("{TABLE}", table);
    let row = sqlx::raw_sql(AssertSqlSafe(select)).fetch_one(&mut *connection).await.map_err(failed)?;
    if !row.try_get::<bool, _>(0).map_err(failed)? {
        return Ok(());
    }
    let deleted = execute(connection, &DELETE_STATISTICS.replace("{TABLE}", table)).await;
    deleted.map_err(
        |error| {
            if is_missing_right(&error) { CompactionError::StaleStatistics(table) } else { failed(error) }
        },
    )
}

fn is_missing_right(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(DatabaseError::code).is_some_and(|code| code == INSUFFICIENT_PRIVILEGE)
}

/// The number of the file of a table, which changes when the table is rewritten.
async fn file_node(connection: &mut PgConnection, table: &'static str) -> Result<Option<i64>, CompactionError> {
    let select = sqlx::query("SELECT pg_relation_filenode($1::text::regclass)::bigint").bind(table);
    let row = select.fetch_one(connection).await.map_err(failed)?;
    row.try_get(0).map_err(failed)
}

/// Runs a statement of this module outside of a transaction.
async fn execute(connection: &mut PgConnection, sql: &str) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(connection).await.map(drop)
}

fn failed(error: sqlx::Error) -> CompactionError {
    CompactionError::Store(DbError::from(error).into())
}
