//! Checkpoints SQLite's write-ahead log (WAL) into the database file while the writer goes on.
//!
//! SQLite resets the WAL only when all of it is in the file and no connection reads from it. While one thread writes
//! and another checkpoints earlier commits, some pages always remain. So the WAL has a limit, at which the writer
//! checkpoints the few remaining pages itself. While a part of a WAL of that length is not in the file, the readers are
//! signalled not to cache snapshots. Once all of it is in the file, readers read from the file alone, which does not
//! block a reset.

use std::{
    cell::Cell,
    io,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicU32, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use parlance_domain::sync;
use rusqlite::Connection;

use crate::engine::sqlite::{BUSY_TIMEOUT, WriterSignals};

/// The number of WAL pages not in the file at which the checkpoint thread is woken.
const CHECKPOINT_AFTER_PAGES: u32 = 250;

/// The WAL length in pages at which the writer waits for a full checkpoint: 16 MB.
const MAX_WAL_PAGES: u32 = 4_000;

/// The wait before another checkpoint of a WAL of that length, if a reader still needed the pages to be overwritten.
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

/// The wait before another truncation of the WAL, if a connection still read from it. Each attempt takes the lock of
/// the writer, so the wait is longer than [`RETRY_INTERVAL`].
const TRUNCATE_RETRY_INTERVAL: Duration = Duration::from_millis(100);

thread_local! {
    /// The number of WAL pages after the last commit of this thread.
    static WAL_PAGES: Cell<u32> = const { Cell::new(0) };
}

/// The checkpoint thread, and the connection that it shares with the writer.
pub(crate) struct Checkpointer {
    connection: Arc<CheckpointConnection>,
    wake: SyncSender<()>,
    thread: JoinHandle<()>,
}

/// The connection that checkpoints, used by one thread at a time.
struct CheckpointConnection {
    connection: Mutex<Connection>,
    /// The number of WAL pages in the file after the last checkpoint.
    checkpointed: AtomicU32,
    /// Whether the WAL may hold overwritten content, because its truncation failed.
    truncation_due: AtomicBool,
    /// The signals to the readers.
    signals: WriterSignals,
}

/// The number of WAL pages, and how many of them are in the file.
#[derive(Clone, Copy, Default)]
struct WalStatus {
    pages: u32,
    checkpointed: u32,
}

impl WalStatus {
    /// Whether the WAL has reached its limit, and a part of it is not in the file.
    fn blocks_wal_reset(self) -> bool {
        self.pages >= MAX_WAL_PAGES && self.checkpointed < self.pages
    }
}

impl CheckpointConnection {
    /// Checkpoints, and truncates the WAL if that is due. Returns the wait before the next attempt, if one is needed.
    fn checkpoint(&self) -> Option<Duration> {
        let status = self.checkpoint_passive();
        if status.blocks_wal_reset() {
            return Some(RETRY_INTERVAL);
        }
        // With all pages in the file, a truncation holds the lock of the writer only briefly.
        let is_due = self.truncation_due.load(Ordering::Relaxed);
        let is_done = !is_due || (status.checkpointed == status.pages && self.truncate(Duration::ZERO));
        (!is_done).then_some(TRUNCATE_RETRY_INTERVAL)
    }

    /// Checkpoints all of the WAL and truncates it, and waits up to `timeout` for connections that read from it.
    /// Returns whether the WAL is truncated. If not, the truncation is due, and the readers are signalled.
    fn truncate(&self, timeout: Duration) -> bool {
        let connection = self.lock();
        let is_blocked = connection
            .busy_timeout(timeout)
            .and_then(|()| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |row| row.get(0)));
        let is_due = is_blocked.unwrap_or(true);
        self.truncation_due.store(is_due, Ordering::Relaxed);
        self.signal_readers(false);
        !is_due
    }

    /// Signals the readers to end their snapshots if the WAL is long, or its truncation is due.
    fn signal_readers(&self, is_wal_long: bool) {
        self.signals.set_wal_pressure(is_wal_long || self.truncation_due.load(Ordering::Relaxed));
    }

    /// Checkpoints all pages that no reader blocks. If the checkpoint fails, the signal to the readers stays as it is.
    fn checkpoint_passive(&self) -> WalStatus {
        let connection = self.lock();
        let result = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |row| {
            Ok(WalStatus { pages: row.get(1)?, checkpointed: row.get(2)? })
        });
        if let Ok(status) = result {
            self.signal_readers(status.blocks_wal_reset());
        }
        // Pages that are not checkpointed now stay durable in the WAL.
        let status = result.unwrap_or_default();
        self.checkpointed.store(status.checkpointed, Ordering::Relaxed);
        status
    }

    /// Locks the connection.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        sync::lock(&self.connection)
    }
}

impl Checkpointer {
    pub(crate) fn start(connection: Connection, signals: WriterSignals) -> io::Result<Self> {
        let connection = Arc::new(CheckpointConnection {
            connection: Mutex::new(connection),
            checkpointed: AtomicU32::default(),
            truncation_due: AtomicBool::default(),
            signals,
        });
        let (wake, woken) = sync_channel(1);
        let thread = thread::Builder::new().name("sqlite-checkpoints".to_owned());
        let shared = Arc::clone(&connection);
        let thread = thread.spawn(move || checkpoint_when_woken(&woken, || shared.checkpoint()))?;
        Ok(Self { connection, wake, thread })
    }

    /// Makes this connection count WAL pages instead of checkpointing them. Its thread must be the one that calls
    /// [`after_commit`](Self::after_commit).
    pub(crate) fn count_wal_pages(writer: &Connection) {
        writer.wal_hook(Some(|_, pages| {
            WAL_PAGES.set(pages.unsigned_abs());
            Ok(())
        }));
    }

    /// Keeps the WAL short after a commit of this thread.
    pub(crate) fn after_commit(&self) {
        let (wal_pages, checkpointed) = (WAL_PAGES.get(), self.connection.checkpointed.load(Ordering::Relaxed));
        // A WAL shorter than its checkpointed part was reset since.
        let due = wal_pages.checked_sub(checkpointed).unwrap_or(wal_pages);
        let is_full = wal_pages >= MAX_WAL_PAGES;
        self.connection.signal_readers(is_full);
        let should_wake = if is_full && due > 0 {
            self.connection.checkpoint_passive().blocks_wal_reset()
        } else {
            due >= CHECKPOINT_AFTER_PAGES
        };
        if should_wake {
            // A thread that is already woken will checkpoint this commit too.
            let _ = self.wake.try_send(());
        }
    }

    /// Checkpoints all of the WAL and truncates it, since it still holds overwritten content. If a connection reads
    /// from the WAL for longer than the busy timeout, the checkpoint thread truncates it later. Returns whether it is done.
    pub(crate) fn truncate_wal(&self) -> bool {
        self.truncate_within(BUSY_TIMEOUT)
    }

    /// Does the same as [`truncate_wal`](Self::truncate_wal) without waiting for connections that read from the WAL: a
    /// process that was killed can have left overwritten content there.
    pub(crate) fn truncate_left_wal(&self) {
        self.truncate_within(Duration::ZERO);
    }

    fn truncate_within(&self, timeout: Duration) -> bool {
        let is_truncated = self.connection.truncate(timeout);
        if !is_truncated {
            let _ = self.wake.try_send(());
        }
        is_truncated
    }

    /// Stops the checkpoint thread.
    pub(crate) fn stop(self) {
        drop(self.wake);
        // Without a sender, the thread ends by itself. A panic in it does not affect stored data.
        let _ = self.thread.join();
    }
}

/// Checkpoints on each wake-up, and again after each wait that `checkpoint` returns. Ends once the sender is dropped.
fn checkpoint_when_woken(woken: &Receiver<()>, checkpoint: impl Fn() -> Option<Duration>) {
    let mut running = woken.recv().is_ok();
    while running {
        running = match checkpoint() {
            Some(wait) => !matches!(woken.recv_timeout(wait), Err(RecvTimeoutError::Disconnected)),
            None => woken.recv().is_ok(),
        };
    }
}

#[cfg(test)]
mod tests;
