//! How many connections there are, for whoever watches the service.

use sea_orm::{DatabaseConnection, DbBackend};

use crate::Database;

/// The connections of one pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolUse {
    /// How many there are.
    pub open: u32,
    /// How many of them are at work.
    pub in_use: u32,
}

impl Database {
    /// Each pool of connections by its name: `writer` and `reader` on SQLite, `shared` on PostgreSQL.
    #[must_use]
    pub fn connections(&self) -> Vec<(&'static str, PoolUse)> {
        if self.writer().get_database_backend() == DbBackend::Sqlite {
            vec![("writer", sqlite(self.writer())), ("reader", sqlite(self.reader()))]
        } else {
            vec![("shared", postgres(self.writer()))]
        }
    }

    /// How many connections to a server were found lost since the start, in all pools.
    #[must_use]
    pub fn lost_connections(&self) -> u64 {
        self.losses().count()
    }
}

fn sqlite(connection: &DatabaseConnection) -> PoolUse {
    let pool = connection.get_sqlite_connection_pool();
    counted(pool.size(), pool.num_idle())
}

fn postgres(connection: &DatabaseConnection) -> PoolUse {
    let pool = connection.get_postgres_connection_pool();
    counted(pool.size(), pool.num_idle())
}

fn counted(open: u32, idle: usize) -> PoolUse {
    PoolUse { open, in_use: open.saturating_sub(u32::try_from(idle).unwrap_or(u32::MAX)) }
}
