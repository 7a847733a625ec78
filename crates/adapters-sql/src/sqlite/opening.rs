//! Opening a file of SQLite that others open at the same instant.

use std::time::Duration;

use sea_orm::{
    ConnectOptions, DatabaseConnection,
    sqlx::{Connection, pool::PoolConnectionMetadata, sqlite::SqlitePoolOptions},
};
use tokio::time::{Instant, sleep};

use super::BUSY_TIMEOUT;
use crate::error::{Failure, is_locked};

/// How long after it was refused a file is opened again.
const AGAIN: Duration = Duration::from_millis(10);

/// Opens connections to a file, again and again for [`BUSY_TIMEOUT`] where another connection has it locked.
///
/// The first to open a new file turns its write-ahead log on. Whoever comes to that at the same moment has read the file
/// and would now write it, and SQLite refuses such a one without a wait, since the other may be waiting for it
/// (<https://sqlite.org/c3ref/busy_handler.html>).
///
/// # Errors
/// What the last of the tries was refused for.
pub(crate) async fn connect(options: ConnectOptions) -> Result<DatabaseConnection, Failure> {
    let last = Instant::now() + BUSY_TIMEOUT;
    loop {
        match sea_orm::Database::connect(options.clone()).await {
            Err(error) if is_locked(&error) && Instant::now() < last => sleep(AGAIN).await,
            outcome => return outcome.map_err(Failure::from),
        }
    }
}

/// Has a pool close each connection whose transaction did not end in order.
///
/// When the disk fails a commit or a statement, SQLite rolls the transaction back by itself, and the driver, whose rollback
/// then fails, goes on counting one that is open. The next transaction would be a savepoint in it, which holds the lock for
/// ever when it is rolled back, and of which nothing is kept when it is committed after that.
pub(crate) fn close_unfinished(pool: SqlitePoolOptions) -> SqlitePoolOptions {
    pool.after_release(|connection, _: PoolConnectionMetadata| {
        Box::pin(async move {
            if connection.is_in_transaction() {
                // A rollback may be under way: the answer to this comes after it.
                connection.ping().await?;
            }
            Ok(!connection.is_in_transaction())
        })
    })
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;
    use tempfile::TempDir;
    use tokio::{task::JoinHandle, time::timeout};

    use super::Duration;
    use crate::{Database, OpenError};

    /// Longer than a new file takes to be opened, or to be refused.
    const MEANWHILE: Duration = Duration::from_millis(200);

    /// A new file without a write-ahead log, which another connection is about to write.
    struct Begun {
        folder: TempDir,
        other: Connection,
    }

    impl Begun {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let other = Connection::open(folder.path().join("begun.db")).unwrap();
            other.execute_batch("BEGIN IMMEDIATE").unwrap();
            Self { folder, other }
        }

        fn open(&self) -> JoinHandle<Result<Database, OpenError>> {
            let url = format!("sqlite://{}", self.folder.path().join("begun.db").display());
            tokio::spawn(async move { Database::open(&url).await })
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_file_that_another_has_locked_is_open_once_that_lets_go() {
        let begun = Begun::new();
        let mut opening = begun.open();
        timeout(MEANWHILE, &mut opening).await.expect_err("it should still be tried");
        begun.other.execute_batch("COMMIT").unwrap();
        assert!(opening.await.unwrap().is_ok());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_file_that_stays_locked_is_refused_in_the_end() {
        let begun = Begun::new();
        let refused = begun.open().await.unwrap().unwrap_err();
        assert!(refused.to_string().contains("database is locked"), "{refused}");
    }
}
