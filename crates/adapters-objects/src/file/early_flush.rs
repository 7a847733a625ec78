//! Flushes of a growing file to the disk (`fsync`), so that little data is left for the final flush.

use std::{fs::File, path::PathBuf};

use tokio::task::{JoinHandle, spawn_blocking};

/// Bytes between two flushes.
const FLUSH_INTERVAL_BYTES: usize = 16 * 1024 * 1024;

/// Flushes the written part of a file on a blocking thread. The flushes are an optimization: the store flushes the
/// whole file before it renames the file, and then waits for less data.
pub(super) struct EarlyFlush {
    file: PathBuf,
    unflushed_bytes: usize,
    flush_task: Option<JoinHandle<()>>,
}

impl EarlyFlush {
    /// Flushes the temporary file that the store later renames to `final_path`. The local store
    /// of the crate `object_store` gives the temporary name the suffix `#1`.
    pub(super) fn new(final_path: PathBuf) -> Self {
        let mut file = final_path.into_os_string();
        file.push("#1");
        Self { file: file.into(), unflushed_bytes: 0, flush_task: None }
    }

    /// Counts written bytes, and starts a flush if enough of them are unflushed.
    pub(super) fn record_written(&mut self, bytes: usize) {
        self.unflushed_bytes += bytes;
        let is_busy = self.flush_task.as_ref().is_some_and(|task| !task.is_finished());
        if self.unflushed_bytes < FLUSH_INTERVAL_BYTES || is_busy {
            return;
        }
        self.unflushed_bytes = 0;
        let file = self.file.clone();
        self.flush_task = Some(spawn_blocking(move || {
            // A failure is ignored here: the final flush of the store reports it.
            let _ = File::open(file).and_then(|file| file.sync_data());
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn flushes_follow_the_interval_even_if_the_file_is_missing() {
        let directory = tempfile::tempdir().unwrap();
        let final_path = directory.path().join("_part");
        std::fs::write(directory.path().join("_part#1"), "bytes").unwrap();
        for path in [final_path, directory.path().join("absent")] {
            let mut flush = EarlyFlush::new(path);
            flush.record_written(FLUSH_INTERVAL_BYTES - 1);
            assert!(flush.flush_task.is_none());
            flush.record_written(1);
            flush.flush_task.take().unwrap().await.unwrap();
            assert_eq!(flush.unflushed_bytes, 0);
        }
    }
}
