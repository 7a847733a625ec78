//! Opening a database: which one, with what settings, and how many connections.

use std::{path::Path, str::FromStr, sync::Arc, time::Duration};

use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
    sqlx::{
        PgPool,
        sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
    },
};

use crate::{
    error::CALL_TIMEOUT,
    schema::{self, SchemaError},
};

const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 10;

/// How long a statement waits for another process that writes to the same SQLite file.
pub(crate) const SQLITE_BUSY_TIMEOUT: Duration = Duration::from_millis(1_500);

/// How long a call waits for a free connection, or for a new one to be made.
const ACQUIRE_TIMEOUT: Duration = Duration::from_millis(1_500);

/// An open database. Cloning shares its connections.
///
/// SQLite has one connection that writes, since only one transaction can write at a time and waiting in the process
/// is cheaper than failing in the database, and a few that read. Every commit is flushed to the disk.
#[derive(Clone, Debug)]
pub struct Database {
    writer: DatabaseConnection,
    reader: DatabaseConnection,
    sqlite_file: Option<Arc<Path>>,
}

/// Why a database could not be opened. The address is not repeated, for it may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address names no database that is supported.
    #[error("is not the address of a database: it must begin with sqlite:// or postgres://")]
    UnknownKind,
    /// The database cannot be reached, or refuses.
    #[error("cannot be opened: {0}")]
    Refused(Box<str>),
}

impl Database {
    /// Opens the database at this address: `sqlite://path` (made where it is missing), `sqlite::memory:`, or
    /// `postgres://user:password@host:port/name`.
    ///
    /// # Errors
    /// [`OpenError`].
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let pool = connect(postgres_options(url)).await?;
            Ok(Self { writer: pool.clone(), reader: pool, sqlite_file: None })
        } else if url == "sqlite::memory:" {
            let one = connect(sqlite_options(url, 1)).await?;
            Ok(Self { writer: one.clone(), reader: one, sqlite_file: None })
        } else if url.starts_with("sqlite:") {
            let writer = connect(sqlite_options(url, 1)).await?;
            let reader = connect(sqlite_options(url, SQLITE_READERS)).await?;
            let options =
                SqliteConnectOptions::from_str(url).map_err(|error| OpenError::Refused(error.to_string().into()))?;
            Ok(Self { writer, reader, sqlite_file: Some(options.get_filename().into()) })
        } else {
            Err(OpenError::UnknownKind)
        }
    }

    /// Brings the schema up to date. Safe to call from several processes at once: they take turns.
    ///
    /// # Errors
    /// [`SchemaError`].
    pub async fn migrate(&self) -> Result<(), SchemaError> {
        schema::migrate(&self.writer).await
    }

    /// Whether the schema is the one that this program was built for.
    ///
    /// # Errors
    /// [`SchemaError::Outdated`] or [`SchemaError::Newer`] where it is not.
    pub async fn check_schema(&self) -> Result<(), SchemaError> {
        schema::check(&self.writer).await
    }

    /// Closes every connection. SQLite's write-ahead log is brought into the database file.
    ///
    /// # Errors
    /// Where a connection does not close in order; nothing that was committed is lost by that.
    pub async fn close(self) -> Result<(), DbErr> {
        self.reader.close().await?;
        self.writer.close().await
    }

    /// Runs one statement as it is, on the connection that writes: for operators' tools and tests.
    ///
    /// # Errors
    /// What the database says.
    pub async fn execute_unprepared(&self, sql: &str) -> Result<(), DbErr> {
        self.writer.execute_unprepared(sql).await.map(|_| ())
    }

    /// Begins a transaction that writes. On SQLite it waits for its turn here, at its beginning, since one that reads
    /// first and writes later can fail in between.
    pub(crate) async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        begin(&self.writer).await
    }

    /// Brings SQLite's write-ahead log into the database file and empties it, since it still holds what was overwritten.
    /// Where others read from the log at that moment, it is left to a later checkpoint.
    pub(crate) async fn forget_old_pages(&self) {
        if self.writer.get_database_backend() == DbBackend::Sqlite {
            // The write is done and durable, whatever becomes of this.
            let _ = self.writer.execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await;
        }
    }

    pub(crate) fn writer(&self) -> &DatabaseConnection {
        &self.writer
    }

    /// The file of a SQLite database that is in one.
    pub(crate) fn sqlite_file(&self) -> Option<Arc<Path>> {
        self.sqlite_file.clone()
    }

    /// The connections to PostgreSQL, where it is that.
    pub(crate) fn postgres_pool(&self) -> Option<&PgPool> {
        let is_postgres = self.reader.get_database_backend() == DbBackend::Postgres;
        is_postgres.then(|| self.reader.get_postgres_connection_pool())
    }

    pub(crate) fn reader(&self) -> &DatabaseConnection {
        &self.reader
    }
}

pub(crate) async fn begin(writer: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let immediate = Some(SqliteTransactionMode::Immediate);
    let options = TransactionOptions { sqlite_transaction_mode: immediate, ..TransactionOptions::default() };
    writer.begin_with_options(options).await
}

async fn connect(options: ConnectOptions) -> Result<DatabaseConnection, OpenError> {
    sea_orm::Database::connect(options).await.map_err(|error| OpenError::Refused(error.to_string().into()))
}

fn sqlite_options(url: &str, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .min_connections(1)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(None::<Duration>)
        .max_lifetime(None::<Duration>)
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_sqlite_opts(durable);
    options
}

/// In write-ahead mode `FULL` flushes the log at every commit, so that an acknowledged write survives a loss of power.
/// What is overwritten is overwritten in the file too, so that no masked text can be read from what is free in it.
fn durable(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(SQLITE_BUSY_TIMEOUT)
        .pragma("secure_delete", "ON")
}

/// An acknowledged write is on the server's disk, whatever the server does by default.
fn postgres_options(url: &str) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(POSTGRES_CONNECTIONS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .sqlx_logging(false)
        .set_application_name("parlance")
        .statement_timeout(CALL_TIMEOUT)
        .map_sqlx_postgres_opts(|options| options.options([("synchronous_commit", "on")]));
    options
}
