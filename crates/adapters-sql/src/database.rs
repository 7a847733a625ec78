//! Opening a database: which one, with what settings, and how many connections.

use std::{path::PathBuf, time::Duration};

use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
    sqlx::{
        postgres::PgConnectOptions,
        sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
    },
};
use tokio::runtime::Handle;

use crate::{
    audit::Recording,
    error::Failure,
    group_commit::{GroupCommit, write_to_postgres, write_to_sqlite},
    postgres::{self, Lanes},
    schema::{self, SchemaError},
    sqlite::{self, Notices, Place, Readers},
};

const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 10;

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
    group_commit: GroupCommit,
    reading: Reading,
    beside_server: bool,
    pub(crate) recording: Recording,
}

/// The way of the reads that are frequent and short: past the general pools, which hand them to other threads.
#[derive(Clone, Debug)]
pub(crate) enum Reading {
    /// On the thread of the caller.
    Sqlite(Readers),
    /// On connections of the caller's thread.
    Postgres(Lanes),
}

/// What a database is opened for.
#[derive(Clone, Copy)]
enum Purpose {
    Service,
    Feeds,
}

/// Whether a file of SQLite is made where it is missing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Create,
    Refuse,
}

/// Why a database could not be opened. The address is not repeated, for it may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address names no database that is supported.
    #[error("is not the address of a database: it must begin with sqlite:// or postgres://")]
    UnknownKind,
    /// The file of SQLite is not there.
    #[error("{} is not there: run `parlance migrate` to make it", .0.display())]
    NoFile(PathBuf),
    /// The database cannot be reached, or refuses.
    #[error("cannot be opened: {0}")]
    Refused(Box<str>),
}

impl From<Failure> for OpenError {
    fn from(failure: Failure) -> Self {
        Self::Refused(failure.into_reason())
    }
}

impl Database {
    /// Opens the database at this address: `sqlite://path` (made where it is missing), `sqlite::memory:`, or
    /// `postgres://user:password@host:port/name`.
    ///
    /// # Errors
    /// [`OpenError`].
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        Self::open_for(url, Purpose::Service, Missing::Create).await
    }

    /// The same, where a file of SQLite that is missing is an error.
    ///
    /// # Errors
    /// [`OpenError`].
    pub async fn open_existing(url: &str) -> Result<Self, OpenError> {
        Self::open_for(url, Purpose::Service, Missing::Refuse).await
    }

    /// The same, where feeds are made of it at once: what they are read with is opened meanwhile.
    ///
    /// # Errors
    /// [`OpenError`].
    pub async fn open_for_feeds(url: &str) -> Result<Self, OpenError> {
        Self::open_for(url, Purpose::Feeds, Missing::Refuse).await
    }

    async fn open_for(url: &str, purpose: Purpose, missing: Missing) -> Result<Self, OpenError> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            Self::open_postgres(url, purpose).await
        } else if let Some(place) = Place::of(url) {
            Self::open_sqlite(url, place, missing).await
        } else {
            Err(OpenError::UnknownKind)
        }
    }

    async fn open_postgres(url: &str, purpose: Purpose) -> Result<Self, OpenError> {
        let options = postgres::connect_options(url).map_err(Failure::from)?;
        let (lanes, beside_server) = (Lanes::new(options.clone())?, postgres::is_at_home(&options));
        let pool = Box::pin(connect(postgres_options(url, options.clone())));
        let pool = match purpose {
            Purpose::Service => pool.await?,
            Purpose::Feeds => tokio::join!(pool, Box::pin(lanes.open_copying())).0?,
        };
        let group_commit = write_to_postgres(options);
        let reading = Reading::Postgres(lanes);
        Ok(Self {
            writer: pool.clone(),
            reader: pool,
            group_commit,
            reading,
            beside_server,
            recording: Recording::default(),
        })
    }

    async fn open_sqlite(url: &str, place: Place, missing: Missing) -> Result<Self, OpenError> {
        if let (Place::File(file), Missing::Refuse) = (&place, missing)
            && !file.exists()
        {
            return Err(OpenError::NoFile(file.clone()));
        }
        let writer = sqlite::connect(sqlite_options(url, &place, 1)).await?;
        let reader = sqlite::connect(sqlite_options(url, &place, SQLITE_READERS)).await?;
        let notices = Notices::default();
        let group_commit = write_to_sqlite(&place, writer.get_sqlite_connection_pool().clone(), notices.clone())?;
        let reading = Reading::Sqlite(Readers::new(place, notices));
        Ok(Self { writer, reader, group_commit, reading, beside_server: false, recording: Recording::default() })
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

    /// Whether there is a schema of this program, of whatever age.
    ///
    /// # Errors
    /// [`SchemaError::Missing`] where there is none, [`SchemaError::Newer`] where it is newer than this program.
    pub async fn check_presence(&self) -> Result<(), SchemaError> {
        schema::check_readable(&self.writer).await
    }

    /// Closes every connection. SQLite's write-ahead log is brought into the database file.
    ///
    /// # Errors
    /// Where a connection does not close in order; nothing that was committed is lost by that.
    pub async fn close(self) -> Result<(), DbErr> {
        self.group_commit.stop().await;
        match &self.reading {
            Reading::Sqlite(readers) => readers.close(),
            Reading::Postgres(lanes) => lanes.close(),
        }
        self.reader.close().await?;
        self.writer.close().await
    }

    /// Whether the database is a server on this machine, as far as its address tells: one that needs the processors too.
    #[must_use]
    pub fn is_beside_its_server(&self) -> bool {
        self.beside_server
    }

    /// For a process of which one thread, the one that calls, answers all requests: PostgreSQL is written to there from now
    /// on, by the runtime that runs there, and asked for less at once, so that it works while the thread does. When that
    /// runtime ends, writes go on where the database was opened. On SQLite, and outside of a runtime, nothing changes.
    pub fn answer_on_this_thread_alone(&self) {
        if let (Reading::Postgres(lanes), Ok(runtime)) = (&self.reading, Handle::try_current()) {
            self.group_commit.go_on_in(runtime);
            lanes.serve_one_thread();
        }
    }

    /// Runs one statement as it is, on the connection that writes: for operators' tools and tests.
    ///
    /// # Errors
    /// What the database says.
    pub async fn execute_unprepared(&self, sql: &str) -> Result<(), DbErr> {
        self.writer.execute_unprepared(sql).await?;
        if let Reading::Sqlite(readers) = &self.reading {
            readers.notices().committed();
        }
        Ok(())
    }

    /// Begins a transaction that writes. On SQLite it waits for its turn here, at its beginning, since one that reads
    /// first and writes later can fail in between.
    pub(crate) async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        begin(&self.writer).await
    }

    pub(crate) fn recording(&self) -> &Recording {
        &self.recording
    }

    pub(crate) fn group_commit(&self) -> &GroupCommit {
        &self.group_commit
    }

    pub(crate) fn reading(&self) -> &Reading {
        &self.reading
    }

    pub(crate) fn writer(&self) -> &DatabaseConnection {
        &self.writer
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

pub(crate) async fn connect(options: ConnectOptions) -> Result<DatabaseConnection, OpenError> {
    sea_orm::Database::connect(options).await.map_err(|error| OpenError::Refused(error.to_string().into()))
}

fn sqlite_options(url: &str, place: &Place, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .min_connections(1)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(None::<Duration>)
        .max_lifetime(None::<Duration>)
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_sqlite_opts({
            let place = place.clone();
            move |options| durable(place.name(options))
        });
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
        .busy_timeout(sqlite::BUSY_TIMEOUT)
        .pragma("secure_delete", "ON")
}

fn postgres_options(url: &str, all: PgConnectOptions) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(POSTGRES_CONNECTIONS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_postgres_opts(move |_| all.clone());
    options
}
