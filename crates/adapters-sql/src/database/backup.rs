//! Backups of a SQLite database: made while it is in use, verified, and restored.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    str::FromStr,
};

use sea_orm::{
    ConnectOptions, ConnectionTrait, DbErr, FromQueryResult, Statement,
    sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode},
};

use crate::{
    database::Database,
    engine::sqlite::{WAL_SUFFIXES, with_suffix},
    error::db_err_message,
    migrations::{self, SchemaError},
};

/// Why there is no copy. The URL is left out, since it may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is not SQLite.
    #[error("is PostgreSQL: back it up with pg_dump or a base backup, and restore it with pg_restore")]
    NotEmbedded,
    /// The database is in memory.
    #[error("is in memory: there is nothing to copy")]
    InMemory,
    /// The target of the copy exists already. It is not overwritten.
    #[error("{0} already exists: move it away first")]
    Occupied(PathBuf),
    /// A file or folder cannot be read or written.
    #[error("{0} cannot be read or written: {1}")]
    Io(PathBuf, io::Error),
    /// The copy is not a sound database.
    #[error("{0} is not a sound database: {1}")]
    Unsound(PathBuf, Box<str>),
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

/// The file of the SQLite database at a URL.
///
/// # Errors
/// [`BackupError::NotEmbedded`] or [`BackupError::InMemory`].
pub fn database_file(url: &str) -> Result<PathBuf, BackupError> {
    if !url.starts_with("sqlite:") {
        return Err(BackupError::NotEmbedded);
    }
    let file = SqliteConnectOptions::from_str(url).map(|options| options.get_filename().to_owned());
    file.ok().filter(|_| !url.contains(":memory:")).ok_or(BackupError::InMemory)
}

impl Database {
    /// Copies the SQLite database into a new file, in its state at one point in time, while it is in use. The copy is
    /// verified and flushed to disk before it gets its name.
    ///
    /// # Errors
    /// [`BackupError`].
    pub async fn back_up(&self, copy: &Path) -> Result<(), BackupError> {
        refuse_existing(copy)?;
        let unfinished = with_suffix(copy, ".unfinished");
        refuse_existing(&unfinished)?;
        let name = unfinished.to_str().ok_or_else(|| io_error(&unfinished, io::ErrorKind::InvalidFilename.into()))?;
        let backend = self.reader().get_database_backend();
        let into = Statement::from_sql_and_values(backend, "VACUUM INTO ?", [name.into()]);
        let result = async {
            self.verify_files()?;
            self.reader().execute_raw(into).await?;
            self.verify_files()?;
            verify(&unfinished).await?;
            sync_and_rename(&unfinished, copy)
        };
        let result = result.await;
        if result.is_err() {
            // A failed copy is of no use. If its file cannot be removed, the next copy reports it.
            let _ = fs::remove_file(&unfinished);
        }
        result
    }

    /// Refuses to copy files that are no longer those that were opened.
    fn verify_files(&self) -> Result<(), BackupError> {
        self.files().verify().map_err(|failure| BackupError::Database(failure.into_reason()))
    }
}

/// Verifies a copy and puts it at the path of the SQLite database. An existing database is not overwritten.
///
/// # Errors
/// [`BackupError`].
pub async fn restore(copy: &Path, target: &Path) -> Result<(), BackupError> {
    refuse_existing(target)?;
    for suffix in WAL_SUFFIXES {
        refuse_existing(&with_suffix(target, suffix))?;
    }
    verify(copy).await?;
    let unfinished = with_suffix(target, ".unfinished");
    refuse_existing(&unfinished)?;
    copy_for_owner(copy, &unfinished).map_err(|error| io_error(&unfinished, error))?;
    sync_and_rename(&unfinished, target)
}

/// Copies a file into a new one that only its owner can read, whatever the mode of the first.
fn copy_for_owner(from: &Path, to: &Path) -> io::Result<u64> {
    let mut to = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    io::copy(&mut File::open(from)?, &mut to)
}

#[derive(FromQueryResult)]
struct IntegrityRow {
    integrity_check: String,
}

/// Checks the integrity of a database file, and that this program can read its schema.
///
/// # Errors
/// [`BackupError::Io`], [`BackupError::Unsound`] or [`BackupError::Schema`].
pub async fn verify(file: &Path) -> Result<(), BackupError> {
    File::open(file).map_err(|error| io_error(file, error))?;
    let corrupt = |cause: String| BackupError::Unsound(file.to_owned(), cause.into());
    // A path may hold characters that a URL cannot, so the URL is a placeholder and the path is set beside it.
    let mut options = ConnectOptions::new("sqlite::memory:");
    let path = file.to_owned();
    options.max_connections(1).sqlx_logging(false).map_sqlx_sqlite_opts(move |_| {
        SqliteConnectOptions::new().filename(&path).read_only(true).journal_mode(SqliteJournalMode::Delete)
    });
    let database = sea_orm::Database::connect(options).await;
    let database = database.map_err(|error| corrupt(format!("cannot be opened: {}", db_err_message(&error))))?;
    let check = Statement::from_string(database.get_database_backend(), "PRAGMA integrity_check");
    let rows = IntegrityRow::find_by_statement(check).all(&database).await;
    let schema = migrations::check_migratable(&database).await;
    database.close().await?;
    let rows = rows.map_err(|error| corrupt(error.to_string()))?;
    if let Some(fault) = rows.iter().find(|row| row.integrity_check != "ok") {
        return Err(corrupt(fault.integrity_check.clone()));
    }
    schema.map_err(|error| BackupError::Schema(file.to_owned(), error))
}

/// Flushes a file to disk, renames it, and flushes the rename to disk.
fn sync_and_rename(unfinished: &Path, file: &Path) -> Result<(), BackupError> {
    let rename = || {
        File::open(unfinished)?.sync_all()?;
        fs::rename(unfinished, file)?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()
    };
    rename().map_err(|error| io_error(file, error))
}

fn refuse_existing(path: &Path) -> Result<(), BackupError> {
    match fs::symlink_metadata(path) {
        Ok(_) => Err(BackupError::Occupied(path.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(io_error(path, error)),
    }
}

fn io_error(path: &Path, error: io::Error) -> BackupError {
    BackupError::Io(path.to_owned(), error)
}
