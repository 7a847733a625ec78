//! What a database says, in the domain's terms.

use std::{error::Error as StdError, future::Future, time::Duration};

use parlance_domain::error::{StoreError, StoreErrorKind};
use sea_orm::{ConnAcquireErr, DbErr, RuntimeErr, sqlx};

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

#[derive(Debug, thiserror::Error)]
#[error("the database did not answer within {} ms", CALL_TIMEOUT.as_millis())]
struct Silent;

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

/// Runs one call to the database, bounded in time, and puts its failure in the domain's terms.
pub(crate) async fn call<T>(statement: impl Future<Output = Result<T, DbErr>>) -> Result<T, StoreError> {
    match tokio::time::timeout(CALL_TIMEOUT, statement).await {
        // The library's errors tell their causes themselves.
        Ok(outcome) => outcome.map_err(|error| StoreError::new(kind_of(&error), error.to_string())),
        Err(_) => Err(StoreError::new(StoreErrorKind::Unavailable, Silent)),
    }
}

fn kind_of(error: &DbErr) -> StoreErrorKind {
    let waited = matches!(error, DbErr::ConnectionAcquire(ConnAcquireErr::Timeout | ConnAcquireErr::ConnectionClosed));
    if waited || cause(error).is_some_and(is_passing) {
        StoreErrorKind::Unavailable
    } else {
        StoreErrorKind::Unexpected
    }
}

fn cause(error: &DbErr) -> Option<&sqlx::Error> {
    if let DbErr::Conn(RuntimeErr::SqlxError(cause))
    | DbErr::Exec(RuntimeErr::SqlxError(cause))
    | DbErr::Query(RuntimeErr::SqlxError(cause)) = error
    {
        Some(cause)
    } else {
        None
    }
}

fn is_passing(error: &sqlx::Error) -> bool {
    if let sqlx::Error::Database(error) = error {
        let sqlite = error.try_downcast_ref::<sqlx::sqlite::SqliteError>().is_some();
        let passing = if sqlite { sqlite_code_is_passing } else { postgres_code_is_passing };
        return error.code().is_some_and(|code| passing(&code));
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

/// PostgreSQL's error classes (its manual, appendix A): connection exceptions, refused log-ins, a database that is not
/// there, transaction rollbacks, insufficient resources, operator intervention, and a server that is read-only because
/// it has lost its place as the primary.
fn postgres_code_is_passing(code: &str) -> bool {
    ["08", "28", "3D", "40", "53", "57"].iter().any(|class| code.starts_with(class)) || code == "25006"
}

/// SQLite's primary result codes, the low eight bits of the extended ones (sqlite.org/rescode.html): busy (5),
/// locked (6), out of memory (7), read-only (8), I/O error (10), disk full (13), cannot open (14).
fn sqlite_code_is_passing(code: &str) -> bool {
    code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 7 | 8 | 10 | 13 | 14))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_and_a_locked_database_pass() {
        for code in ["5", "517", "13", "3338", "14"] {
            assert!(sqlite_code_is_passing(code), "{code}");
        }
    }

    #[test]
    fn a_broken_constraint_does_not_pass() {
        assert!(!sqlite_code_is_passing("2067"));
        assert!(!postgres_code_is_passing("23505"));
    }

    #[test]
    fn a_server_that_shuts_down_or_runs_out_of_connections_passes() {
        for code in ["57P01", "53300", "08006", "40001"] {
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
