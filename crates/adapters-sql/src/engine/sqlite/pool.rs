//! The pool of read connections. It grows to the number of threads that read at the same time, and counts open
//! connections.

use std::{
    ops::Deref,
    sync::{Arc, Mutex},
};

use parlance_domain::sync;
use rusqlite::Connection;

use crate::{engine::pool_use::PoolUse, error::DbError};

/// A pool that opens a connection when none is idle.
#[derive(Debug)]
pub(super) struct ReaderPool {
    /// The idle connections; none once the pool is closed.
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
    pub(super) fn acquire(
        &self,
        open: impl FnOnce() -> Result<Connection, DbError>,
    ) -> Result<PooledConnection, DbError> {
        let idle = match sync::lock(&self.idle).as_mut() {
            Some(idle) => idle.pop(),
            None => return Err(DbError::unavailable("the database is closed")),
        };
        let open_pooled = || Ok(PooledConnection { connection: open()?, _open: Arc::clone(&self.open) });
        idle.map_or_else(open_pooled, Ok)
    }

    /// Returns a connection to the pool. A closed pool closes the connection.
    pub(super) fn release(&self, connection: PooledConnection) {
        if let Some(idle) = sync::lock(&self.idle).as_mut() {
            idle.push(connection);
        }
    }

    /// Closes every idle connection. A connection in use is closed after its use.
    pub(super) fn close(&self) {
        sync::lock(&self.idle).take();
    }

    /// The number of open connections, and the number of those that read or hold a snapshot.
    pub(super) fn pool_use(&self) -> PoolUse {
        let idle = sync::lock(&self.idle).as_ref().map_or(0, Vec::len);
        PoolUse::new(Arc::strong_count(&self.open) - 1, idle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sqlite::DatabaseLocation;

    fn counts(pool: &ReaderPool) -> (u32, u32) {
        let PoolUse { open, in_use, .. } = pool.pool_use();
        (open, in_use)
    }

    #[test]
    fn a_connection_is_counted_while_it_is_open_and_while_it_is_in_use() {
        let (pool, location) = (ReaderPool::new(), DatabaseLocation::parse("sqlite::memory:").unwrap());
        let writer = location.open_writer().unwrap();
        let (first, second) = (
            pool.acquire(|| Ok(location.open_reader()?)).unwrap(),
            pool.acquire(|| Ok(location.open_reader()?)).unwrap(),
        );
        assert_eq!(counts(&pool), (2, 2));
        pool.release(first);
        drop(second);
        assert_eq!(counts(&pool), (1, 0));
        drop(writer);
    }

    #[test]
    fn a_closed_pool_keeps_no_connection_open() {
        let (pool, location) = (ReaderPool::new(), DatabaseLocation::parse("sqlite::memory:").unwrap());
        let writer = location.open_writer().unwrap();
        let connection = pool.acquire(|| Ok(location.open_reader()?)).unwrap();
        pool.close();
        pool.release(connection);
        assert_eq!(counts(&pool), (0, 0));
        drop(writer);
    }
}
