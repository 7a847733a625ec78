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
        atomic::{AtomicU32, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use parlance_domain::sync;
use rusqlite::Connection;

use crate::engine::sqlite::WriterSignals;

/// The number of WAL pages not in the file at which the checkpoint thread is woken.
const CHECKPOINT_AFTER_PAGES: u32 = 250;

/// The WAL length in pages at which the writer waits for a full checkpoint: 16 MB.
const MAX_WAL_PAGES: u32 = 4_000;

/// The wait before another checkpoint of a WAL of that length, if a reader still needed the pages to be overwritten.
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

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
    /// Checkpoints all pages that no reader blocks. If the checkpoint fails, the signal to the readers stays as it is.
    fn checkpoint_passive(&self) -> WalStatus {
        let connection = self.lock();
        let result = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |row| {
            Ok(WalStatus { pages: row.get(1)?, checkpointed: row.get(2)? })
        });
        if let Ok(status) = result {
            self.signals.set_wal_pressure(status.blocks_wal_reset());
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
            signals,
        });
        let (wake, woken) = sync_channel(1);
        let thread = thread::Builder::new().name("sqlite-checkpoints".to_owned());
        let shared = Arc::clone(&connection);
        let thread = thread.spawn(move || checkpoint_when_woken(&woken, || shared.checkpoint_passive()))?;
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
        self.connection.signals.set_wal_pressure(is_full);
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
    /// from the WAL, nothing is truncated now.
    pub(crate) fn truncate_wal(&self) {
        // The writes are already durable, whatever the outcome.
        let _ = self.connection.lock().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    /// Stops the checkpoint thread.
    pub(crate) fn stop(self) {
        drop(self.wake);
        // Without a sender, the thread ends by itself. A panic in it does not affect stored data.
        let _ = self.thread.join();
    }
}

/// Checkpoints on each wake-up, and again while the WAL blocks its own reset. Ends once the sender is dropped.
fn checkpoint_when_woken(woken: &Receiver<()>, checkpoint_passive: impl Fn() -> WalStatus) {
    let mut running = woken.recv().is_ok();
    while running {
        running = if checkpoint_passive().blocks_wal_reset() {
            !matches!(woken.recv_timeout(RETRY_INTERVAL), Err(RecvTimeoutError::Disconnected))
        } else {
            woken.recv().is_ok()
        };
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tempfile::TempDir;

    use super::*;
    use crate::engine::sqlite::{DatabaseLocation, WalDatabase};

    /// A database with a checkpointer, which the thread of the test calls after each commit.
    struct Fixture {
        writer: Connection,
        checkpointer: Checkpointer,
        signals: WriterSignals,
        location: DatabaseLocation,
        _folder: TempDir,
    }

    impl Fixture {
        fn new() -> Self {
            let WalDatabase { folder, location, writer } = WalDatabase::new();
            let signals = WriterSignals::default();
            Checkpointer::count_wal_pages(&writer);
            let checkpointer = Checkpointer::start(location.open_writer().unwrap(), signals.clone()).unwrap();
            Self { writer, checkpointer, signals, location, _folder: folder }
        }

        /// Writes more than the WAL limit.
        fn exceed_wal_limit(&self) {
            self.writer.execute("INSERT INTO written VALUES (randomblob(17000000))", ()).unwrap();
            self.checkpointer.after_commit();
        }

        /// Another connection, which holds a snapshot of the current content until its transaction ends.
        fn reader(&self) -> Connection {
            let reader = self.location.open_writer().unwrap();
            reader.execute_batch("BEGIN; SELECT count(*) FROM written").unwrap();
            reader
        }
    }

    #[test]
    fn a_full_wal_that_is_checkpointed_causes_no_pressure() {
        let fixture = Fixture::new();
        fixture.exceed_wal_limit();
        assert!(!fixture.signals.has_wal_pressure());
    }

    #[test]
    fn a_reader_of_older_pages_causes_pressure_on_a_full_wal() {
        let fixture = Fixture::new();
        let _reader = fixture.reader();
        fixture.exceed_wal_limit();
        assert!(fixture.signals.has_wal_pressure());
    }

    #[test]
    fn a_full_wal_is_checkpointed_without_another_write_once_its_reader_ends() {
        let fixture = Fixture::new();
        let reader = fixture.reader();
        fixture.exceed_wal_limit();
        reader.execute_batch("COMMIT").unwrap();
        let begun = Instant::now();
        while fixture.signals.has_wal_pressure() {
            assert!(begun.elapsed() < Duration::from_secs(10), "the WAL is still not checkpointed");
            thread::yield_now();
        }
    }

    #[test]
    fn the_pressure_stays_if_the_wal_cannot_be_measured() {
        let (signals, without_wal) = (WriterSignals::default(), Connection::open_in_memory().unwrap());
        let checkpointer = Checkpointer::start(without_wal, signals.clone()).unwrap();
        signals.set_wal_pressure(true);
        checkpointer.connection.checkpoint_passive();
        assert!(signals.has_wal_pressure());
    }

    #[test]
    fn a_blocked_checkpoint_is_retried_without_a_wake_up() {
        let (wake, woken) = sync_channel(1);
        let (report, attempts) = sync_channel(0);
        let blocked_checkpoint = move || {
            // The test may have ended.
            let _ = report.send(());
            WalStatus { pages: MAX_WAL_PAGES, checkpointed: 0 }
        };
        let thread = thread::spawn(move || checkpoint_when_woken(&woken, blocked_checkpoint));
        wake.send(()).unwrap();
        for _ in 0..3 {
            attempts.recv_timeout(Duration::from_secs(10)).unwrap();
        }
        drop((wake, attempts));
        thread.join().unwrap();
    }
}
