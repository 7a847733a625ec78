//! Whether sessions of a PostgreSQL server keep their state, and whether its advisory locks exclude each other.
//!
//! Both are properties of PostgreSQL that the program relies on. A pooler that hands each transaction to another session
//! breaks the first one, and some engines with PostgreSQL's protocol break the second one.

use parlance_domain::error::StoreError;
use sea_orm::sqlx::{self, AssertSqlSafe, Connection, Row, postgres::PgConnection, raw_sql};
use tokio::time::timeout;

use crate::{
    Database,
    engine::postgres::Servers,
    error::{CALL_TIMEOUT, DbError},
};

/// The number of times that two sessions are compared. Other clients of a pooler can hide the change of a session.
const ROUNDS: u32 = 5;

/// What two sessions of a server observed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionReport {
    /// The name and the version of the engine, as it reports them.
    pub engine: String,
    /// Whether each connection had one session of the server from its first statement to its last.
    pub keeps_session: bool,
    /// The locks of sessions; `None` where a connection does not keep its session, or the engine lacks
    /// such locks.
    pub session_lock: Option<LockReport>,
    /// The locks of transactions; `None` where a connection does not keep its session, or the engine lacks
    /// such locks.
    pub transaction_lock: Option<LockReport>,
}

/// Which attempts of two sessions to take one advisory lock succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockReport {
    /// The first session, while nobody held the lock.
    pub first: bool,
    /// The second session, while the first one held the lock.
    pub second_while_held: bool,
    /// The second session, after the first one had released the lock.
    pub second_after_release: bool,
}

impl LockReport {
    /// Whether the lock was free, excluded the second session, and was free again.
    #[must_use]
    pub fn excludes(self) -> bool {
        self.first && !self.second_while_held && self.second_after_release
    }
}

impl Database {
    /// Compares two sessions of the server; `None` on SQLite.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn inspect_sessions(&self) -> Result<Option<SessionReport>, StoreError> {
        let Some(servers) = self.servers() else { return Ok(None) };
        let report = timeout(CALL_TIMEOUT, Box::pin(inspect(servers))).await.map_err(DbError::from)?;
        Ok(Some(report.map_err(DbError::from)?))
    }
}

async fn inspect(servers: &Servers) -> Result<SessionReport, sqlx::Error> {
    let (mut first, mut second) = (servers.connect().await?, servers.connect().await?);
    let engine = query(&mut first, "SELECT version()").await?;
    let mut keeps_session = true;
    for _ in 0..ROUNDS {
        keeps_session &= keep_sessions(&mut first, &mut second).await?;
    }
    let (mut session_lock, mut transaction_lock) = (None, None);
    if keeps_session {
        // Two doctors at the same time must not take the same lock.
        let key = query(&mut first, "SELECT (random() * 1e15)::bigint::text").await?;
        session_lock = unless_refused(try_session_lock(&mut first, &mut second, &key).await)?;
        transaction_lock = unless_refused(try_transaction_lock(&mut first, &mut second, &key).await)?;
    }
    for connection in [first, second] {
        // The locks are released, and nothing was written.
        let _ = connection.close().await;
    }
    Ok(SessionReport { engine, keeps_session, session_lock, transaction_lock })
}

/// Whether the first connection keeps its session while the second one takes an idle session for a transaction.
async fn keep_sessions(first: &mut PgConnection, second: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let before = query(first, "SELECT pg_backend_pid()::text").await?;
    execute(second, "BEGIN").await?;
    let other = query(second, "SELECT pg_backend_pid()::text").await?;
    let after = query(first, "SELECT pg_backend_pid()::text").await?;
    execute(second, "ROLLBACK").await?;
    Ok(before == after && before != other)
}

async fn try_session_lock(
    first: &mut PgConnection,
    second: &mut PgConnection,
    key: &str,
) -> Result<LockReport, sqlx::Error> {
    let (lock, release) = (format!("SELECT pg_try_advisory_lock({key})::text"), "SELECT pg_advisory_unlock_all()");
    let report_first = query(first, &lock).await? == "true";
    let second_while_held = query(second, &lock).await? == "true";
    execute(first, release).await?;
    let second_after_release = query(second, &lock).await? == "true";
    execute(second, release).await?;
    Ok(LockReport { first: report_first, second_while_held, second_after_release })
}

async fn try_transaction_lock(
    first: &mut PgConnection,
    second: &mut PgConnection,
    key: &str,
) -> Result<LockReport, sqlx::Error> {
    let lock = format!("SELECT pg_try_advisory_xact_lock({key})::text");
    execute(first, "BEGIN").await?;
    let report_first = query(first, &lock).await? == "true";
    let second_while_held = query(second, &lock).await? == "true";
    execute(first, "COMMIT").await?;
    let second_after_release = query(second, &lock).await? == "true";
    Ok(LockReport { first: report_first, second_while_held, second_after_release })
}

/// None where the engine answers with an error, as one without the function does.
fn unless_refused(report: Result<LockReport, sqlx::Error>) -> Result<Option<LockReport>, sqlx::Error> {
    match report {
        Err(sqlx::Error::Database(_)) => Ok(None),
        report => report.map(Some),
    }
}

async fn execute(connection: &mut PgConnection, statement: &'static str) -> Result<(), sqlx::Error> {
    raw_sql(statement).execute(connection).await.map(drop)
}

/// The text in the only column of a query's only row.
async fn query(connection: &mut PgConnection, statement: &str) -> Result<String, sqlx::Error> {
    // The statements are constants, and a key that the server made.
    raw_sql(AssertSqlSafe(statement)).fetch_one(connection).await?.try_get(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_excludes_if_only_the_second_session_is_refused_and_only_while_it_is_held() {
        let excluding = LockReport { first: true, second_while_held: false, second_after_release: true };
        assert!(excluding.excludes());
        assert!(!LockReport { second_while_held: true, ..excluding }.excludes());
        assert!(!LockReport { first: false, ..excluding }.excludes());
        assert!(!LockReport { second_after_release: false, ..excluding }.excludes());
    }
}
