//! The kinds and the messages of the drivers' errors.

use std::borrow::Cow;

use parlance_domain::error::StoreErrorKind;
use sea_orm::{
    ConnAcquireErr, DbErr, RuntimeErr,
    sqlx::{self, error::DatabaseError},
};

pub(super) fn error_kind(error: &DbErr) -> StoreErrorKind {
    let no_connection =
        matches!(error, DbErr::ConnectionAcquire(ConnAcquireErr::Timeout | ConnAcquireErr::ConnectionClosed));
    if no_connection || sqlx_error(error).is_some_and(is_transient_error) {
        StoreErrorKind::Unavailable
    } else if sqlx_error(error).is_some_and(is_tenant_erased) {
        StoreErrorKind::TenantErased
    } else {
        StoreErrorKind::Unexpected
    }
}

/// The driver's error within a sea-orm error.
pub(crate) fn sqlx_error(error: &DbErr) -> Option<&sqlx::Error> {
    if let DbErr::Conn(RuntimeErr::SqlxError(cause))
    | DbErr::Exec(RuntimeErr::SqlxError(cause))
    | DbErr::Query(RuntimeErr::SqlxError(cause)) = error
    {
        Some(cause)
    } else {
        None
    }
}

/// The SQLSTATE of a missing right.
pub(crate) const INSUFFICIENT_PRIVILEGE: &str = "42501";

/// The SQLSTATE code of an error of PostgreSQL; SQLite's code of an error of SQLite.
pub(crate) fn sqlstate(error: &DbErr) -> Option<String> {
    let error = sqlx_error(error).and_then(sqlx::Error::as_database_error)?;
    error.code().map(Cow::into_owned)
}

/// Whether the error ends the use of a connection: the connection is closed, or the server announces that it closes it
/// (manual of PostgreSQL, appendix A: class 08, and the codes from 57P01 on). So does [`READ_ONLY`]: the server is no
/// longer the primary, and its reads may be stale.
pub(crate) fn is_connection_lost(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(DatabaseError::code);
    matches!(error, sqlx::Error::Io(_) | sqlx::Error::Protocol(_))
        || code.is_some_and(|code| code.starts_with("08") || code.starts_with("57P") || code == READ_ONLY)
}

/// The SQLSTATE by which a trigger of PostgreSQL refuses a row of an erased tenant.
pub(crate) const TENANT_ERASED: &str = "PE002";

/// The message by which a trigger of SQLite refuses a row of an erased tenant.
pub(crate) const TENANT_ERASED_TEXT: &str = "its name cannot be used again";

/// Whether a trigger refused the row of an erased tenant.
fn is_tenant_erased(error: &sqlx::Error) -> bool {
    let Some(error) = error.as_database_error() else { return false };
    match sqlite_code(error) {
        Some(_) => error.message() == TENANT_ERASED_TEXT,
        None => error.code().is_some_and(|code| code == TENANT_ERASED),
    }
}

/// Whether another connection has locked the SQLite file (`SQLITE_BUSY`).
pub(crate) fn is_sqlite_busy(error: &DbErr) -> bool {
    sqlx_error(error)
        .and_then(sqlx::Error::as_database_error)
        .and_then(sqlite_code)
        .is_some_and(|code| code & 0xff == 5)
}

pub(super) fn is_transient_error(error: &sqlx::Error) -> bool {
    if let sqlx::Error::Database(error) = error {
        return sqlite_code(&**error).map_or_else(
            || error.code().is_some_and(|code| is_transient_postgres_code(&code)),
            is_transient_sqlite_code,
        );
    }
    matches!(
        error,
        sqlx::Error::Io(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
    )
}

/// SQLite's extended result code; none for an error of PostgreSQL.
fn sqlite_code(error: &dyn DatabaseError) -> Option<u32> {
    error.try_downcast_ref::<sqlx::sqlite::SqliteError>()?.code()?.parse().ok()
}

/// The SQLSTATE code of a write on a server that is read-only.
const READ_ONLY: &str = "25006";

/// Transient SQLSTATE classes (manual of PostgreSQL, appendix A). 08: connection exceptions. 28: refused log-ins. 3D:
/// no such database. 40: transaction rollbacks. 53: insufficient resources. 57: operator intervention. 58: errors of the
/// system, such as of its disk. Transient codes:
/// [`READ_ONLY`] and [`POSTGRES_CONTENTION`].
fn is_transient_postgres_code(code: &str) -> bool {
    ["08", "28", "3D", "40", "53", "57", "58"].iter().any(|class| code.starts_with(class))
        || code == READ_ONLY
        || POSTGRES_CONTENTION.contains(&code)
}

/// SQLSTATE codes of a transaction that PostgreSQL rolled back because of another one. 55P03: no lock in time. 40P01:
/// deadlock. 40001: serialization failure. 57014: statement timeout.
pub(super) const POSTGRES_CONTENTION: [&str; 4] = ["55P03", "40P01", "40001", "57014"];

/// Transient primary result codes of SQLite, the low eight bits of the extended ones (sqlite.org/rescode.html): busy
/// (5), locked (6), out of memory (7), read-only (8), I/O error (10), corrupt (11), disk full (13), cannot open (14).
/// SQLite also reports "corrupt" when the disk fails a read, which may succeed at another time.
pub(super) fn is_transient_sqlite_code(code: u32) -> bool {
    matches!(code & 0xff, 5 | 6 | 7 | 8 | 10 | 11 | 13 | 14)
}

/// The advice for a missing right.
const RIGHTS_ADVICE: &str = ": connect as a role that has this right: parlance_owner of docs/roles.sql may change the \
                             schema, and parlance_server everything that a server and its commands need";

/// The message of a driver's error, without the driver's prefix and without the line of the server's source code.
pub(crate) fn driver_message(error: &sqlx::Error) -> String {
    if let sqlx::Error::Database(cause) = error {
        if sqlite_code(&**cause).is_some() {
            return cause.to_string();
        }
        let advice = if cause.code().is_some_and(|code| code == INSUFFICIENT_PRIVILEGE) { RIGHTS_ADVICE } else { "" };
        return format!("{}{advice}", cause.message());
    }
    if let sqlx::Error::Configuration(inner) = error {
        return inner.to_string().replace("error with configuration: ", "");
    }
    error.to_string()
}

/// The message of a sea-orm error, as [`driver_message`].
pub(crate) fn db_err_message(error: &DbErr) -> String {
    sqlx_error(error).map_or_else(|| error.to_string(), driver_message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_and_failing_disks_and_locked_databases_are_transient() {
        for code in [5, 517, 11, 13, 3_338, 14] {
            assert!(is_transient_sqlite_code(code), "{code}");
        }
    }

    #[test]
    fn a_constraint_violation_is_not_transient() {
        assert!(!is_transient_sqlite_code(2_067));
        assert!(!is_transient_postgres_code("23505"));
    }

    #[test]
    fn a_server_that_shuts_down_or_lacks_connections_is_transient() {
        for code in ["57P01", "53300", "08006", "40001", "55P03"] {
            assert!(is_transient_postgres_code(code), "{code}");
        }
    }
}
