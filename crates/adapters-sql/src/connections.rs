//! How many connections there are, and how much waits for one, for whoever watches the service.

use deadpool::Status;
use sea_orm::{DatabaseConnection, DbBackend};

use crate::{Database, database::Reading};

/// The connections of one pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PoolUse {
    /// How many there are.
    pub open: u32,
    /// How many of them are at work.
    pub in_use: u32,
    /// How many calls wait for one, where the pool tells.
    pub waiting: Option<u32>,
}

impl PoolUse {
    pub(crate) fn new(open: usize, idle: usize) -> Self {
        let count = |number| u32::try_from(number).unwrap_or(u32::MAX);
        Self { open: count(open), in_use: count(open.saturating_sub(idle)), waiting: None }
    }

    /// Pools of one kind, as one.
    pub(crate) fn of_all(pools: impl IntoIterator<Item = Status>) -> Self {
        pools.into_iter().fold(Self { waiting: Some(0), ..Self::default() }, |sum, status| {
            let pool = Self::new(status.size, status.available);
            let waiting = u32::try_from(status.waiting).unwrap_or(u32::MAX);
            Self {
                open: sum.open + pool.open,
                in_use: sum.in_use + pool.in_use,
                waiting: sum.waiting.map(|sum| sum.saturating_add(waiting)),
            }
        })
    }
}

impl Database {
    /// Each pool of connections by its name. On SQLite: `writer` and `reader`, and `native_reader` for frequent reads. On
    /// PostgreSQL: `shared`, `native_reader` for frequent reads, and `copy` for feeds.
    #[must_use]
    pub fn connections(&self) -> Vec<(&'static str, PoolUse)> {
        match self.reading() {
            Reading::Sqlite(readers) => vec![
                ("writer", general(self.writer())),
                ("reader", general(self.reader())),
                ("native_reader", readers.pool_use()),
            ],
            Reading::Postgres(lanes) => {
                let [native_reader, copy] = lanes.pool_uses();
                vec![("shared", general(self.writer())), ("native_reader", native_reader), ("copy", copy)]
            }
        }
    }

    /// How many writes wait for the group commit that is under way to end.
    #[must_use]
    pub fn queued_writes(&self) -> usize {
        self.group_commit().queued()
    }

    /// How many connections to a server were found lost since the start, in all pools.
    #[must_use]
    pub fn lost_connections(&self) -> u64 {
        self.losses().count()
    }
}

/// A pool of the general driver, which does not tell how many wait.
fn general(connection: &DatabaseConnection) -> PoolUse {
    let (open, idle) = if connection.get_database_backend() == DbBackend::Sqlite {
        let pool = connection.get_sqlite_connection_pool();
        (pool.size(), pool.num_idle())
    } else {
        let pool = connection.get_postgres_connection_pool();
        (pool.size(), pool.num_idle())
    };
    PoolUse::new(usize::try_from(open).unwrap_or(usize::MAX), idle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_of_one_kind_are_added_up() {
        let pool = Status { max_size: 4, size: 3, available: 1, waiting: 2 };
        assert_eq!(PoolUse::of_all([pool, pool]), PoolUse { open: 6, in_use: 4, waiting: Some(4) });
    }
}
