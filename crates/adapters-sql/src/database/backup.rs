//! Backups of a SQLite database: made while it is in use, verified, and restored.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    str::FromStr,
};

use sea_orm::{ConnectionTrait, Statement, sqlx::sqlite::SqliteConnectOptions};

pub use super::backup_error::BackupError;
use super::{
    backup_error::io_error,
    checksum::{self, Checksum, checksum_file},
    copy_verification::verify,
};
use crate::{
    database::Database,
    engine::sqlite::{WAL_SUFFIXES, with_suffix},
};

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
    /// verified and flushed to disk before it gets its name. Its SHA-256 digest is in a file beside it, with the suffix
    /// `.sha256` and in the format of `sha256sum`.
    ///
    /// # Errors
    /// [`BackupError`]. No file is left then.
    pub async fn back_up(&self, copy: &Path) -> Result<(), BackupError> {
        refuse_existing(copy)?;
        refuse_existing(&checksum_file(copy))?;
        let unfinished = with_suffix(copy, ".unfinished");
        refuse_existing(&unfinished)?;
        let result = self.copy_into(&unfinished, copy).await;
        if result.is_err() {
            // A failed copy is of no use. If its file cannot be removed, the next copy reports it.
            let _ = fs::remove_file(&unfinished);
        }
        result
    }

    async fn copy_into(&self, unfinished: &Path, copy: &Path) -> Result<(), BackupError> {
        let name = unfinished.to_str().ok_or_else(|| io_error(unfinished, io::ErrorKind::InvalidFilename.into()))?;
        let backend = self.reader().get_database_backend();
        let into = Statement::from_sql_and_values(backend, "VACUUM INTO ?", [name.into()]);
        self.verify_files()?;
        self.reader().execute_raw(into).await?;
        self.verify_files()?;
        verify(unfinished, copy).await?;
        let digest = checksum::copy_and_digest(unfinished, &mut io::sink());
        let saved = digest.and_then(|digest| checksum::save(copy, &digest));
        let saved = saved.map_err(|error| io_error(&checksum_file(copy), error));
        saved.and_then(|()| sync_and_rename(unfinished, copy)).inspect_err(|_| checksum::remove(copy))
    }

    /// Refuses to copy files that are no longer those that were opened.
    fn verify_files(&self) -> Result<(), BackupError> {
        self.files().verify().map_err(|failure| BackupError::Database(failure.into_reason()))
    }
}

/// The checksum of a restored copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChecksumResult {
    /// The copy has the digest in its checksum file.
    Matches,
    /// The copy has no checksum file.
    NoFile,
}

/// Verifies a copy and puts it at the path of the SQLite database. An existing database is not overwritten. What a restore
/// left that was killed is removed.
///
/// The copy must have the digest in its checksum file, if it has one. Its size, its structure, the references between
/// rows and its schema are checked, and every row is decoded.
///
/// # Errors
/// [`BackupError`]. Nothing is at the path of the database then.
pub async fn restore(copy: &Path, target: &Path) -> Result<ChecksumResult, BackupError> {
    refuse_existing(target)?;
    for suffix in WAL_SUFFIXES {
        refuse_existing(&with_suffix(target, suffix))?;
    }
    let expected = checksum::load(copy)?;
    let unfinished = with_suffix(target, ".unfinished");
    remove_abandoned(&unfinished)?;
    let result = restore_by(&unfinished, copy, target, expected.as_ref()).await;
    if result.is_err() {
        // It is of no use. If it cannot be removed, the next restore reports it.
        let _ = fs::remove_file(&unfinished);
    }
    result.map(|()| expected.map_or(ChecksumResult::NoFile, |_| ChecksumResult::Matches))
}

/// Verifies the bytes that are put in place, and not those of the copy, which another program could change meanwhile.
async fn restore_by(
    unfinished: &Path,
    copy: &Path,
    target: &Path,
    expected: Option<&Checksum>,
) -> Result<(), BackupError> {
    File::open(copy).map_err(|error| io_error(copy, error))?;
    // The lock tells another restore that this one runs. It ends with the file, after the rename.
    let (_locked, digest) = copy_for_owner(copy, unfinished).map_err(|error| io_error(unfinished, error))?;
    if expected.is_some_and(|expected| *expected != digest) {
        return Err(BackupError::Changed(copy.to_owned(), checksum_file(copy)));
    }
    verify(unfinished, copy).await?;
    sync_and_rename(unfinished, target)
}

/// Copies a file into a new one that only its owner can read, whatever the mode of the first. Returns the new file, locked, and the
/// digest.
fn copy_for_owner(from: &Path, to: &Path) -> io::Result<(File, Checksum)> {
    let mut to = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    to.try_lock()?;
    let digest = checksum::copy_and_digest(from, &mut to)?;
    Ok((to, digest))
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

/// Removes the file of a restore that was killed. The file of one that runs is locked, and is refused.
fn remove_abandoned(unfinished: &Path) -> Result<(), BackupError> {
    let file = match File::open(unfinished) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file.map_err(|error| io_error(unfinished, error))?,
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(BackupError::Running(unfinished.to_owned())),
        Err(TryLockError::Error(error)) => Err(io_error(unfinished, error)),
        Ok(()) => fs::remove_file(unfinished).map_err(|error| io_error(unfinished, error)),
    }
}

fn refuse_existing(path: &Path) -> Result<(), BackupError> {
    match fs::symlink_metadata(path) {
        Ok(_) => Err(BackupError::Occupied(path.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(io_error(path, error)),
    }
}
