//! A manifest in a directory, which one process at a time compares and replaces.
//!
//! File systems replace a file atomically, but compare nothing. So a lock file of the dataset is locked meanwhile
//! (`flock`). The system releases the lock when the file is closed or its
//! process ends.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

use parlance_domain::{
    feed::{FeedWriteError, ManifestUpdate},
    file_mode::FileMode,
};

use crate::{
    error::file_error,
    file_access::{create_directory, set_file_access},
    manifest_comparison::must_write,
};

/// The manifest of a period in a directory.
pub(crate) struct LockedManifest {
    pub(crate) path: PathBuf,
    /// The lock file, in a parent of the directory of the period.
    pub(crate) lock: PathBuf,
    pub(crate) mode: FileMode,
}

impl LockedManifest {
    /// Replaces the manifest if it is the expected one. Blocks the thread.
    pub(crate) fn replace(&self, bytes: &[u8], update: &ManifestUpdate) -> Result<(), FeedWriteError> {
        let directory = self.path.parent().unwrap_or(&self.path);
        create_directory(directory, self.mode).map_err(file_error)?;
        let lock = self.open_lock().map_err(file_error)?;
        lock.lock().map_err(file_error)?;
        let stored = match fs::read(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            stored => Some(stored.map_err(file_error)?),
        };
        if must_write(stored.as_deref(), update)? {
            self.write(directory, bytes).map_err(file_error)?;
        }
        Ok(())
    }

    fn open_lock(&self) -> io::Result<File> {
        // NFS locks only files that are open for writing.
        let lock = File::options().write(true).create(true).truncate(false).open(&self.lock)?;
        set_file_access(&self.lock, self.mode)?;
        Ok(lock)
    }

    /// Writes the manifest durably. The lock makes the temporary name unique.
    fn write(&self, directory: &Path, bytes: &[u8]) -> io::Result<()> {
        let temporary = directory.join("_manifest.new");
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        set_file_access(&temporary, self.mode)?;
        file.sync_all()?;
        fs::rename(&temporary, &self.path)?;
        File::open(directory)?.sync_all()
    }
}
