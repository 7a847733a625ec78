//! Errors of the databases, and their translation into the domain's errors.

mod driver;

use std::{borrow::Cow, error::Error as StdError, future::Future, time::Duration};

pub(crate) use driver::{
    INSUFFICIENT_PRIVILEGE, TENANT_ERASED, TENANT_ERASED_TEXT, db_err_message, driver_message, is_connection_lost,
    is_sqlite_busy, sqlstate, sqlx_error,
};
use driver::{POSTGRES_CONTENTION, error_kind, is_transient_error, is_transient_sqlite_code};
use parlance_domain::error::{StoreError, StoreErrorKind};
use sea_orm::{
    DbErr,
    sqlx::{self, error::DatabaseError},
};
use tokio::time::{error::Elapsed, timeout};

/// Timeout of one database call. After it, the database counts as unavailable.
pub const CALL_TIMEOUT: Duration = Duration::from_millis(1_900);

/// A stored value that breaks a rule of the domain. Names the table, the column and the row, never the value.
#[derive(Debug, thiserror::Error)]
#[error("{table}.{column} of row {row} breaks a rule of the domain")]
pub struct CorruptRow {
    table: &'static str,
    column: &'static str,
    row: String,
    #[source]
    source: Box<dyn StdError + Send + Sync>,
}

/// The error for a row whose `column` does not parse.
pub(crate) fn corrupt(
    table: &'static str,
    column: &'static str,
    row: &str,
    source: impl Into<Box<dyn StdError + Send + Sync>>,
) -> StoreError {
    let source = source.into();
    StoreError::new(StoreErrorKind::Corrupt, CorruptRow { table, column, row: row.to_owned(), source })
}

/// A database error in the domain's terms. It can be cloned, for all callers that share one commit.
#[derive(Debug, Clone)]
pub(crate) struct DbError {
    kind: StoreErrorKind,
    reason: Cow<'static, str>,
    /// Whether a conflict with another transaction caused the error.
    contention: bool,
}

impl DbError {
    /// The database cannot serve the call, at least for now.
    pub(crate) fn unavailable(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StoreErrorKind::Unavailable, reason)
    }

    /// The database behaved in a way that this program does not expect: a defect.
    pub(crate) fn unexpected(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StoreErrorKind::Unexpected, reason)
    }

    fn new(kind: StoreErrorKind, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, reason: reason.into(), contention: false }
    }

    /// It is unknown whether a write was committed.
    pub(crate) fn outcome_unknown() -> Self {
        Self::unavailable("the database did not confirm the write in time: its outcome is unknown")
    }

    /// The reason, for the log.
    pub(crate) fn into_reason(self) -> Box<str> {
        self.reason.into()
    }

    /// Whether the same write may succeed at another time.
    pub(crate) fn is_transient(&self) -> bool {
        self.kind == StoreErrorKind::Unavailable
    }

    /// Whether PostgreSQL rolled the transaction back because it waited too long for another transaction, or conflicted
    /// with one. Nothing was written, and the write may succeed once the other transaction ends.
    pub(crate) fn is_contention(&self) -> bool {
        self.contention
    }
}

// The text of a library's error includes its cause.
impl From<DbErr> for DbError {
    fn from(error: DbErr) -> Self {
        Self::new(error_kind(&error), db_err_message(&error))
    }
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        let kind = if is_transient_error(&error) { StoreErrorKind::Unavailable } else { StoreErrorKind::Unexpected };
        let code = error.as_database_error().and_then(DatabaseError::code);
        let contention = code.is_some_and(|code| POSTGRES_CONTENTION.contains(&&*code));
        Self { contention, ..Self::new(kind, driver_message(&error)) }
    }
}

impl From<rusqlite::Error> for DbError {
    fn from(error: rusqlite::Error) -> Self {
        let code = error.sqlite_error().map(|error| error.extended_code.unsigned_abs());
        let transient = code.is_some_and(is_transient_sqlite_code);
        let kind = if transient { StoreErrorKind::Unavailable } else { StoreErrorKind::Unexpected };
        Self::new(kind, error.to_string())
    }
}

impl From<Elapsed> for DbError {
    fn from(_: Elapsed) -> Self {
        Self::unavailable(format!("the database did not answer within {} ms", CALL_TIMEOUT.as_millis()))
    }
}

// An I/O error may be transient: a thread that the system refuses now may start at the next try.
impl From<std::io::Error> for DbError {
    fn from(error: std::io::Error) -> Self {
        Self::unavailable(error.to_string())
    }
}

impl From<rusqlite::types::FromSqlError> for DbError {
    fn from(error: rusqlite::types::FromSqlError) -> Self {
        Self::unexpected(error.to_string())
    }
}

impl From<DbError> for StoreError {
    fn from(error: DbError) -> Self {
        Self::new(error.kind, error.reason)
    }
}

/// Why a read failed: a database error, or a stored value that breaks a rule of the domain.
#[derive(Debug)]
pub(crate) struct ReadError(StoreError);

impl<E: Into<DbError>> From<E> for ReadError {
    fn from(error: E) -> Self {
        Self(error.into().into())
    }
}

impl From<StoreError> for ReadError {
    fn from(error: StoreError) -> Self {
        Self(error)
    }
}

impl From<ReadError> for StoreError {
    fn from(error: ReadError) -> Self {
        error.0
    }
}

/// Runs one sea-orm call with [`CALL_TIMEOUT`].
pub(crate) async fn statement_with_timeout<T>(
    statement: impl Future<Output = Result<T, DbErr>>,
) -> Result<T, StoreError> {
    flatten_timeout(timeout(CALL_TIMEOUT, statement).await)
}

/// Runs a read, or the wait for a write, with [`CALL_TIMEOUT`].
pub(crate) async fn with_timeout<T>(read: impl Future<Output = Result<T, ReadError>>) -> Result<T, StoreError> {
    flatten_timeout(timeout(CALL_TIMEOUT, read).await)
}

fn flatten_timeout<T, E: Into<ReadError>>(outcome: Result<Result<T, E>, Elapsed>) -> Result<T, StoreError> {
    outcome.map_err(DbError::from)?.map_err(|error| error.into().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corrupt_row_is_named_without_its_value() {
        let error = corrupt("conversations", "external_id", "01JZ", "secret value");
        let source = error.source().unwrap();
        assert_eq!(source.to_string(), "conversations.external_id of row 01JZ breaks a rule of the domain");
    }
}
