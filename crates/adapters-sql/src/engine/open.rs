//! Options and checks for opening a database, and the errors of opening it.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use sea_orm::{
    ConnectOptions,
    sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};

use crate::{
    engine::{
        sqlite::{self, DatabaseLocation},
        url_check::DatabaseUrlError,
    },
    error::DbError,
};

/// How long a call waits for a pooled connection, idle or new.
pub(crate) const ACQUIRE_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Why a database could not be opened. The URL is left out, since it may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseOpenError {
    /// The URL is invalid.
    #[error(transparent)]
    InvalidUrl(#[from] DatabaseUrlError),
    /// The SQLite file does not exist.
    #[error("{} does not exist: run `parlance migrate` to create it", .0.display())]
    MissingFile(PathBuf),
    /// The SQLite file does not exist, but its write-ahead log does.
    #[error(
        "{} does not exist, but its write-ahead log does: the file was moved while it was in use: put it back, or move \
         the files that end in -wal and -shm away",
        .0.display()
    )]
    OrphanedWal(PathBuf),
    /// The database cannot be reached, or refuses the connection.
    #[error("cannot be opened: {0}")]
    Refused(Box<str>),
}

impl From<DbError> for DatabaseOpenError {
    fn from(error: DbError) -> Self {
        Self::Refused(error.into_reason())
    }
}

pub(crate) fn sqlite_options(url: &str, location: &DatabaseLocation, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .min_connections(1)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(None::<Duration>)
        .max_lifetime(None::<Duration>)
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_sqlite_pool_opts(sqlite::close_unfinished)
        .map_sqlx_sqlite_opts({
            let location = location.clone();
            move |options| with_durability(location.apply_to(options))
        });
    options
}

/// In write-ahead mode, `FULL` flushes the log at every commit, so that an acknowledged write survives a power loss.
/// `secure_delete` overwrites deleted content in the file, so that no masked text stays in its free pages.
fn with_durability(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(sqlite::BUSY_TIMEOUT)
        .pragma("secure_delete", "ON")
}

/// Whether a missing SQLite file is created or refused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingFilePolicy {
    Create,
    Refuse,
}

/// Refuses a missing file that must exist, or whose write-ahead log still exists: a new file would empty that log.
pub(crate) fn check_file(file: &Path, missing: MissingFilePolicy) -> Result<(), DatabaseOpenError> {
    if file.exists() {
        return Ok(());
    }
    if sqlite::WAL_SUFFIXES.iter().any(|suffix| sqlite::with_suffix(file, suffix).exists()) {
        return Err(DatabaseOpenError::OrphanedWal(file.to_owned()));
    }
    if missing == MissingFilePolicy::Refuse { Err(DatabaseOpenError::MissingFile(file.to_owned())) } else { Ok(()) }
}
