//! Reading many rows by position, from either database.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::TryStreamExt;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    time::Timestamp,
};
use rusqlite::{OpenFlags, ToSql, types::ToSqlOutput};
use sea_orm::{
    DbErr, RuntimeErr,
    sqlx::{self, AssertSqlSafe, PgPool, Row, postgres::PgRow},
};

use crate::{Database, database::SQLITE_BUSY_TIMEOUT, error::call};

/// A value that a statement is given.
#[derive(Clone)]
pub(super) enum Value {
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

/// The cells of a row, by position.
pub(super) trait Cells {
    fn text(&self, place: usize) -> Result<String, StoreError>;
    fn optional_text(&self, place: usize) -> Result<Option<String>, StoreError>;
    fn number(&self, place: usize) -> Result<i64, StoreError>;
    fn optional_number(&self, place: usize) -> Result<Option<i64>, StoreError>;
    fn flag(&self, place: usize) -> Result<bool, StoreError>;
}

/// A way to the database at hand.
#[derive(Clone)]
pub(super) enum Connection {
    Postgres(PgPool),
    /// Opened when it is first used.
    Sqlite(Arc<Path>, Arc<Mutex<Option<rusqlite::Connection>>>),
    /// A database that only its own connection sees.
    InMemory,
}

impl Connection {
    pub(super) fn of(database: &Database) -> Self {
        match (database.postgres_pool(), database.sqlite_file()) {
            (Some(pool), _) => Self::Postgres(pool.clone()),
            (None, Some(file)) => Self::Sqlite(file, Arc::default()),
            (None, None) => Self::InMemory,
        }
    }

    /// What `restore` makes of each row that a statement gives.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        sql: String,
        values: Vec<Value>,
        restore: impl Fn(&dyn Cells) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<Vec<T>, StoreError> {
        match self {
            Self::Postgres(pool) => read_postgres(pool, sql, values, restore).await,
            Self::Sqlite(file, connection) => {
                let (file, connection) = (Arc::clone(file), Arc::clone(connection));
                let read = move || read_sqlite(&file, &connection, &sql, &values, restore);
                let read = tokio::task::spawn_blocking(read).await;
                read.map_err(|lost| StoreError::new(StoreErrorKind::Unavailable, lost))?
            }
            Self::InMemory => {
                let reason = "feeds are made of a database that is a file or a server, not of one in memory";
                Err(StoreError::new(StoreErrorKind::Unexpected, reason))
            }
        }
    }
}

async fn read_postgres<T>(
    pool: &PgPool,
    sql: String,
    values: Vec<Value>,
    restore: impl Fn(&dyn Cells) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let bound = values.into_iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, value| match value {
        Value::Text(text) => query.bind(text),
        Value::Number(number) => query.bind(number),
    });
    let rows = async {
        let mut rows = bound.fetch(pool);
        let mut restored = Vec::new();
        while let Some(row) =
            rows.try_next().await.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))?
        {
            restored.push(restore(&row));
        }
        Ok(restored)
    };
    call(rows).await?.into_iter().collect()
}

fn read_sqlite<T>(
    file: &Path,
    connection: &Mutex<Option<rusqlite::Connection>>,
    sql: &str,
    values: &[Value],
    restore: impl Fn(&dyn Cells) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
    let connection = match &mut *connection {
        Some(open) => open,
        none => none.insert(open(file).map_err(failed)?),
    };
    let mut statement = connection.prepare(sql).map_err(failed)?;
    let mut rows = statement.query(rusqlite::params_from_iter(values)).map_err(failed)?;
    let mut restored = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        restored.push(restore(row)?);
    }
    Ok(restored)
}

fn open(file: &Path) -> rusqlite::Result<rusqlite::Connection> {
    let connection = rusqlite::Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(SQLITE_BUSY_TIMEOUT)?;
    Ok(connection)
}

/// SQLite's failures while it is only read pass, mostly: a lock, a full disk, a file that is out of reach.
fn failed(error: rusqlite::Error) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, error)
}

/// A column that is not of the type that it was made with.
fn mistyped(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::new(StoreErrorKind::Corrupt, error)
}

impl Cells for rusqlite::Row<'_> {
    fn text(&self, place: usize) -> Result<String, StoreError> {
        self.get(place).map_err(mistyped)
    }

    fn optional_text(&self, place: usize) -> Result<Option<String>, StoreError> {
        self.get(place).map_err(mistyped)
    }

    fn number(&self, place: usize) -> Result<i64, StoreError> {
        self.get(place).map_err(mistyped)
    }

    fn optional_number(&self, place: usize) -> Result<Option<i64>, StoreError> {
        self.get(place).map_err(mistyped)
    }

    fn flag(&self, place: usize) -> Result<bool, StoreError> {
        self.get(place).map_err(mistyped)
    }
}

impl Cells for PgRow {
    fn text(&self, place: usize) -> Result<String, StoreError> {
        self.try_get(place).map_err(mistyped)
    }

    fn optional_text(&self, place: usize) -> Result<Option<String>, StoreError> {
        self.try_get(place).map_err(mistyped)
    }

    /// Whatever its width, as the other database gives it.
    fn number(&self, place: usize) -> Result<i64, StoreError> {
        self.try_get(place).or_else(|_| self.try_get::<i16, _>(place).map(i64::from)).map_err(mistyped)
    }

    fn optional_number(&self, place: usize) -> Result<Option<i64>, StoreError> {
        self.try_get(place).map_err(mistyped)
    }

    fn flag(&self, place: usize) -> Result<bool, StoreError> {
        self.try_get(place).map_err(mistyped)
    }
}
