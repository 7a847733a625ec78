//! Snapshots that are kept for a turn of a thread: those of one turn of its runtime, in which it serves many requests, read
//! the same.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Mutex, MutexGuard, PoisonError},
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use rusqlite::Connection;

use super::pool::PooledConnection;

/// How long a snapshot is read from at most: as long may pass until it is seen what another process wrote.
const FRESH: Duration = Duration::from_millis(1);

/// A connection within a transaction, which sees the database as it was when that first read.
#[derive(Debug)]
pub(super) struct Snapshot {
    connection: PooledConnection,
    /// How many commits of this process it sees at least.
    commits: u64,
    begun: Instant,
}

impl Snapshot {
    /// Begins to see what is there now, given how many commits this process has made.
    pub(super) fn begin(connection: PooledConnection, commits: u64) -> rusqlite::Result<Box<Self>> {
        connection.prepare_cached("BEGIN")?.execute(())?;
        Ok(Box::new(Self { connection, commits, begun: Instant::now() }))
    }

    /// The same where it sees all that it must, else another one.
    pub(super) fn renewed(self: Box<Self>, commits: u64) -> rusqlite::Result<Box<Self>> {
        if self.commits == commits && self.begun.elapsed() < FRESH {
            return Ok(self);
        }
        Self::begin(self.end()?, commits)
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Holds up nobody any more.
    pub(super) fn end(self) -> rusqlite::Result<PooledConnection> {
        self.connection.prepare_cached("COMMIT")?.execute(())?;
        Ok(self.connection)
    }
}

/// The snapshots of those turns that threads are in: none while it is read from.
#[derive(Debug, Default)]
pub(super) struct Turns(Mutex<HashMap<ThreadId, Option<Box<Snapshot>>>>);

/// What a thread that wants to read finds.
pub(super) enum Found {
    /// It is in no turn. Now it is, until [`Turns::end`] is called for it.
    Begun(ThreadId),
    /// The snapshot of its turn.
    Kept(Box<Snapshot>),
    /// A turn whose snapshot is in use.
    Busy,
}

impl Turns {
    /// What this thread has.
    pub(super) fn of_this_thread(&self) -> Found {
        let thread = thread::current().id();
        match self.lock().entry(thread) {
            Entry::Occupied(mut turn) => turn.get_mut().take().map_or(Found::Busy, Found::Kept),
            Entry::Vacant(turn) => {
                turn.insert(None);
                Found::Begun(thread)
            }
        }
    }

    /// Keeps a snapshot for this thread's turn; gives it back where the turn is over.
    pub(super) fn keep(&self, snapshot: Box<Snapshot>) -> Option<Box<Snapshot>> {
        match self.lock().get_mut(&thread::current().id()) {
            Some(turn) => turn.replace(snapshot),
            None => Some(snapshot),
        }
    }

    /// Ends the turn of a thread, and gives what was kept for it.
    pub(super) fn end(&self, thread: ThreadId) -> Option<Box<Snapshot>> {
        self.lock().remove(&thread).flatten()
    }

    /// Ends all turns.
    pub(super) fn end_all(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ThreadId, Option<Box<Snapshot>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
