//! Opening a database: its connections, their number, and their settings.

use sea_orm::{ConnectionTrait, DbBackend, Statement};

use crate::{
    control_plane::audit::AuditRecorder,
    database::{Database, NativeReader},
    engine::{
        open::{DatabaseOpenError, MissingFilePolicy, check_file, sqlite_options},
        open_diagnosis,
        postgres::{self, ConnectionLosses, PerThreadPools, WriterStats},
        sqlite::{self, DatabaseFiles, DatabaseLocation, Readers, WriterSignals},
        url_check::check_database_url,
    },
    error::DbError,
};

const SQLITE_READERS: u32 = 4;

/// The first read of a file creates the write-ahead log and its index where they are missing.
const FIRST_READ: &str = "SELECT count(*) FROM sqlite_schema";

/// The purpose of an open database.
#[derive(Clone, Copy)]
enum Purpose {
    Service,
    Feeds,
}

impl Database {
    /// Opens the database at a URL: `sqlite://path` (the file is created where it is missing), `sqlite::memory:`, or
    /// `postgres://user:password@host:port/name` with one host or several, separated by commas.
    ///
    /// # Errors
    /// [`DatabaseOpenError`].
    pub async fn open(url: &str) -> Result<Self, DatabaseOpenError> {
        Self::open_for(url, Purpose::Service, MissingFilePolicy::Create).await
    }

    /// As [`open`](Self::open), but a missing SQLite file is an error.
    ///
    /// # Errors
    /// [`DatabaseOpenError`].
    pub async fn open_existing(url: &str) -> Result<Self, DatabaseOpenError> {
        Self::open_for(url, Purpose::Service, MissingFilePolicy::Refuse).await
    }

    /// As [`open_existing`](Self::open_existing), for a feed export: also opens a connection that copies.
    ///
    /// # Errors
    /// [`DatabaseOpenError`].
    pub async fn open_for_feeds(url: &str) -> Result<Self, DatabaseOpenError> {
        Self::open_for(url, Purpose::Feeds, MissingFilePolicy::Refuse).await
    }

    async fn open_for(url: &str, purpose: Purpose, missing: MissingFilePolicy) -> Result<Self, DatabaseOpenError> {
        match Box::pin(Self::try_open(url, purpose, missing)).await {
            Err(DatabaseOpenError::Refused(reason)) => {
                Err(DatabaseOpenError::Refused(Box::pin(open_diagnosis::diagnose(url, reason)).await))
            }
            outcome => outcome,
        }
    }

    async fn try_open(url: &str, purpose: Purpose, missing: MissingFilePolicy) -> Result<Self, DatabaseOpenError> {
        check_database_url(url)?;
        match DatabaseLocation::parse(url) {
            Some(location) => Self::open_sqlite(url, location, missing).await,
            None => Self::open_postgres(url, purpose).await,
        }
    }

    async fn open_postgres(url: &str, purpose: Purpose) -> Result<Self, DatabaseOpenError> {
        let servers = postgres::parse_servers(url).map_err(DbError::from)?;
        let (losses, colocated) = (servers.losses().clone(), servers.hosts().iter().all(postgres::is_local_server));
        let pools = PerThreadPools::new(&servers)?;
        let pool = Box::pin(postgres::open_general_pool(&servers));
        let pool = match purpose {
            Purpose::Service => pool.await?,
            Purpose::Feeds => tokio::join!(pool, Box::pin(pools.open_copy_connection())).0?,
        };
        let writer_stats = WriterStats::default();
        let writes = postgres::writer::start_writer(&servers, writer_stats.clone());
        Ok(Self {
            writer: pool.clone(),
            reader: pool,
            writes,
            native_reader: NativeReader::Postgres(pools),
            files: DatabaseFiles::default(),
            colocated,
            losses,
            writer_stats,
            servers: Some(servers),
            audit_recorder: AuditRecorder::default(),
        })
    }

    async fn open_sqlite(
        url: &str,
        location: DatabaseLocation,
        missing: MissingFilePolicy,
    ) -> Result<Self, DatabaseOpenError> {
        if let DatabaseLocation::File(file) = &location {
            check_file(file, missing)?;
        }
        let writer = sqlite::connect(sqlite_options(url, &location, 1)).await?;
        writer.query_one_raw(Statement::from_string(DbBackend::Sqlite, FIRST_READ)).await.map_err(DbError::from)?;
        let files = location.record_files().map_err(DbError::from)?;
        let reader = sqlite::connect(sqlite_options(url, &location, SQLITE_READERS)).await?;
        let (write_pool, signals) = (writer.get_sqlite_connection_pool().clone(), WriterSignals::default());
        let write_queue = sqlite::writer::start_writer(&location, files.clone(), write_pool, signals.clone())?;
        let native_reader = NativeReader::Sqlite(Readers::new(location, files.clone(), signals));
        files.verify()?;
        let losses = ConnectionLosses::default();
        Ok(Self {
            writer,
            reader,
            writes: write_queue,
            native_reader,
            files,
            colocated: false,
            losses,
            writer_stats: WriterStats::default(),
            servers: None,
            audit_recorder: AuditRecorder::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rusqlite::Connection;
    use tempfile::TempDir;
    use tokio::{task::JoinHandle, time::timeout};

    use super::{Database, DatabaseOpenError};

    /// Longer than opening a new file takes, or refusing it.
    const OPEN_TIME: Duration = Duration::from_millis(200);

    /// A new file without a write-ahead log, which another connection has locked for a write.
    struct LockedFile {
        folder: TempDir,
        other: Connection,
    }

    impl LockedFile {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let other = Connection::open(folder.path().join("begun.db")).unwrap();
            other.execute_batch("BEGIN IMMEDIATE").unwrap();
            Self { folder, other }
        }

        fn open(&self) -> JoinHandle<Result<Database, DatabaseOpenError>> {
            let url = format!("sqlite://{}", self.folder.path().join("begun.db").display());
            tokio::spawn(async move { Database::open(&url).await })
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_locked_file_is_opened_once_the_lock_is_released() {
        let locked = LockedFile::new();
        let mut opening = locked.open();
        timeout(OPEN_TIME, &mut opening).await.expect_err("the file is still locked");
        locked.other.execute_batch("COMMIT").unwrap();
        assert!(opening.await.unwrap().is_ok());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_file_that_stays_locked_is_refused() {
        let locked = LockedFile::new();
        let error = locked.open().await.unwrap().unwrap_err();
        assert!(error.to_string().contains("database is locked"), "{error}");
    }
}
