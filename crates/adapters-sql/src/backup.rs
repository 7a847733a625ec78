//! Copies of an embedded database: made while it is used, verified, and put in place.

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
    Database,
    opening::connect,
    refusal::words_of,
    schema::{self, SchemaError},
    sqlite::{LOG_FILES, with_suffix},
};

/// Why there is no copy. Names no address, for that may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is not the embedded one.
    #[error("is PostgreSQL: back it up with pg_dump or a base backup, and restore it with pg_restore")]
    NotEmbedded,
    /// The database is kept in memory.
    #[error("is in memory: there is nothing to copy")]
    InMemory,
    /// There is something already where the copy would go; it is not overwritten.
    #[error("{0} is there already: move it away first")]
    Occupied(PathBuf),
    /// A file or folder cannot be read or written.
    #[error("{0} cannot be read or written: {1}")]
    Files(PathBuf, io::Error),
    /// The copy is no sound database.
    #[error("{0} is not a sound database: {1}")]
    Unsound(PathBuf, Box<str>),
    /// The copy's schema is not one that this program can use.
    #[error("{0} {1}")]
    Schema(PathBuf, SchemaError),
    /// The database failed while it was copied.
    #[error("failed while it was copied: {0}")]
    Database(Box<str>),
}

impl From<DbErr> for BackupError {
    fn from(error: DbErr) -> Self {
        Self::Database(words_of(&error).into())
    }
}

/// The file of the embedded database at this address.
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
    /// Copies the embedded database into a new file as it is at one moment, while others read and write it. The copy
    /// is verified and on the disk before it gets its name.
    ///
    /// # Errors
    /// [`BackupError`].
    pub async fn back_up(&self, copy: &Path) -> Result<(), BackupError> {
        refuse_occupied(copy)?;
        let unfinished = with_suffix(copy, ".unfinished");
        refuse_occupied(&unfinished)?;
        let name = unfinished.to_str().ok_or_else(|| unwritable(&unfinished, io::ErrorKind::InvalidFilename.into()))?;
        let backend = self.reader().get_database_backend();
        let into = Statement::from_sql_and_values(backend, "VACUUM INTO ?", [name.into()]);
        let made = async {
            self.verify_files()?;
            self.reader().execute_raw(into).await?;
            self.verify_files()?;
            verify(&unfinished).await?;
            put_in_place(&unfinished, copy)
        };
        let made = made.await;
        if made.is_err() {
            // What is left of a copy that failed is of no use; where it cannot be removed, the next try says so.
            let _ = fs::remove_file(&unfinished);
        }
        made
    }

    /// Refuses to copy what is no longer the database that was opened.
    fn verify_files(&self) -> Result<(), BackupError> {
        self.files().verify().map_err(|failure| BackupError::Database(failure.into_reason()))
    }
}

/// Puts a copy where the embedded database is to be, after it was verified. A database that is there is left alone.
///
/// # Errors
/// [`BackupError`].
pub async fn restore(copy: &Path, target: &Path) -> Result<(), BackupError> {
    refuse_occupied(target)?;
    for suffix in LOG_FILES {
        refuse_occupied(&with_suffix(target, suffix))?;
    }
    verify(copy).await?;
    let unfinished = with_suffix(target, ".unfinished");
    refuse_occupied(&unfinished)?;
    copy_for_owner(copy, &unfinished).map_err(|error| unwritable(&unfinished, error))?;
    put_in_place(&unfinished, target)
}

/// Copies a file into a new one that its owner alone may read, whoever may read the first.
fn copy_for_owner(from: &Path, to: &Path) -> io::Result<u64> {
    let mut to = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    io::copy(&mut File::open(from)?, &mut to)
}

#[derive(FromQueryResult)]
struct Finding {
    integrity_check: String,
}

/// Reads the whole of a file as a database, and holds its schema to those that this program knows.
///
/// # Errors
/// [`BackupError::Files`], [`BackupError::Unsound`] or [`BackupError::Schema`].
pub async fn verify(file: &Path) -> Result<(), BackupError> {
    File::open(file).map_err(|error| unwritable(file, error))?;
    let unsound = |cause: String| BackupError::Unsound(file.to_owned(), cause.into());
    // A path may hold what an address cannot, so the address stands for none and the path is given beside it.
    let mut options = ConnectOptions::new("sqlite::memory:");
    let path = file.to_owned();
    options.max_connections(1).sqlx_logging(false).map_sqlx_sqlite_opts(move |_| {
        SqliteConnectOptions::new().filename(&path).read_only(true).journal_mode(SqliteJournalMode::Delete)
    });
    let database = connect(options).await.map_err(|error| unsound(error.to_string()))?;
    let check = Statement::from_string(database.get_database_backend(), "PRAGMA integrity_check");
    let found = Finding::find_by_statement(check).all(&database).await;
    let schema = schema::check_readable(&database).await;
    database.close().await?;
    let found = found.map_err(|error| unsound(error.to_string()))?;
    if let Some(fault) = found.iter().find(|finding| finding.integrity_check != "ok") {
        return Err(unsound(fault.integrity_check.clone()));
    }
    schema.map_err(|error| BackupError::Schema(file.to_owned(), error))
}

/// Makes sure that a file is on the disk, gives it its name, and makes sure that the name is on the disk too.
fn put_in_place(unfinished: &Path, file: &Path) -> Result<(), BackupError> {
    let written = || {
        File::open(unfinished)?.sync_all()?;
        fs::rename(unfinished, file)?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()
    };
    written().map_err(|error| unwritable(file, error))
}

fn refuse_occupied(path: &Path) -> Result<(), BackupError> {
    match fs::symlink_metadata(path) {
        Ok(_) => Err(BackupError::Occupied(path.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unwritable(path, error)),
    }
}

fn unwritable(path: &Path, error: io::Error) -> BackupError {
    BackupError::Files(path.to_owned(), error)
}
