//! The error of backups.

use std::{
    io,
    path::{Path, PathBuf},
};

use sea_orm::DbErr;

use crate::{error::db_err_message, migrations::SchemaError};

/// Why there is no copy. The URL is left out, since it may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is not SQLite.
    #[error("is PostgreSQL: back it up with pg_dump or a base backup, and restore it with pg_restore")]
    NotEmbedded,
    /// The database is in memory.
    #[error("is in memory: there is nothing to copy")]
    InMemory,
    /// Another restore writes this file.
    #[error("{0} is written by another restore: wait until it has ended")]
    Running(PathBuf),
    /// The target of the copy exists already. It is not overwritten.
    #[error("{0} already exists: move it away first")]
    Occupied(PathBuf),
    /// A file or folder cannot be read or written.
    #[error("{0} cannot be read or written: {1}")]
    Io(PathBuf, io::Error),
    /// The copy is not a sound database.
    #[error("{0} is not a sound database: {1}")]
    Unsound(PathBuf, Box<str>),
    /// The content of the copy is not that of its checksum file.
    #[error("{0} has not the SHA-256 digest in {1}: the copy was changed or damaged after it was made")]
    Changed(PathBuf, PathBuf),
    /// The checksum file of the copy does not begin with a digest.
    #[error("{0} does not begin with a SHA-256 digest: correct it, or move it away")]
    InvalidChecksum(PathBuf),
    /// This program cannot use the schema of the copy.
    #[error("{0} {1}")]
    Schema(PathBuf, SchemaError),
    /// The database failed during the copy.
    #[error("failed while it was copied: {0}")]
    Database(Box<str>),
}

impl From<DbErr> for BackupError {
    fn from(error: DbErr) -> Self {
        Self::Database(db_err_message(&error).into())
    }
}

pub(super) fn io_error(path: &Path, error: io::Error) -> BackupError {
    BackupError::Io(path.to_owned(), error)
}
