//! A cache of one read snapshot per thread. All requests that a thread serves before its runtime runs other tasks read
//! from one snapshot.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Mutex, MutexGuard},
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use parlance_domain::sync;
use rusqlite::Connection;

use crate::engine::sqlite::pool::PooledConnection;

/// The longest use of one snapshot. A commit of another process becomes visible after at most this time.
const MAX_SNAPSHOT_AGE: Duration = Duration::from_millis(1);

/// A connection in a read transaction. All reads see the database as of the first read.
#[derive(Debug)]
pub(super) struct Snapshot {
    connection: PooledConnection,
    /// The number of commits of this process that the snapshot includes, at least.
    commits: u64,
    begun_at: Instant,
}

impl Snapshot {
    /// Begins a snapshot, which includes all `commits` commits that this process has made so far.
    pub(super) fn begin(connection: PooledConnection, commits: u64) -> rusqlite::Result<Box<Self>> {
        connection.prepare_cached("BEGIN")?.execute(())?;
        Ok(Box::new(Self { connection, commits, begun_at: Instant::now() }))
    }

    /// Returns this snapshot if it is recent and includes all `commits` commits; else ends it and begins a new one.
    pub(super) fn refresh(self: Box<Self>, commits: u64) -> rusqlite::Result<Box<Self>> {
        if self.commits == commits && self.begun_at.elapsed() < MAX_SNAPSHOT_AGE {
            return Ok(self);
        }
        Self::begin(self.end()?, commits)
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Ends the read transaction, so that the WAL can be reset.
    pub(super) fn end(self) -> rusqlite::Result<PooledConnection> {
        self.connection.prepare_cached("COMMIT")?.execute(())?;
        Ok(self.connection)
    }
}

/// The cached snapshot of each thread; none while the snapshot is in use.
#[derive(Debug, Default)]
pub(super) struct SnapshotCache(Mutex<HashMap<ThreadId, Option<Box<Snapshot>>>>);

/// The cache slot of the calling thread.
pub(super) enum Slot {
    /// The thread had no slot. It has one from now on, until [`SnapshotCache::remove`].
    Vacant(ThreadId),
    /// The cached snapshot.
    Cached(Box<Snapshot>),
    /// The snapshot is in use.
    InUse,
}

impl SnapshotCache {
    /// Takes the slot of the calling thread.
    pub(super) fn take_slot(&self) -> Slot {
        let thread = thread::current().id();
        match self.lock().entry(thread) {
            Entry::Occupied(mut slot) => slot.get_mut().take().map_or(Slot::InUse, Slot::Cached),
            Entry::Vacant(slot) => {
                slot.insert(None);
                Slot::Vacant(thread)
            }
        }
    }

    /// Caches a snapshot for the calling thread. Returns the snapshot if the thread no longer has a slot.
    pub(super) fn put(&self, snapshot: Box<Snapshot>) -> Option<Box<Snapshot>> {
        match self.lock().get_mut(&thread::current().id()) {
            Some(slot) => slot.replace(snapshot),
            None => Some(snapshot),
        }
    }

    /// Removes the slot of a thread, and returns the cached snapshot.
    pub(super) fn remove(&self, thread: ThreadId) -> Option<Box<Snapshot>> {
        self.lock().remove(&thread).flatten()
    }

    /// Removes all slots.
    pub(super) fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ThreadId, Option<Box<Snapshot>>>> {
        sync::lock(&self.0)
    }
}
