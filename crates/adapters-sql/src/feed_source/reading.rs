//! Reading runs of rows, from either database.

use parlance_domain::{access::TenantId, error::StoreError, time::Timestamp};
use rusqlite::{ToSql, types::ToSqlOutput};

use super::literals::with_literals;
use crate::{Database, columns::Columns, database::Reading, error::Unread};

/// A value that a statement is given.
#[derive(Clone)]
pub(crate) enum Value {
    Text(String),
    Number(i64),
}

impl Value {
    pub(super) fn of(tenant: &TenantId) -> Self {
        Self::Text(tenant.as_str().to_owned())
    }

    pub(super) fn at(moment: Timestamp) -> Self {
        Self::Number(moment.as_micros())
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Text(text) => text.to_sql(),
            Self::Number(number) => number.to_sql(),
        }
    }
}

/// What `restore` makes of each row that a statement gives.
pub(super) async fn read<T: Send + 'static>(
    database: &Database,
    sql: String,
    values: Vec<Value>,
    restore: impl Fn(&dyn Columns) -> Result<T, Unread> + Send + Sync + 'static,
) -> Result<Vec<T>, StoreError> {
    let add = move |row: &dyn Columns, restored: &mut Vec<T>| {
        restored.push(restore(row)?);
        Ok(())
    };
    gather(database, sql, values, add).await
}

/// What `add` gathers of the rows that a statement gives.
pub(crate) async fn gather<T: Default + Send + 'static>(
    database: &Database,
    sql: String,
    values: Vec<Value>,
    add: impl Fn(&dyn Columns, &mut T) -> Result<(), Unread> + Send + Sync + 'static,
) -> Result<T, StoreError> {
    match database.reading() {
        Reading::Sqlite(readers) => {
            let read = move |connection: &rusqlite::Connection| {
                let mut statement = connection.prepare_cached(&sql)?;
                let mut rows = statement.query(rusqlite::params_from_iter(&values))?;
                let mut gathered = T::default();
                while let Some(row) = rows.next()? {
                    add(row, &mut gathered)?;
                }
                Ok(gathered)
            };
            readers.read_aside(read).await
        }
        Reading::Postgres(lanes) => lanes.copy(&with_literals(&sql, &values)?, |row, into| add(row, into)).await,
    }
}
