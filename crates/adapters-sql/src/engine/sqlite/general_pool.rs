//! The sea-orm pool of SQLite: opens a file that another connection has locked, and closes broken connections.

use std::time::Duration;

use sea_orm::{
    ConnectOptions, DatabaseConnection,
    sqlx::{Connection, pool::PoolConnectionMetadata, sqlite::SqlitePoolOptions},
};
use tokio::time::{Instant, sleep};

use crate::{
    engine::sqlite::BUSY_TIMEOUT,
    error::{DbError, is_sqlite_busy},
};

/// The wait before a locked file is opened again.
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

/// Opens connections to a file. While another connection has locked the file, tries again for up to [`BUSY_TIMEOUT`].
///
/// The first connection to a new file turns its write-ahead log on. A second connection that does so at the same time
/// has read the file and must now write it. SQLite refuses that without a wait, since the first connection may be
/// waiting for the second (<https://sqlite.org/c3ref/busy_handler.html>).
///
/// # Errors
/// The error of the last attempt.
pub(crate) async fn connect(options: ConnectOptions) -> Result<DatabaseConnection, DbError> {
    let deadline = Instant::now() + BUSY_TIMEOUT;
    loop {
        match sea_orm::Database::connect(options.clone()).await {
            Err(error) if is_sqlite_busy(&error) && Instant::now() < deadline => sleep(RETRY_INTERVAL).await,
            outcome => return outcome.map_err(DbError::from),
        }
    }
}

/// Makes a pool close each connection whose transaction did not end.
///
/// When the disk fails a commit or a statement, SQLite rolls the transaction back by itself. The driver's rollback then
/// fails, and the driver still counts the transaction as open. The next transaction would be a savepoint within that
/// one: rolled back, the savepoint holds the lock forever; committed, nothing of it is stored.
pub(crate) fn close_unfinished(pool: SqlitePoolOptions) -> SqlitePoolOptions {
    pool.after_release(|connection, _: PoolConnectionMetadata| {
        Box::pin(async move {
            if connection.is_in_transaction() {
                // A rollback may be in progress: the connection answers the ping after it.
                connection.ping().await?;
            }
            Ok(!connection.is_in_transaction())
        })
    })
}
