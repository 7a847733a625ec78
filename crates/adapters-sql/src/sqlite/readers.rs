//! Connections that read on the thread of the caller.

use std::{
    sync::Arc,
    thread::{self, ThreadId},
};

use parlance_domain::error::StoreError;
use rusqlite::Connection;
use tokio::runtime::Handle;

use super::{
    Notices, OpenFiles, Place,
    pool::{PooledConnection, ReaderPool},
    turns::{Found, Snapshot, Turns},
};
use crate::{
    PoolUse,
    error::{Failure, Unread},
};

/// Connections that read. There come to be as many as threads read at one moment. Cloning shares them.
///
/// What a thread reads until its runtime has gone round once, it reads in one transaction: to begin and to end one takes
/// locks that all threads share, which costs as much as to read a row. Whatever this process committed before a read is
/// seen by it.
#[derive(Debug, Clone)]
pub(crate) struct Readers(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    place: Place,
    files: OpenFiles,
    notices: Notices,
    turns: Turns,
    pool: ReaderPool,
}

/// Ends the turn of a thread when it is dropped, be it that its runtime has gone round or that it is no more.
struct EndOfTurn(Readers, ThreadId);

impl Drop for EndOfTurn {
    fn drop(&mut self) {
        self.0.end_turn(self.1);
    }
}

impl Readers {
    /// Readers of a database to whose writer they listen.
    pub(crate) fn new(place: Place, files: OpenFiles, notices: Notices) -> Self {
        let (turns, pool) = (Turns::default(), ReaderPool::new());
        Self(Arc::new(Shared { place, files, notices, turns, pool }))
    }

    /// How many are open, and how many of them read or hold a snapshot.
    pub(crate) fn pool_use(&self) -> PoolUse {
        self.0.pool.pool_use()
    }

    /// What they listen to.
    pub(crate) fn notices(&self) -> &Notices {
        &self.0.notices
    }

    /// Reads on this thread, which must be over soon.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, Unread>) -> Result<T, StoreError> {
        self.0.files.verify_if_displaced()?;
        let Some(snapshot) = self.snapshot()? else { return self.read_alone(read) };
        let found = read(snapshot.connection());
        let unkept = if found.is_ok() { self.0.turns.keep(snapshot) } else { Some(snapshot) };
        if let Some(snapshot) = unkept {
            self.put_away(snapshot);
        }
        Ok(found?)
    }

    /// Reads what may take long on a thread that may be held up.
    pub(crate) async fn read_aside<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Unread> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0.files.verify_if_displaced()?;
        let readers = self.clone();
        let aside = tokio::task::spawn_blocking(move || readers.read_alone(read));
        aside.await.unwrap_or_else(|error| Err(Failure::unavailable(error.to_string()).into()))
    }

    /// Closes them all. Those in use are closed after their use.
    pub(crate) fn close(&self) {
        self.0.pool.close();
        self.0.turns.end_all();
    }

    /// Reads in a transaction of its own.
    fn read_alone<T>(&self, read: impl FnOnce(&Connection) -> Result<T, Unread>) -> Result<T, StoreError> {
        let connection = self.take()?;
        let found = read(&connection);
        self.0.pool.give_back(connection);
        Ok(found?)
    }

    /// What this thread sees in its turn; nothing where it has no turns, or who writes would have to wait for them.
    fn snapshot(&self) -> Result<Option<Box<Snapshot>>, Failure> {
        let Shared { place, notices, turns, .. } = &*self.0;
        if !place.lets_read_while_written() {
            return Ok(None);
        }
        if notices.must_give_way() {
            self.end_turn(thread::current().id());
            return Ok(None);
        }
        // Told before the snapshot is taken, so that it never sees less than this.
        let commits = notices.commits();
        match turns.of_this_thread() {
            Found::Kept(snapshot) => Ok(Some(snapshot.renewed(commits)?)),
            Found::Begun(thread) => {
                let end = EndOfTurn(self.clone(), thread);
                let Ok(runtime) = Handle::try_current() else { return Ok(None) };
                runtime.spawn(async move { drop(end) });
                Ok(Some(Snapshot::begin(self.take()?, commits)?))
            }
            Found::Busy => Ok(None),
        }
    }

    fn end_turn(&self, thread: ThreadId) {
        if let Some(snapshot) = self.0.turns.end(thread) {
            self.put_away(snapshot);
        }
    }

    fn put_away(&self, snapshot: Box<Snapshot>) {
        // One that cannot be ended is closed, which ends it.
        if let Ok(connection) = snapshot.end() {
            self.0.pool.give_back(connection);
        }
    }

    fn take(&self) -> Result<PooledConnection, Failure> {
        self.0.pool.take(|| self.open())
    }

    /// A new connection to the very files that the writer has open. It is not to make a log beside another one.
    fn open(&self) -> Result<Connection, Failure> {
        self.0.files.verify()?;
        let connection = self.0.place.open_reader()?;
        self.0.files.verify()?;
        Ok(connection)
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;
    use tokio::{runtime::Builder, task::yield_now};

    use super::*;
    use crate::sqlite::Logged;

    /// A database of one table, in a file that lasts as long as this does.
    struct Written {
        readers: Readers,
        writer: Connection,
        _folder: TempDir,
    }

    impl Written {
        fn new() -> Self {
            let Logged { folder, place, writer } = Logged::new();
            let written = Self {
                readers: Readers::new(place, OpenFiles::default(), Notices::default()),
                writer,
                _folder: folder,
            };
            written.write();
            written
        }

        fn write(&self) {
            self.writer.execute("INSERT INTO written VALUES (1)", ()).unwrap();
            self.readers.notices().committed();
        }

        fn read(&self) -> i64 {
            let count = "SELECT count(*) FROM written";
            self.readers.read(|connection| Ok(connection.query_row(count, (), |row| row.get(0))?)).unwrap()
        }

        /// Whether somebody still reads from the log.
        fn is_held_up(&self) -> bool {
            let other = self.readers.0.place.open_writer().unwrap();
            other.busy_timeout(std::time::Duration::ZERO).unwrap();
            other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |row| row.get::<_, bool>(0)).unwrap()
        }
    }

    #[tokio::test]
    async fn what_a_thread_sees_is_kept_for_its_turn() {
        let written = Written::new();
        written.read();
        assert!(written.is_held_up());
    }

    #[tokio::test]
    async fn a_turn_that_is_over_holds_up_nobody() {
        let written = Written::new();
        written.read();
        yield_now().await;
        assert!(!written.is_held_up());
    }

    #[test]
    fn a_turn_whose_runtime_ends_holds_up_nobody() {
        let (written, runtime) = (Written::new(), Builder::new_current_thread().build().unwrap());
        runtime.block_on(async { written.read() });
        drop(runtime);
        assert!(!written.is_held_up());
    }

    #[test]
    fn a_thread_without_turns_holds_up_nobody() {
        let written = Written::new();
        written.read();
        assert!(!written.is_held_up());
    }

    #[tokio::test]
    async fn who_is_to_give_way_keeps_nothing() {
        let written = Written::new();
        written.readers.notices().give_way(true);
        written.read();
        assert!(!written.is_held_up());
    }

    #[tokio::test]
    async fn who_is_to_give_way_keeps_no_longer_what_was_kept() {
        let written = Written::new();
        written.read();
        written.readers.notices().give_way(true);
        written.read();
        assert!(!written.is_held_up());
    }

    #[tokio::test]
    async fn what_was_committed_before_a_read_is_seen_by_it_in_the_same_turn() {
        let written = Written::new();
        for number in 2..50 {
            written.write();
            assert_eq!(written.read(), number);
        }
    }

    #[tokio::test]
    async fn where_the_database_gave_up_the_transaction_the_next_read_of_the_turn_is_served() {
        let written = Written::new();
        let failed = written.readers.read(|connection| Ok(connection.execute_batch("ROLLBACK; SELECT nothing")?));
        written.write();
        assert!(failed.is_err() && written.read() == 2);
    }

    #[tokio::test]
    async fn what_is_closed_in_a_turn_holds_up_nobody() {
        let written = Written::new();
        written.read();
        written.readers.close();
        assert!(!written.is_held_up());
    }

    #[tokio::test]
    async fn what_is_closed_is_read_no_more() {
        let written = Written::new();
        written.read();
        written.readers.close();
        assert!(written.readers.read(|_| Ok(())).is_err());
    }
}
