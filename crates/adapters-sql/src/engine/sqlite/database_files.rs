//! The identity of the files of an open database.
//!
//! A moved, replaced or removed file stays open in this process. The process would go on writing to that file, and lose
//! the writes when it ends. So each path is
//! checked before and after each read and commit: its device and inode must be those recorded at the opening.
//!
//! This module opens no file: closing any descriptor of a file drops the locks that SQLite holds on it in this process
//! (<https://sqlite.org/howtocorrupt.html>, 2.2).

use std::{
    fs,
    io::{ErrorKind, Result},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::error::DbError;

/// The suffixes that the write-ahead log and its index add to the name of the database file.
pub(crate) const WAL_SUFFIXES: [&str; 2] = ["-wal", "-shm"];

/// The path of a file beside a database: the path of the database, and a suffix.
pub(crate) fn with_suffix(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The files of an open database. Clones share them. A database in memory or on PostgreSQL has none.
#[derive(Debug, Clone, Default)]
pub(crate) struct DatabaseFiles(Arc<State>);

#[derive(Debug, Default)]
struct State {
    files: Vec<(PathBuf, FileId)>,
    /// Whether the last check found another file, or none, at a path.
    displaced: AtomicBool,
}

/// Device and inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileId(u64, u64);

impl FileId {
    fn at(path: &Path) -> Result<Self> {
        let metadata = fs::metadata(path)?;
        Ok(Self(metadata.dev(), metadata.ino()))
    }
}

impl DatabaseFiles {
    /// Records the files of a database that was just opened: the database file and, where they exist, its write-ahead
    /// log and the index of that log.
    ///
    /// # Errors
    /// Where there is no file at the path.
    pub(crate) fn record(database: &Path) -> Result<Self> {
        let mut files = vec![(database.to_owned(), FileId::at(database)?)];
        // SQLite keeps both beside the target of a symbolic link.
        let target = fs::canonicalize(database)?;
        for suffix in WAL_SUFFIXES {
            let path = with_suffix(&target, suffix);
            match FileId::at(&path) {
                Ok(id) => files.push((path, id)),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self(Arc::new(State { files, displaced: AtomicBool::new(false) })))
    }

    /// Compares each path with its recorded file, in about a microsecond per file.
    ///
    /// # Errors
    /// Where a path has another file, or none. The database is unavailable until the recorded files are back.
    pub(crate) fn verify(&self) -> std::result::Result<(), DbError> {
        let displaced = self.0.files.iter().find(|(path, id)| FileId::at(path).ok() != Some(*id));
        self.0.displaced.store(displaced.is_some(), Ordering::Relaxed);
        match displaced {
            None => Ok(()),
            Some((path, _)) => Err(DbError::unavailable(format!(
                "{} was moved, replaced or removed while the server had it open: put the same file back, or stop the \
                 server in order and start it with the right file",
                path.display()
            ))),
        }
    }

    /// Compares the paths again if the last check found a displaced file. Otherwise costs one atomic load.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub(crate) fn verify_if_displaced(&self) -> std::result::Result<(), DbError> {
        if self.0.displaced.load(Ordering::Relaxed) { self.verify() } else { Ok(()) }
    }

    /// Whether there is no file to check.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.files.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::engine::sqlite::{DatabaseLocation, WalDatabase};

    #[test]
    fn the_log_and_its_index_are_recorded_with_the_database() {
        let logged = WalDatabase::new();
        let DatabaseLocation::File(path) = &logged.location else { unreachable!("the fixture is a file") };
        assert_eq!(DatabaseFiles::record(path).unwrap().0.files.len(), 3);
    }

    #[test]
    fn a_comparison_is_far_cheaper_than_a_disk_flush() {
        const COMPARISONS: u32 = 10_000;
        let logged = WalDatabase::new();
        let DatabaseLocation::File(path) = &logged.location else { unreachable!("the fixture is a file") };
        let files = DatabaseFiles::record(path).unwrap();
        let begun = Instant::now();
        (0..COMPARISONS).for_each(|_| files.verify().unwrap());
        let per_comparison = begun.elapsed() / COMPARISONS;
        // An idle machine takes some microseconds; a busy one may take many times that.
        assert!(per_comparison.as_micros() < 200, "{per_comparison:?}");
    }
}
