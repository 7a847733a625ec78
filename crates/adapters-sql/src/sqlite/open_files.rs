//! The identity of the files of an open database.
//!
//! A file that is moved, replaced or removed stays open in this process, which would go on writing into it and lose all of
//! it at its end. So the device and inode of each path are compared with those that the path had when it was opened.
//!
//! Nothing here opens a file: closing any descriptor of a file drops the locks that SQLite holds on it in this process
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

use super::{LOG_FILES, with_suffix};
use crate::error::Failure;

/// The files that an open database consists of. Cloning shares them. A database in memory has none.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpenFiles(Arc<State>);

#[derive(Debug, Default)]
struct State {
    files: Vec<(PathBuf, FileId)>,
    /// Whether the last comparison found another file, or none, at a path.
    displaced: AtomicBool,
}

/// Device and inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileId(u64, u64);

impl FileId {
    fn at(path: &Path) -> Result<Self> {
        let found = fs::metadata(path)?;
        Ok(Self(found.dev(), found.ino()))
    }
}

impl OpenFiles {
    /// Records which files are at the path of a database that was just opened: the database itself, its write-ahead log
    /// and the index of that log, the last two where they are there.
    ///
    /// # Errors
    /// Where there is no file at the path.
    pub(crate) fn record(database: &Path) -> Result<Self> {
        let mut files = vec![(database.to_owned(), FileId::at(database)?)];
        // SQLite keeps both beside the file that a symbolic link leads to.
        let target = fs::canonicalize(database)?;
        for suffix in LOG_FILES {
            let path = with_suffix(&target, suffix);
            match FileId::at(&path) {
                Ok(id) => files.push((path, id)),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self(Arc::new(State { files, displaced: AtomicBool::new(false) })))
    }

    /// Compares each path with its file. Takes about a microsecond a file.
    ///
    /// # Errors
    /// Where a path has another file, or none. The database is unavailable until the recorded files are back.
    pub(crate) fn verify(&self) -> std::result::Result<(), Failure> {
        let displaced = self.0.files.iter().find(|(path, id)| FileId::at(path).ok() != Some(*id));
        self.0.displaced.store(displaced.is_some(), Ordering::Relaxed);
        match displaced {
            None => Ok(()),
            Some((path, _)) => Err(Failure::unavailable(format!(
                "{} was moved, replaced or removed while the server had it open: put the same file back, or stop the \
                 server in order, and start it with the file that is to be used",
                path.display()
            ))),
        }
    }

    /// Compares the paths again if the last comparison found a displaced file; otherwise costs one load.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub(crate) fn verify_if_displaced(&self) -> std::result::Result<(), Failure> {
        if self.0.displaced.load(Ordering::Relaxed) { self.verify() } else { Ok(()) }
    }

    /// Whether there is anything to compare.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.files.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::sqlite::{Logged, Place};

    #[test]
    fn the_log_and_its_index_are_recorded_with_the_database() {
        let logged = Logged::new();
        let Place::File(path) = &logged.place else { unreachable!("a file") };
        assert_eq!(OpenFiles::record(path).unwrap().0.files.len(), 3);
    }

    #[test]
    fn a_comparison_takes_far_less_than_a_flush_of_the_disk() {
        const COMPARISONS: u32 = 10_000;
        let logged = Logged::new();
        let Place::File(path) = &logged.place else { unreachable!("a file") };
        let files = OpenFiles::record(path).unwrap();
        let begun = Instant::now();
        (0..COMPARISONS).for_each(|_| files.verify().unwrap());
        let each = begun.elapsed() / COMPARISONS;
        // Some microseconds on an idle machine; a busy one may take many times that.
        assert!(each.as_micros() < 200, "{each:?}");
    }
}
