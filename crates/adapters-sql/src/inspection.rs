//! What an operator should know of a database before it fails: its clock, and what may be done in it.

use parlance_domain::{error::StoreError, time::Timestamp};
use sea_orm::{DbBackend, FromQueryResult, Statement};

use crate::{Database, error::corrupt};

/// Each table of the schema that the caller's role may not read and add to. The history of migrations is only read.
const LACKING: &str = "SELECT relname::text AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
    AND NOT (has_table_privilege(oid, 'SELECT') AND (relname = 'seaql_migrations' OR has_table_privilege(oid, 'INSERT')))
    ORDER BY relname";

#[derive(FromQueryResult)]
struct Clock {
    micros: i64,
}

#[derive(FromQueryResult)]
struct Table {
    name: String,
}

impl Database {
    /// The time by the database's own clock; none for the embedded one, which has none.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn own_time(&self) -> Result<Option<Timestamp>, StoreError> {
        if self.backend() != DbBackend::Postgres {
            return Ok(None);
        }
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros";
        let asked = Clock::find_by_statement(Statement::from_string(DbBackend::Postgres, sql));
        let Some(Clock { micros }) = self.call(asked.one(self.reader())).await? else { return Ok(None) };
        let moment = Timestamp::from_micros(micros);
        moment.map(Some).map_err(|broken| corrupt("clock_timestamp", "micros", "-", broken))
    }

    /// The tables that the role of this connection may not read and add to; none on the embedded database, where there
    /// are no roles.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn closed_tables(&self) -> Result<Vec<String>, StoreError> {
        if self.backend() != DbBackend::Postgres {
            return Ok(Vec::new());
        }
        let asked = Table::find_by_statement(Statement::from_string(DbBackend::Postgres, LACKING));
        Ok(self.call(asked.all(self.reader())).await?.into_iter().map(|table| table.name).collect())
    }

    /// Takes the right to write, and gives it back without having written.
    ///
    /// # Errors
    /// [`StoreError`] where it is not to be had.
    pub async fn try_to_write(&self) -> Result<(), StoreError> {
        let tried = async { self.begin().await?.rollback().await };
        self.call(tried).await
    }

    fn backend(&self) -> DbBackend {
        self.reader().get_database_backend()
    }
}
