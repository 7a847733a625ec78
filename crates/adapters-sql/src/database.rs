//! Opening a database: which one, with what settings, and how many connections.

use std::time::Duration;

use parlance_domain::error::StoreError;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, SqliteTransactionMode, Statement,
    TransactionOptions, TransactionTrait,
};
use tokio::runtime::Handle;

use crate::{
    audit::Recording,
    error::{self, Failure},
    general_pool,
    group_commit::{GroupCommit, write_to_postgres, write_to_sqlite},
    opening::{Missing, OpenError, check_file, sqlite_options},
    postgres::{self, ConnectionLosses, Lanes, Servers},
    refusal,
    schema::{self, SchemaError},
    sqlite::{self, Notices, OpenFiles, Place, Readers},
};

const SQLITE_READERS: u32 = 4;

const FIRST_READ: &str = "SELECT count(*) FROM sqlite_schema";

/// How long a call waits for a free connection, or for a new one to be made.
pub(crate) const ACQUIRE_TIMEOUT: Duration = Duration::from_millis(1_500);

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
    files: OpenFiles,
    beside_server: bool,
    losses: ConnectionLosses,
    /// None on SQLite.
    servers: Option<Servers>,
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

impl Database {
    /// Opens the database at this address: `sqlite://path` (made where it is missing), `sqlite::memory:`, or
    /// `postgres://user:password@host:port/name`, where several hosts may be named, divided by commas.
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
        match Box::pin(Self::try_open(url, purpose, missing)).await {
            Err(OpenError::Refused(told)) => Err(OpenError::Refused(Box::pin(refusal::explain(url, told)).await)),
            outcome => outcome,
        }
    }

    async fn try_open(url: &str, purpose: Purpose, missing: Missing) -> Result<Self, OpenError> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            Self::open_postgres(url, purpose).await
        } else if let Some(place) = Place::of(url) {
            Self::open_sqlite(url, place, missing).await
        } else {
            Err(OpenError::UnknownKind)
        }
    }

    async fn open_postgres(url: &str, purpose: Purpose) -> Result<Self, OpenError> {
        let servers = postgres::servers(url).map_err(Failure::from)?;
        let (losses, beside_server) = (ConnectionLosses::default(), servers.hosts().iter().all(postgres::is_at_home));
        let lanes = Lanes::new(&servers, losses.clone())?;
        let pool = Box::pin(general_pool::open_postgres(&servers, &losses));
        let pool = match purpose {
            Purpose::Service => pool.await?,
            Purpose::Feeds => tokio::join!(pool, Box::pin(lanes.open_copying())).0?,
        };
        let group_commit = write_to_postgres(&servers, losses.clone());
        Ok(Self {
            writer: pool.clone(),
            reader: pool,
            group_commit,
            reading: Reading::Postgres(lanes),
            files: OpenFiles::default(),
            beside_server,
            losses,
            servers: Some(servers),
            recording: Recording::default(),
        })
    }

    async fn open_sqlite(url: &str, place: Place, missing: Missing) -> Result<Self, OpenError> {
        if let Place::File(file) = &place {
            check_file(file, missing)?;
        }
        let writer = sqlite::connect(sqlite_options(url, &place, 1)).await?;
        // The first read makes the log and its index where they are missing.
        writer.query_one_raw(Statement::from_string(DbBackend::Sqlite, FIRST_READ)).await.map_err(Failure::from)?;
        let files = place.open_files().map_err(Failure::from)?;
        let reader = sqlite::connect(sqlite_options(url, &place, SQLITE_READERS)).await?;
        let (turns, notices) = (writer.get_sqlite_connection_pool().clone(), Notices::default());
        let group_commit = write_to_sqlite(&place, files.clone(), turns, notices.clone())?;
        let reading = Reading::Sqlite(Readers::new(place, files.clone(), notices));
        files.verify()?;
        let losses = ConnectionLosses::default();
        Ok(Self {
            writer,
            reader,
            group_commit,
            reading,
            files,
            beside_server: false,
            losses,
            servers: None,
            recording: Recording::default(),
        })
    }

    /// Brings the schema up to date. Safe to call from several processes at once: they take turns.
    ///
    /// # Errors
    /// [`SchemaError`].
    pub async fn migrate(&self) -> Result<(), SchemaError> {
        schema::migrate(&self.writer).await?;
        self.files.verify().map_err(|failure| SchemaError::Database(failure.into_reason()))
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

    pub(crate) fn servers(&self) -> Option<&Servers> {
        self.servers.as_ref()
    }

    pub(crate) fn losses(&self) -> &ConnectionLosses {
        &self.losses
    }

    /// Runs one call through the general pools, bounded in time.
    ///
    /// # Errors
    /// [`StoreErrorKind::Unavailable`](parlance_domain::error::StoreErrorKind) where the files of the database are no
    /// longer those that were opened, whatever the call came to; else its own failure.
    pub(crate) async fn call<T>(&self, statement: impl Future<Output = Result<T, DbErr>>) -> Result<T, StoreError> {
        self.files.verify_if_displaced()?;
        let outcome = error::call(statement).await;
        self.files.verify()?;
        outcome
    }

    /// The files that it consists of.
    pub(crate) fn files(&self) -> &OpenFiles {
        &self.files
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
