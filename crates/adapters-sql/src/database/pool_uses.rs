//! The use of the pools of a database, for metrics.

use sea_orm::{DatabaseConnection, DbBackend};

use crate::{
    database::{Database, NativeReader},
    engine::pool_use::PoolUse,
};

impl Database {
    /// The use of each connection pool, by name. On SQLite: `writer` and `reader`, and `native_reader` for frequent
    /// reads. On PostgreSQL: `shared`, `native_reader` for frequent reads, and `copy` for feeds.
    #[must_use]
    pub fn pool_uses(&self) -> Vec<(&'static str, PoolUse)> {
        match self.native_reader() {
            NativeReader::Sqlite(readers) => vec![
                ("writer", general_pool_use(self.writer())),
                ("reader", general_pool_use(self.reader())),
                ("native_reader", readers.pool_use()),
            ],
            NativeReader::Postgres(pools) => {
                let [native_reader, copy] = pools.pool_uses();
                vec![("shared", general_pool_use(self.writer())), ("native_reader", native_reader), ("copy", copy)]
            }
        }
    }

    /// The number of writes that wait for the current group commit to end.
    #[must_use]
    pub fn queued_writes(&self) -> usize {
        self.writes().queued()
    }

    /// The number of server connections that all pools have found lost since the start.
    #[must_use]
    pub fn lost_connections(&self) -> u64 {
        self.losses().count()
    }
}

/// The use of a general pool, which does not count waiting calls.
fn general_pool_use(connection: &DatabaseConnection) -> PoolUse {
    let (open, idle) = if connection.get_database_backend() == DbBackend::Sqlite {
        let pool = connection.get_sqlite_connection_pool();
        (pool.size(), pool.num_idle())
    } else {
        let pool = connection.get_postgres_connection_pool();
        (pool.size(), pool.num_idle())
    };
    PoolUse::new(usize::try_from(open).unwrap_or(usize::MAX), idle)
}
