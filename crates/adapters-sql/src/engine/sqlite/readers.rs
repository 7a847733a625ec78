//! Reads on the caller's thread.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread::{self, ThreadId},
};

use parlance_domain::error::StoreError;
use rusqlite::Connection;
use tokio::runtime::Handle;

use crate::{
    engine::{
        pool_use::PoolUse,
        sqlite::{
            DatabaseFiles, DatabaseLocation, WriterSignals,
            pool::{PooledConnection, ReaderPool},
            snapshot_cache::{Slot, Snapshot, SnapshotCache},
        },
    },
    error::{DbError, ReadError},
};

/// Read connections, as many as there are threads that read at the same time. Clones share them.
///
/// All reads of a thread share one transaction until its runtime runs other tasks. To begin and end a transaction takes
/// locks that all threads share, which costs as much as reading a row. A read sees every earlier commit of this
/// process.
#[derive(Debug, Clone)]
pub(crate) struct Readers(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    location: DatabaseLocation,
    files: DatabaseFiles,
    signals: WriterSignals,
    snapshots: SnapshotCache,
    pool: ReaderPool,
    /// The number of reads without a snapshot under WAL pressure.
    uncached_reads: AtomicU64,
}

/// Evicts the snapshot of a thread when dropped: by a task of the thread's runtime, or with that runtime.
struct SnapshotGuard(Readers, ThreadId);

impl Drop for SnapshotGuard {
    fn drop(&mut self) {
        self.0.evict(self.1);
    }
}

impl Readers {
    /// Readers that observe the signals of the database's writer.
    pub(crate) fn new(location: DatabaseLocation, files: DatabaseFiles, signals: WriterSignals) -> Self {
        let (snapshots, pool) = (SnapshotCache::default(), ReaderPool::new());
        let uncached_reads = AtomicU64::new(0);
        Self(Arc::new(Shared { location, files, signals, snapshots, pool, uncached_reads }))
    }

    /// The number of open connections, and the number of those that read or hold a snapshot.
    pub(crate) fn pool_use(&self) -> PoolUse {
        self.0.pool.pool_use()
    }

    /// The number of reads without a snapshot under WAL pressure.
    pub(crate) fn uncached_reads(&self) -> u64 {
        self.0.uncached_reads.load(Ordering::Relaxed)
    }

    /// The signals from the writer.
    pub(crate) fn signals(&self) -> &WriterSignals {
        &self.0.signals
    }

    /// Runs a short read on this thread.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, ReadError>) -> Result<T, StoreError> {
        self.0.files.verify_if_displaced()?;
        let Some(snapshot) = self.snapshot()? else { return self.read_uncached(read) };
        let outcome = read(snapshot.connection());
        let uncached = if outcome.is_ok() { self.0.snapshots.put(snapshot) } else { Some(snapshot) };
        if let Some(snapshot) = uncached {
            self.recycle(snapshot);
        }
        Ok(outcome?)
    }

    /// Runs a read that may take long, on a thread that may block.
    pub(crate) async fn read_blocking<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, ReadError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0.files.verify_if_displaced()?;
        let readers = self.clone();
        let task = tokio::task::spawn_blocking(move || readers.read_uncached(read));
        task.await.unwrap_or_else(|error| Err(DbError::unavailable(error.to_string()).into()))
    }

    /// Closes all connections. A connection in use is closed after its use.
    pub(crate) fn close(&self) {
        self.0.pool.close();
        self.0.snapshots.clear();
    }

    /// Reads in a transaction of its own.
    fn read_uncached<T>(&self, read: impl FnOnce(&Connection) -> Result<T, ReadError>) -> Result<T, StoreError> {
        let connection = self.take()?;
        let outcome = read(&connection);
        self.0.pool.release(connection);
        Ok(outcome?)
    }

    /// The snapshot of this thread. None without a write-ahead log, under WAL pressure, outside of a runtime, and while
    /// the snapshot is in use.
    fn snapshot(&self) -> Result<Option<Box<Snapshot>>, DbError> {
        let Shared { location, signals, snapshots, .. } = &*self.0;
        if !location.has_concurrent_reads() {
            return Ok(None);
        }
        if signals.has_wal_pressure() {
            self.0.uncached_reads.fetch_add(1, Ordering::Relaxed);
            self.evict(thread::current().id());
            return Ok(None);
        }
        // Loaded before the snapshot begins, so that the snapshot includes at least these commits.
        let commits = signals.commits();
        match snapshots.take_slot() {
            Slot::Cached(snapshot) => Ok(Some(snapshot.refresh(commits)?)),
            Slot::Vacant(thread) => {
                let guard = SnapshotGuard(self.clone(), thread);
                let Ok(runtime) = Handle::try_current() else { return Ok(None) };
                runtime.spawn(async move { drop(guard) });
                Ok(Some(Snapshot::begin(self.take()?, commits)?))
            }
            Slot::InUse => Ok(None),
        }
    }

    fn evict(&self, thread: ThreadId) {
        if let Some(snapshot) = self.0.snapshots.remove(thread) {
            self.recycle(snapshot);
        }
    }

    fn recycle(&self, snapshot: Box<Snapshot>) {
        // A connection whose transaction cannot be ended is closed instead, which ends it.
        if let Ok(connection) = snapshot.end() {
            self.0.pool.release(connection);
        }
    }

    fn take(&self) -> Result<PooledConnection, DbError> {
        self.0.pool.acquire(|| self.open())
    }

    /// Opens a connection to the same files as the writer. SQLite must not create a log beside other files.
    fn open(&self) -> Result<Connection, DbError> {
        self.0.files.verify()?;
        let connection = self.0.location.open_reader()?;
        self.0.files.verify()?;
        Ok(connection)
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;
    use tokio::{runtime::Builder, task::yield_now};

    use super::*;
    use crate::engine::sqlite::WalDatabase;

    /// A database of one table, in a temporary file.
    struct Fixture {
        readers: Readers,
        writer: Connection,
        _folder: TempDir,
    }

    impl Fixture {
        fn new() -> Self {
            let WalDatabase { folder, location, writer } = WalDatabase::new();
            let fixture = Self {
                readers: Readers::new(location, DatabaseFiles::default(), WriterSignals::default()),
                writer,
                _folder: folder,
            };
            fixture.write();
            fixture
        }

        fn write(&self) {
            self.writer.execute("INSERT INTO written VALUES (1)", ()).unwrap();
            self.readers.signals().record_commit();
        }

        fn read(&self) -> i64 {
            let count = "SELECT count(*) FROM written";
            self.readers.read(|connection| Ok(connection.query_row(count, (), |row| row.get(0))?)).unwrap()
        }

        /// Whether a connection still reads from the write-ahead log.
        fn is_wal_held(&self) -> bool {
            let checkpointer = self.readers.0.location.open_writer().unwrap();
            checkpointer.busy_timeout(std::time::Duration::ZERO).unwrap();
            checkpointer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |row| row.get::<_, bool>(0)).unwrap()
        }
    }

    #[tokio::test]
    async fn a_snapshot_is_cached_until_other_tasks_run() {
        let fixture = Fixture::new();
        fixture.read();
        assert!(fixture.is_wal_held());
    }

    #[tokio::test]
    async fn a_snapshot_ends_once_other_tasks_run() {
        let fixture = Fixture::new();
        fixture.read();
        yield_now().await;
        assert!(!fixture.is_wal_held());
    }

    #[test]
    fn a_snapshot_ends_with_its_runtime() {
        let (fixture, runtime) = (Fixture::new(), Builder::new_current_thread().build().unwrap());
        runtime.block_on(async { fixture.read() });
        drop(runtime);
        assert!(!fixture.is_wal_held());
    }

    #[test]
    fn a_thread_without_a_runtime_caches_no_snapshot() {
        let fixture = Fixture::new();
        fixture.read();
        assert!(!fixture.is_wal_held());
    }

    #[tokio::test]
    async fn no_snapshot_is_cached_under_wal_pressure() {
        let fixture = Fixture::new();
        fixture.readers.signals().set_wal_pressure(true);
        fixture.read();
        assert!(!fixture.is_wal_held());
    }

    #[tokio::test]
    async fn reads_under_wal_pressure_are_counted() {
        let fixture = Fixture::new();
        fixture.read();
        fixture.readers.signals().set_wal_pressure(true);
        fixture.read();
        assert_eq!(fixture.readers.uncached_reads(), 1);
    }

    #[tokio::test]
    async fn a_cached_snapshot_ends_under_wal_pressure() {
        let fixture = Fixture::new();
        fixture.read();
        fixture.readers.signals().set_wal_pressure(true);
        fixture.read();
        assert!(!fixture.is_wal_held());
    }

    #[tokio::test]
    async fn a_read_sees_all_earlier_commits_of_the_process() {
        let fixture = Fixture::new();
        for number in 2..50 {
            fixture.write();
            assert_eq!(fixture.read(), number);
        }
    }

    #[tokio::test]
    async fn a_read_succeeds_after_a_read_that_lost_its_snapshot() {
        let fixture = Fixture::new();
        let failed = fixture.readers.read(|connection| Ok(connection.execute_batch("ROLLBACK; SELECT nothing")?));
        fixture.write();
        assert!(failed.is_err() && fixture.read() == 2);
    }

    #[tokio::test]
    async fn closing_ends_a_cached_snapshot() {
        let fixture = Fixture::new();
        fixture.read();
        fixture.readers.close();
        assert!(!fixture.is_wal_held());
    }

    #[tokio::test]
    async fn closed_readers_refuse_reads() {
        let fixture = Fixture::new();
        fixture.read();
        fixture.readers.close();
        assert!(fixture.readers.read(|_| Ok(())).is_err());
    }
}
