//! The use of the pools of a database, and the numbers of its rare events, for metrics.

use sea_orm::{DatabaseConnection, DbBackend, sqlx};

use crate::{
    data_plane::write_job::MAX_WRITE_CONNECTIONS,
    database::{Database, NativeReader},
    engine::{event_counts::EventCounts, pool_use::PoolUse, postgres::Servers},
};

impl Database {
    /// The use of each connection pool, by name. On SQLite: `writer` and `reader`, and `native_reader` for frequent
    /// reads. On PostgreSQL: `shared`, `native_reader` for frequent reads, `copy` for feeds, and `native_writer` for the
    /// group commit and for writes that wait for a lock.
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
                vec![
                    ("shared", general_pool_use(self.writer())),
                    ("native_reader", native_reader),
                    ("copy", copy),
                    ("native_writer", self.writer_stats.pool_use(MAX_WRITE_CONNECTIONS)),
                ]
            }
        }
    }

    /// The number of writes that wait for the current group commit to end.
    #[must_use]
    pub fn queued_writes(&self) -> usize {
        self.writes().queued()
    }

    /// The numbers of rare events since the database was opened.
    #[must_use]
    pub fn event_counts(&self) -> EventCounts {
        let (servers, losses, batches) = (self.servers(), self.losses(), &self.writer_stats);
        let uncached_reads = match self.native_reader() {
            NativeReader::Sqlite(readers) => readers.uncached_reads(),
            NativeReader::Postgres(_) => 0,
        };
        EventCounts {
            connections_opened: servers.map_or(0, Servers::connections),
            connections_lost: losses.count(),
            server_changes: servers.map_or(0, Servers::changes),
            statement_retries: losses.retries(),
            batch_splits: batches.splits(),
            batch_fallbacks: batches.fallbacks(),
            blocked_batches: batches.blocked(),
            uncached_reads,
        }
    }
}

/// The use of a general pool, which does not count waiting calls.
fn general_pool_use(connection: &DatabaseConnection) -> PoolUse {
    if connection.get_database_backend() == DbBackend::Sqlite {
        driver_pool_use(connection.get_sqlite_connection_pool())
    } else {
        driver_pool_use(connection.get_postgres_connection_pool())
    }
}

fn driver_pool_use<Driver: sqlx::Database>(pool: &sqlx::Pool<Driver>) -> PoolUse {
    let open = usize::try_from(pool.size()).unwrap_or(usize::MAX);
    PoolUse::new(open, pool.num_idle()).with_max(pool.options().get_max_connections())
}
