//! Checks for an operator: the hosts of the database, its sessions and locks, its clock, and the rights of its role.

mod hosts;
mod role;
mod sessions;

pub use hosts::{HostReport, HostRole, HostsReport, describe_database, inspect_hosts};
pub use role::RoleReport;
pub use sessions::{LockReport, SessionReport};

use parlance_domain::{error::StoreError, time::Timestamp};
use sea_orm::{DbBackend, FromQueryResult, Statement};

use crate::{Database, error::corrupt};

/// The tables of the schema that the role may not read and insert into. The tables of
/// migrations and functions need to be read only.
const INACCESSIBLE_TABLES: &str = "SELECT relname::text AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
    AND NOT (has_table_privilege(oid, 'SELECT')
        AND (relname IN ('seaql_migrations', 'schema_functions', 'schema_compatibility') OR has_table_privilege(oid, 'INSERT')))
    ORDER BY relname";

#[derive(FromQueryResult)]
struct ClockRow {
    micros: i64,
}

#[derive(FromQueryResult)]
struct TableRow {
    name: String,
}

impl Database {
    /// The time of the database server's clock; none for SQLite, which has no clock of its own.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn server_time(&self) -> Result<Option<Timestamp>, StoreError> {
        if self.backend() != DbBackend::Postgres {
            return Ok(None);
        }
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros";
        let row = self.read(|db| ClockRow::find_by_statement(Statement::from_string(DbBackend::Postgres, sql)).one(db));
        let Some(ClockRow { micros }) = row.await? else { return Ok(None) };
        let timestamp = Timestamp::from_micros(micros);
        timestamp.map(Some).map_err(|error| corrupt("clock_timestamp", "micros", "-", error))
    }

    /// The tables that the role of this connection may not read and insert into; none on SQLite, which has no roles.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn inaccessible_tables(&self) -> Result<Vec<String>, StoreError> {
        if self.backend() != DbBackend::Postgres {
            return Ok(Vec::new());
        }
        let rows = self.read(|db| {
            TableRow::find_by_statement(Statement::from_string(DbBackend::Postgres, INACCESSIBLE_TABLES)).all(db)
        });
        Ok(rows.await?.into_iter().map(|table| table.name).collect())
    }

    /// Begins a write transaction and rolls it back.
    ///
    /// # Errors
    /// [`StoreError`] where the database accepts no writes.
    pub async fn check_writable(&self) -> Result<(), StoreError> {
        let transaction = async { self.begin().await?.rollback().await };
        self.write(transaction).await
    }

    fn backend(&self) -> DbBackend {
        self.reader().get_database_backend()
    }
}
