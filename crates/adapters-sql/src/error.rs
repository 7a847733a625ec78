//! What a database says, in the domain's terms.

use std::{borrow::Cow, error::Error as StdError, future::Future, time::Duration};

use parlance_domain::error::{StoreError, StoreErrorKind};
use sea_orm::{
    ConnAcquireErr, DbErr, RuntimeErr,
    sqlx::{self, error::DatabaseError},
};
use tokio::time::{error::Elapsed, timeout};

use crate::{
    postgres::is_cut,
    refusal::{words, words_of},
};

/// Longest time that one call to a database may take. A database that has gone silent is out of reach.
pub const CALL_TIMEOUT: Duration = Duration::from_millis(1_900);

/// A stored value that breaks a rule of the domain. Names where it stands, never what it is.
#[derive(Debug, thiserror::Error)]
#[error("{table}.{column} of row {row} breaks a rule of the domain")]
pub struct CorruptRow {
    table: &'static str,
    column: &'static str,
    row: String,
    #[source]
    source: Box<dyn StdError + Send + Sync>,
}

/// The failure of a row whose `column` no longer parses.
pub(crate) fn corrupt(
    table: &'static str,
    column: &'static str,
    row: &str,
    source: impl Into<Box<dyn StdError + Send + Sync>>,
) -> StoreError {
    let source = source.into();
    StoreError::new(StoreErrorKind::Corrupt, CorruptRow { table, column, row: row.to_owned(), source })
}

/// A database's failure in the domain's terms, which can be told to several who wait for one commit.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    kind: StoreErrorKind,
    reason: Cow<'static, str>,
    /// Whether another transaction was in the way.
    contention: bool,
}

impl Failure {
    /// The database cannot do it, or not at the moment.
    pub(crate) fn unavailable(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StoreErrorKind::Unavailable, reason)
    }

    /// The database did what it is not known to do: a defect.
    pub(crate) fn unexpected(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StoreErrorKind::Unexpected, reason)
    }

    fn new(kind: StoreErrorKind, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, reason: reason.into(), contention: false }
    }

    /// The database did not say what became of it.
    pub(crate) fn untold() -> Self {
        Self::unavailable("the database did not tell in time what became of a write")
    }

    /// What happened, for the log.
    pub(crate) fn into_reason(self) -> Box<str> {
        self.reason.into()
    }

    /// Whether the same write may land at another time.
    pub(crate) fn passes(&self) -> bool {
        self.kind == StoreErrorKind::Unavailable
    }

    /// Whether PostgreSQL undid a transaction that waited too long for another one, or was in conflict with one. Nothing
    /// of it was written, and it may land once the other one has ended.
    pub(crate) fn is_contention(&self) -> bool {
        self.contention
    }
}

// The libraries' errors tell their causes themselves.
impl From<DbErr> for Failure {
    fn from(error: DbErr) -> Self {
        Self::new(kind_of(&error), words_of(&error))
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        let kind = if is_passing(&error) { StoreErrorKind::Unavailable } else { StoreErrorKind::Unexpected };
        let code = error.as_database_error().and_then(DatabaseError::code);
        let contention = code.is_some_and(|code| POSTGRES_CONTENTION.contains(&&*code));
        Self { contention, ..Self::new(kind, words(&error)) }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        let code = error.sqlite_error().map(|error| error.extended_code.unsigned_abs());
        let passing = code.is_some_and(sqlite_code_is_passing);
        let kind = if passing { StoreErrorKind::Unavailable } else { StoreErrorKind::Unexpected };
        Self::new(kind, error.to_string())
    }
}

impl From<Elapsed> for Failure {
    fn from(_: Elapsed) -> Self {
        Self::unavailable(format!("the database did not answer within {} ms", CALL_TIMEOUT.as_millis()))
    }
}

// What the system refuses, such as one more thread, it may grant at another time.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::unavailable(error.to_string())
    }
}

impl From<rusqlite::types::FromSqlError> for Failure {
    fn from(error: rusqlite::types::FromSqlError) -> Self {
        Self::unexpected(error.to_string())
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        Self::new(failure.kind, failure.reason)
    }
}

/// Why something was not read: the database failed, or what it gave breaks a rule of the domain.
#[derive(Debug)]
pub(crate) struct Unread(StoreError);

impl<E: Into<Failure>> From<E> for Unread {
    fn from(error: E) -> Self {
        Self(error.into().into())
    }
}

impl From<StoreError> for Unread {
    fn from(error: StoreError) -> Self {
        Self(error)
    }
}

impl From<Unread> for StoreError {
    fn from(unread: Unread) -> Self {
        unread.0
    }
}

/// Runs one call to the database, bounded in time, and puts its failure in the domain's terms.
pub(crate) async fn call<T>(statement: impl Future<Output = Result<T, DbErr>>) -> Result<T, StoreError> {
    in_time(timeout(CALL_TIMEOUT, statement).await)
}

/// Waits for the database no longer than a call may take.
pub(crate) async fn bounded<T>(answer: impl Future<Output = Result<T, Unread>>) -> Result<T, StoreError> {
    in_time(timeout(CALL_TIMEOUT, answer).await)
}

fn in_time<T, E: Into<Unread>>(outcome: Result<Result<T, E>, Elapsed>) -> Result<T, StoreError> {
    outcome.map_err(Failure::from)?.map_err(|error| error.into().into())
}

fn kind_of(error: &DbErr) -> StoreErrorKind {
    let waited = matches!(error, DbErr::ConnectionAcquire(ConnAcquireErr::Timeout | ConnAcquireErr::ConnectionClosed));
    if waited || cause(error).is_some_and(is_passing) {
        StoreErrorKind::Unavailable
    } else {
        StoreErrorKind::Unexpected
    }
}

pub(crate) fn cause(error: &DbErr) -> Option<&sqlx::Error> {
    if let DbErr::Conn(RuntimeErr::SqlxError(cause))
    | DbErr::Exec(RuntimeErr::SqlxError(cause))
    | DbErr::Query(RuntimeErr::SqlxError(cause)) = error
    {
        Some(cause)
    } else {
        None
    }
}

/// Whether a failure is the loss of a connection to PostgreSQL.
pub(crate) fn is_lost(error: &DbErr) -> bool {
    cause(error).is_some_and(is_cut)
}

/// Whether another connection has a file of SQLite locked.
pub(crate) fn is_locked(error: &DbErr) -> bool {
    cause(error).and_then(sqlx::Error::as_database_error).and_then(sqlite_code).is_some_and(|code| code & 0xff == 5)
}

fn is_passing(error: &sqlx::Error) -> bool {
    if let sqlx::Error::Database(error) = error {
        return sqlite_code(&**error)
            .map_or_else(|| error.code().is_some_and(|code| postgres_code_is_passing(&code)), sqlite_code_is_passing);
    }
    matches!(
        error,
        sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
    )
}

/// SQLite's result code, where the error is one of SQLite.
pub(crate) fn sqlite_code(error: &dyn DatabaseError) -> Option<u32> {
    error.try_downcast_ref::<sqlx::sqlite::SqliteError>()?.code()?.parse().ok()
}

/// PostgreSQL's error classes (its manual, appendix A): connection exceptions, refused log-ins, a database that is not
/// there, transaction rollbacks, insufficient resources, operator intervention, a server that is read-only because it has
/// lost its place as the primary, and what another transaction was in the way of.
fn postgres_code_is_passing(code: &str) -> bool {
    ["08", "28", "3D", "40", "53", "57"].iter().any(|class| code.starts_with(class))
        || code == "25006"
        || POSTGRES_CONTENTION.contains(&code)
}

/// PostgreSQL's codes for a transaction that it undid because of another one: a lock was not available in time, a deadlock,
/// a serialization failure, a statement that took too long.
const POSTGRES_CONTENTION: [&str; 4] = ["55P03", "40P01", "40001", "57014"];

/// SQLite's primary result codes, the low eight bits of the extended ones (sqlite.org/rescode.html): busy (5),
/// locked (6), out of memory (7), read-only (8), I/O error (10), corrupt (11), disk full (13), cannot open (14). SQLite also
/// says corrupt when the disk fails a read, which may succeed at another time.
fn sqlite_code_is_passing(code: u32) -> bool {
    matches!(code & 0xff, 5 | 6 | 7 | 8 | 10 | 11 | 13 | 14)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_or_failing_disk_and_a_locked_database_pass() {
        for code in [5, 517, 11, 13, 3_338, 14] {
            assert!(sqlite_code_is_passing(code), "{code}");
        }
    }

    #[test]
    fn a_broken_constraint_does_not_pass() {
        assert!(!sqlite_code_is_passing(2_067));
        assert!(!postgres_code_is_passing("23505"));
    }

    #[test]
    fn a_server_that_shuts_down_or_runs_out_of_connections_passes() {
        for code in ["57P01", "53300", "08006", "40001", "55P03"] {
            assert!(postgres_code_is_passing(code), "{code}");
        }
    }

    #[test]
    fn a_corrupt_row_is_named_by_its_place_only() {
        let error = corrupt("conversations", "external_id", "01JZ", "secret value");
        let source = error.source().unwrap();
        assert_eq!(source.to_string(), "conversations.external_id of row 01JZ breaks a rule of the domain");
    }
}
