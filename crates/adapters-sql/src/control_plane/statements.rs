//! Handwritten statements of the control plane.

use parlance_domain::{access::TenantId, id::Id};
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

/// One row if there is a conversation with this id.
pub(super) const FIND_CONVERSATION: &str = "SELECT 1 FROM conversations WHERE tenant_id = $1 AND id = $2";

/// The key of a row with an identifier.
pub(super) fn key<Kind>(tenant: &TenantId, id: &Id<Kind>) -> [Value; 2] {
    [tenant.as_str().into(), id.as_str().into()]
}

/// Greater than every identifier. A range without an end ends here: with an alternative in its condition, no index would bound
/// the rows that a statement reads.
pub(super) const AFTER_ALL: &str = "~";

/// A statement with its values.
pub(super) fn statement<C: ConnectionTrait>(db: &C, sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(db.get_database_backend(), sql, values)
}

/// Runs a statement and returns how many rows it changed.
pub(super) async fn execute<C: ConnectionTrait>(
    db: &C,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<u64, DbErr> {
    Ok(db.execute_raw(statement(db, sql, values)).await?.rows_affected())
}

/// A count as a value of a column.
pub(super) fn sql_count(count: u64) -> Value {
    i64::try_from(count).unwrap_or(i64::MAX).into()
}
