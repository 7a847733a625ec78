//! The connections that read: as many as threads read at one moment, counted for as long as they are open.

use std::{
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::Connection;

use crate::{PoolUse, error::Failure};

/// A pool that opens a connection where none is idle.
#[derive(Debug)]
pub(super) struct ReaderPool {
    /// Those that nobody uses; none once the pool is closed.
    idle: Mutex<Option<Vec<PooledConnection>>>,
    /// Each open connection holds one more reference.
    open: Arc<()>,
}

/// A connection that counts as open until it is dropped.
#[derive(Debug)]
pub(super) struct PooledConnection {
    connection: Connection,
    _open: Arc<()>,
}

impl Deref for PooledConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl ReaderPool {
    pub(super) fn new() -> Self {
        Self { idle: Mutex::new(Some(Vec::new())), open: Arc::default() }
    }

    /// Takes an idle connection, or opens one.
    pub(super) fn take(&self, open: impl FnOnce() -> Result<Connection, Failure>) -> Result<PooledConnection, Failure> {
        let idle = match self.idle.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(idle) => idle.pop(),
            None => return Err(Failure::unavailable("the database is closed")),
        };
        let pooled = || Ok(PooledConnection { connection: open()?, _open: Arc::clone(&self.open) });
        idle.map_or_else(pooled, Ok)
    }

    /// Keeps a connection for the next read. Where the pool is closed, closes it.
    pub(super) fn give_back(&self, connection: PooledConnection) {
        if let Some(idle) = self.idle.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            idle.push(connection);
        }
    }

    /// Closes every idle connection. Those in use are closed after their use.
    pub(super) fn close(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// How many connections are open, and how many of them read or hold a snapshot.
    pub(super) fn pool_use(&self) -> PoolUse {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, Vec::len);
        PoolUse::new(Arc::strong_count(&self.open) - 1, idle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::Place;

    fn counts(pool: &ReaderPool) -> (u32, u32) {
        let PoolUse { open, in_use, .. } = pool.pool_use();
        (open, in_use)
    }

    #[test]
    fn a_connection_is_counted_while_it_is_open_and_while_it_is_in_use() {
        let (pool, place) = (ReaderPool::new(), Place::of("sqlite::memory:").unwrap());
        let writer = place.open_writer().unwrap();
        let (first, second) =
            (pool.take(|| Ok(place.open_reader()?)).unwrap(), pool.take(|| Ok(place.open_reader()?)).unwrap());
        assert_eq!(counts(&pool), (2, 2));
        pool.give_back(first);
        drop(second);
        assert_eq!(counts(&pool), (1, 0));
        drop(writer);
    }

    #[test]
    fn a_closed_pool_holds_nothing_open() {
        let (pool, place) = (ReaderPool::new(), Place::of("sqlite::memory:").unwrap());
        let writer = place.open_writer().unwrap();
        let connection = pool.take(|| Ok(place.open_reader()?)).unwrap();
        pool.close();
        pool.give_back(connection);
        assert_eq!(counts(&pool), (0, 0));
        drop(writer);
    }
}
