//! Bringing SQLite's write-ahead log into the database file while the writer goes on.
//!
//! The log begins anew only where all of it is in the file and nobody reads from it. While one thread writes and another
//! brings over what was written before, there is always a rest; so the log has a bound, at which the writer brings over
//! that rest itself, which is little.

use std::{
    cell::Cell,
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
        mpsc::{SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
};

use rusqlite::Connection;

/// Pages of the log from which on they are brought over, of those that are not yet.
const PAGES: u32 = 250;

/// Pages of the log from which on the writer waits until all are brought over: 16 MB.
const MOST_PAGES: u32 = 4_000;

thread_local! {
    /// How many pages the log had after the last commit of this thread.
    static LOGGED: Cell<u32> = const { Cell::new(0) };
}

/// What brings the log into the file.
pub(super) struct Checkpoints {
    way: Arc<Mutex<Way>>,
    /// How many pages of the log were brought over when that was last done.
    brought: Arc<AtomicU32>,
    wake: SyncSender<()>,
    thread: JoinHandle<()>,
}

/// The connection by which the log is brought over, by one thread at a time.
struct Way(Connection);

impl Way {
    /// Brings over what nobody holds up, and gives how many pages of the log are in the file.
    fn bring_over(&self) -> u32 {
        // What is not brought over now is in the log, and as durable there.
        self.0.query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |row| row.get(2)).unwrap_or_default()
    }
}

impl Checkpoints {
    pub(super) fn begin(connection: Connection) -> io::Result<Self> {
        let (way, brought) = (Arc::new(Mutex::new(Way(connection))), Arc::<AtomicU32>::default());
        let (wake, woken) = sync_channel(1);
        let (shared, told) = (Arc::clone(&way), Arc::clone(&brought));
        let run = move || {
            for () in woken {
                told.store(alone(&shared).bring_over(), Ordering::Relaxed);
            }
        };
        let thread = thread::Builder::new().name("sqlite-checkpoints".to_owned()).spawn(run)?;
        Ok(Self { way, brought, wake, thread })
    }

    /// Has this connection, of the thread that calls [`Self::follow`], count pages instead of bringing them over.
    pub(super) fn count_pages_of(writer: &Connection) {
        writer.wal_hook(Some(|_, pages| {
            LOGGED.set(pages.unsigned_abs());
            Ok(())
        }));
    }

    /// After a commit of this thread: sees to it that the log does not grow, and gives whether it is as long as it may be.
    pub(super) fn follow(&self) -> bool {
        let (logged, brought) = (LOGGED.get(), self.brought.load(Ordering::Relaxed));
        // A log that is shorter than what was brought over has begun anew since.
        let due = logged.checked_sub(brought).unwrap_or(logged);
        let is_full = logged >= MOST_PAGES;
        if is_full && due > 0 {
            self.brought.store(alone(&self.way).bring_over(), Ordering::Relaxed);
        } else if due >= PAGES {
            // One that is woken already will see this commit too.
            let _ = self.wake.try_send(());
        }
        is_full
    }

    /// Brings all of the log over and empties it, since it still holds what was overwritten. Where others read from the
    /// log at that moment, it is left to a later time.
    pub(super) fn forget_old_pages(&self) {
        // The writes are done and durable, whatever becomes of this.
        let _ = alone(&self.way).0.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    /// Ends what it runs.
    pub(super) fn end(self) {
        drop(self.wake);
        // It ends by itself now that nobody can wake it; whether it had panicked makes no difference to what is stored.
        let _ = self.thread.join();
    }
}

/// The way, when nobody else is bringing over.
fn alone(way: &Mutex<Way>) -> MutexGuard<'_, Way> {
    way.lock().unwrap_or_else(PoisonError::into_inner)
}
