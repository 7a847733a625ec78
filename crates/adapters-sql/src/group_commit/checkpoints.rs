//! Bringing SQLite's write-ahead log into the database file while the writer goes on.
//!
//! The log begins anew only where all of it is in the file and nobody reads from it. While one thread writes and another
//! brings over what was written before, there is always a rest; so the log has a bound, at which the writer brings over
//! that rest itself, which is little. As long as some of such a log is not in the file, those who read are told to give
//! way. Once all of it is, they read from the file alone, which keeps no log from beginning anew.

use std::{
    cell::Cell,
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use rusqlite::Connection;

use crate::sqlite::Notices;

/// Pages of the log from which on they are brought over, of those that are not yet.
const PAGES: u32 = 250;

/// Pages of the log from which on the writer waits until all are brought over: 16 MB.
const MOST_PAGES: u32 = 4_000;

/// How soon it is tried again to bring over the rest of such a log, where somebody read what the rest would overwrite.
const RETRY: Duration = Duration::from_millis(10);

thread_local! {
    /// How many pages the log had after the last commit of this thread.
    static LOGGED: Cell<u32> = const { Cell::new(0) };
}

/// What brings the log into the file.
pub(super) struct Checkpoints {
    way: Arc<Way>,
    wake: SyncSender<()>,
    thread: JoinHandle<()>,
}

/// The connection by which the log is brought over, by one thread at a time.
struct Way {
    connection: Mutex<Connection>,
    /// How many pages of the log were brought over when that was last done.
    brought: AtomicU32,
    /// Those who read listen to it.
    notices: Notices,
}

/// How many pages the log has, and how many of them are in the file.
#[derive(Clone, Copy, Default)]
struct Log {
    pages: u32,
    brought: u32,
}

impl Log {
    /// Whether it is as long as it may be, and some of it is not in the file.
    fn is_in_the_way(self) -> bool {
        self.pages >= MOST_PAGES && self.brought < self.pages
    }
}

impl Way {
    /// Brings over what nobody holds up. Where it cannot be told how much that is, those who read hear nothing new.
    fn bring_over(&self) -> Log {
        let connection = self.alone();
        let told = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |row| {
            Ok(Log { pages: row.get(1)?, brought: row.get(2)? })
        });
        if let Ok(log) = told {
            self.notices.give_way(log.is_in_the_way());
        }
        // What is not brought over now is in the log, and as durable there.
        let log = told.unwrap_or_default();
        self.brought.store(log.brought, Ordering::Relaxed);
        log
    }

    /// The connection, when nobody else is bringing over.
    fn alone(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Checkpoints {
    pub(super) fn begin(connection: Connection, notices: Notices) -> io::Result<Self> {
        let way = Arc::new(Way { connection: Mutex::new(connection), brought: AtomicU32::default(), notices });
        let (wake, woken) = sync_channel(1);
        let thread = thread::Builder::new().name("sqlite-checkpoints".to_owned());
        let shared = Arc::clone(&way);
        let thread = thread.spawn(move || bring_over_when_woken(&woken, || shared.bring_over()))?;
        Ok(Self { way, wake, thread })
    }

    /// Has this connection, of the thread that calls [`Self::follow`], count pages instead of bringing them over.
    pub(super) fn count_pages_of(writer: &Connection) {
        writer.wal_hook(Some(|_, pages| {
            LOGGED.set(pages.unsigned_abs());
            Ok(())
        }));
    }

    /// After a commit of this thread: sees to it that the log does not grow.
    pub(super) fn follow(&self) {
        let (logged, brought) = (LOGGED.get(), self.way.brought.load(Ordering::Relaxed));
        // A log that is shorter than what was brought over has begun anew since.
        let due = logged.checked_sub(brought).unwrap_or(logged);
        let is_full = logged >= MOST_PAGES;
        self.way.notices.give_way(is_full);
        let left = if is_full && due > 0 { self.way.bring_over().is_in_the_way() } else { due >= PAGES };
        if left {
            // One that is woken already will see this commit too.
            let _ = self.wake.try_send(());
        }
    }

    /// Brings all of the log over and empties it, since it still holds what was overwritten. Where others read from the
    /// log at that moment, it is left to a later time.
    pub(super) fn forget_old_pages(&self) {
        // The writes are done and durable, whatever becomes of this.
        let _ = self.way.alone().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    /// Ends what it runs.
    pub(super) fn end(self) {
        drop(self.wake);
        // It ends by itself now that nobody can wake it; whether it had panicked makes no difference to what is stored.
        let _ = self.thread.join();
    }
}

/// Brings the log over each time it is woken, and again while that leaves what is in the way. Ends where nobody can wake it.
fn bring_over_when_woken(woken: &Receiver<()>, bring_over: impl Fn() -> Log) {
    let mut goes_on = woken.recv().is_ok();
    while goes_on {
        goes_on = if bring_over().is_in_the_way() {
            !matches!(woken.recv_timeout(RETRY), Err(RecvTimeoutError::Disconnected))
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
    use crate::sqlite::{Logged, Place};

    /// A database whose log is followed, on the thread of the test.
    struct Followed {
        writer: Connection,
        checkpoints: Checkpoints,
        notices: Notices,
        place: Place,
        _folder: TempDir,
    }

    impl Followed {
        fn new() -> Self {
            let Logged { folder, place, writer } = Logged::new();
            let notices = Notices::default();
            Checkpoints::count_pages_of(&writer);
            let checkpoints = Checkpoints::begin(place.open_writer().unwrap(), notices.clone()).unwrap();
            Self { writer, checkpoints, notices, place, _folder: folder }
        }

        /// Writes more than the log may have.
        fn write_much(&self) {
            self.writer.execute("INSERT INTO written VALUES (randomblob(17000000))", ()).unwrap();
            self.checkpoints.follow();
        }

        /// Another connection, which reads what is there now until it is told to end.
        fn reader(&self) -> Connection {
            let reader = self.place.open_writer().unwrap();
            reader.execute_batch("BEGIN; SELECT count(*) FROM written").unwrap();
            reader
        }
    }

    #[test]
    fn a_log_as_long_as_it_may_be_that_is_all_in_the_file_is_in_nobodys_way() {
        let followed = Followed::new();
        followed.write_much();
        assert!(!followed.notices.must_give_way());
    }

    #[test]
    fn while_somebody_reads_what_is_older_such_a_log_is_in_the_way() {
        let followed = Followed::new();
        let _reader = followed.reader();
        followed.write_much();
        assert!(followed.notices.must_give_way());
    }

    #[test]
    fn once_nobody_reads_what_is_older_such_a_log_is_brought_over_without_another_write() {
        let followed = Followed::new();
        let reader = followed.reader();
        followed.write_much();
        reader.execute_batch("COMMIT").unwrap();
        let begun = Instant::now();
        while followed.notices.must_give_way() {
            assert!(begun.elapsed() < Duration::from_secs(10), "it stays in the way");
            thread::yield_now();
        }
    }

    #[test]
    fn where_it_cannot_be_told_how_long_the_log_is_who_gives_way_goes_on() {
        let (notices, without_log) = (Notices::default(), Connection::open_in_memory().unwrap());
        let checkpoints = Checkpoints::begin(without_log, notices.clone()).unwrap();
        notices.give_way(true);
        checkpoints.way.bring_over();
        assert!(notices.must_give_way());
    }

    #[test]
    fn what_stays_in_the_way_is_tried_again_without_being_woken() {
        let (wake, woken) = sync_channel(1);
        let (tell, tries) = sync_channel(0);
        let in_the_way = move || {
            // Nobody counts any more once the test is over.
            let _ = tell.send(());
            Log { pages: MOST_PAGES, brought: 0 }
        };
        let thread = thread::spawn(move || bring_over_when_woken(&woken, in_the_way));
        wake.send(()).unwrap();
        for _ in 0..3 {
            tries.recv_timeout(Duration::from_secs(10)).unwrap();
        }
        drop((wake, tries));
        thread.join().unwrap();
    }
}
