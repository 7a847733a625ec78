//! Flushing of a file while it grows, so that little is left to flush when it ends.

use std::{fs::File, path::PathBuf};

use tokio::task::{JoinHandle, spawn_blocking};

/// After how many bytes more a file is flushed.
const STEP: usize = 16 * 1024 * 1024;

/// Has what was written of a file flushed aside. Nothing depends on it: the store flushes all of a file before it is
/// found, and has the less to wait for.
pub(super) struct EarlyFlush {
    file: PathBuf,
    unflushed: usize,
    running: Option<JoinHandle<()>>,
}

impl EarlyFlush {
    /// Of the file that a store writes until it gives it this name.
    pub(super) fn of(named: PathBuf) -> Self {
        let mut file = named.into_os_string();
        file.push("#1");
        Self { file: file.into(), unflushed: 0, running: None }
    }

    /// So many bytes more were written.
    pub(super) fn after(&mut self, bytes: usize) {
        self.unflushed += bytes;
        let busy = self.running.as_ref().is_some_and(|running| !running.is_finished());
        if self.unflushed < STEP || busy {
            return;
        }
        self.unflushed = 0;
        let file = self.file.clone();
        self.running = Some(spawn_blocking(move || {
            // Where it fails the store's own flush fails too, and tells.
            let _ = File::open(file).and_then(|file| file.sync_data());
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_is_flushed_step_by_step_whether_or_not_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let named = folder.path().join("_part");
        std::fs::write(folder.path().join("_part#1"), "bytes").unwrap();
        for named in [named, folder.path().join("absent")] {
            let mut flush = EarlyFlush::of(named);
            flush.after(STEP - 1);
            assert!(flush.running.is_none());
            flush.after(1);
            flush.running.take().unwrap().await.unwrap();
            assert_eq!(flush.unflushed, 0);
        }
    }
}
