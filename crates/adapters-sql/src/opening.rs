//! How a database is opened, and why it could not be.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use sea_orm::{
    ConnectOptions, DatabaseConnection,
    sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};

use crate::{
    database::ACQUIRE_TIMEOUT,
    error::Failure,
    sqlite::{self, Place},
};

/// Why a database could not be opened. The address is not repeated, for it may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address names no database that is supported.
    #[error("is not the address of a database: it must begin with sqlite:// or postgres://")]
    UnknownKind,
    /// The file of SQLite is not there.
    #[error("{} is not there: run `parlance migrate` to make it", .0.display())]
    NoFile(PathBuf),
    /// The file of SQLite is not there, and its log is.
    #[error(
        "{} is not there, and its log is: the file was moved while it was in use: put it back, or move the files that end \
         in -wal and -shm away",
        .0.display()
    )]
    LogAlone(PathBuf),
    /// The database cannot be reached, or refuses.
    #[error("cannot be opened: {0}")]
    Refused(Box<str>),
}

impl From<Failure> for OpenError {
    fn from(failure: Failure) -> Self {
        Self::Refused(failure.into_reason())
    }
}

pub(crate) async fn connect(options: ConnectOptions) -> Result<DatabaseConnection, OpenError> {
    Ok(sea_orm::Database::connect(options).await.map_err(Failure::from)?)
}

pub(crate) fn sqlite_options(url: &str, place: &Place, connections: u32) -> ConnectOptions {
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

/// Whether a file of SQLite is made where it is missing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    Create,
    Refuse,
}

/// Refuses a file that is missing where it is not to be made, or where that would empty the log of one that was moved.
pub(crate) fn check_file(file: &Path, missing: Missing) -> Result<(), OpenError> {
    if file.exists() {
        return Ok(());
    }
    if sqlite::LOG_FILES.iter().any(|suffix| sqlite::with_suffix(file, suffix).exists()) {
        return Err(OpenError::LogAlone(file.to_owned()));
    }
    if missing == Missing::Refuse { Err(OpenError::NoFile(file.to_owned())) } else { Ok(()) }
}
