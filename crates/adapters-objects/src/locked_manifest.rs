//! A manifest in a directory, which one process at a time compares and replaces.
//!
//! File systems replace a file atomically, but compare nothing. So a lock file of the dataset is locked meanwhile
//! (`flock`). The system releases the lock when the file is closed or its process ends. A process that is suspended keeps
//! the lock, so the wait for it is bounded.

use std::{
    fs::{self, File, TryLockError},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    feed::{FeedWriteError, ManifestUpdate},
    file_mode::FileMode,
};
use tokio::{task::spawn_blocking, time::sleep};

use crate::{
    error::{encoding_error, file_error},
    file_access::{create_directory, set_file_access},
    manifest_comparison::must_write,
};

/// The longest wait for the lock. A process that runs holds it for milliseconds.
pub(crate) const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// The pause between two attempts to lock.
const LOCK_INTERVAL: Duration = Duration::from_millis(20);

/// The manifest of a period in a directory.
#[derive(Clone)]
pub(crate) struct LockedManifest {
    pub(crate) path: PathBuf,
    /// The lock file, in a parent of the directory of the period.
    pub(crate) lock: PathBuf,
    pub(crate) lock_timeout: Duration,
    pub(crate) mode: FileMode,
}

/// Another process holds the lock.
#[derive(Debug, thiserror::Error)]
#[error("another process has held the lock {} for {} seconds: end that process, or let it go on", .0.display(), .1.as_secs())]
struct LockedElsewhere(PathBuf, Duration);

impl LockedManifest {
    /// Replaces the manifest if it is the expected one, once the lock is free.
    ///
    /// # Errors
    /// [`FeedWriteError`]; that of an unavailable store if another process holds the lock all the time.
    pub(crate) async fn replace(&self, bytes: &[u8], update: &ManifestUpdate) -> Result<(), FeedWriteError> {
        let started = Instant::now();
        loop {
            let (manifest, bytes, update) = (self.clone(), bytes.to_vec(), update.clone());
            // The thread ends the replacement even if the run is given up, so the lock covers all of it.
            let replaced = spawn_blocking(move || manifest.try_replace(&bytes, &update)).await;
            if replaced.unwrap_or_else(|error| Err(encoding_error(error).into()))? {
                return Ok(());
            }
            if started.elapsed() >= self.lock_timeout {
                let error = LockedElsewhere(self.lock.clone(), self.lock_timeout);
                return Err(StoreError::new(StoreErrorKind::Unavailable, error).into());
            }
            sleep(LOCK_INTERVAL).await;
        }
    }

    /// Replaces the manifest if it is the expected one. Returns `false`, and does nothing, if another process holds the lock.
    fn try_replace(&self, bytes: &[u8], update: &ManifestUpdate) -> Result<bool, FeedWriteError> {
        let directory = self.path.parent().unwrap_or(&self.path);
        create_directory(directory, self.mode).map_err(file_error)?;
        let lock = self.open_lock().map_err(file_error)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(file_error(error).into()),
        }
        let stored = match fs::read(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            stored => Some(stored.map_err(file_error)?),
        };
        if must_write(stored.as_deref(), update)? {
            self.write(directory, bytes).map_err(file_error)?;
        }
        Ok(true)
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

#[cfg(test)]
mod tests {
    use std::error::Error;

    use parlance_domain::{
        feed::{Compression, Manifest, RevisionInputs},
        time::Timestamp,
    };

    use super::*;
    use crate::{layout::tests::period, metadata_json::encode_manifest};

    fn first_manifest() -> ManifestUpdate {
        let inputs = RevisionInputs {
            revision: 1,
            watermark: Timestamp::EPOCH,
            late_changes: 0,
            masked_with: None,
            compression: Compression::None,
        };
        ManifestUpdate { expected: None, manifest: Manifest { inputs, hourly: false, files: Vec::new() } }
    }

    #[tokio::test]
    async fn a_lock_that_another_process_keeps_ends_the_wait_with_an_error_that_names_it() {
        let directory = tempfile::tempdir().unwrap();
        let (path, lock) = (directory.path().join("_manifest.json"), directory.path().join("_manifests.lock"));
        let lock_timeout = Duration::from_millis(50);
        let locked = LockedManifest { path, lock, lock_timeout, mode: FileMode::OWNER_ONLY };
        let (update, other) = (first_manifest(), locked.open_lock().unwrap());
        let bytes = encode_manifest(&period(), &update.manifest);
        other.lock().unwrap();
        let Err(FeedWriteError::Store(error)) = locked.replace(&bytes, &update).await else { panic!("not refused") };
        assert_eq!(error.kind(), StoreErrorKind::Unavailable);
        assert!(error.source().unwrap().to_string().contains("_manifests.lock"), "{}", error.cause_chain());
        assert!(!locked.path.exists());
        other.unlock().unwrap();
        locked.replace(&bytes, &update).await.unwrap();
        assert_eq!(fs::read(&locked.path).unwrap(), bytes);
    }
}
