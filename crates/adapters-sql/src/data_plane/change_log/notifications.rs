//! Hints between replicas on PostgreSQL that the change log has new entries. A lost hint only delays readers.

use parlance_domain::error::StoreError;
use sea_orm::{ConnectionTrait, DbBackend, Statement, sqlx::postgres::PgListener};

use crate::{Database, error::DbError};

/// The channel of the hints. They have no content.
const CHANNEL: &str = "parlance_changes";

/// The transaction does not wait for the disk, because it writes nothing that must last.
const NOTIFY: &str = "SELECT set_config('synchronous_commit', 'off', true); NOTIFY parlance_changes";

/// The sessions whose last statement listens to the channel. A session that listens runs no other statement.
const COUNT_LISTENERS: &str = "SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND query = 'LISTEN \"parlance_changes\"'";

/// Sends hints to the other replicas on a PostgreSQL database, and receives theirs. On SQLite there are no others.
#[derive(Clone, Debug)]
pub struct ChangeNotifications(Database);

impl ChangeNotifications {
    /// The hints of this database; `None` on SQLite.
    #[must_use]
    pub fn new(database: Database) -> Option<Self> {
        (database.writer().get_database_backend() == DbBackend::Postgres).then_some(Self(database))
    }

    /// Tells the other replicas. The statement is a transaction of its own, because PostgreSQL lets transactions that
    /// notify commit only one after the other.
    ///
    /// # Errors
    /// [`StoreError`]. The other replicas then find the changes when they next read the log.
    pub async fn send(&self) -> Result<(), StoreError> {
        self.0.write(self.0.writer().execute_unprepared(NOTIFY)).await.map(drop)
    }

    /// Whether another replica listens, as far as the role may see the sessions of the database.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn has_other_listeners(&self) -> Result<bool, StoreError> {
        let count = self.0.read(async |db| {
            let select = Statement::from_string(DbBackend::Postgres, COUNT_LISTENERS);
            let row = db.query_one_raw(select).await?;
            row.map(|row| row.try_get_by_index::<i64>(0)).transpose()
        });
        // This process listens too.
        Ok(count.await?.is_some_and(|count| count > 1))
    }

    /// Calls `on_hint` for each hint, also for those of this process, until the connection is lost. Holds a connection of
    /// the general pool meanwhile.
    ///
    /// # Errors
    /// [`StoreError`] when the connection is lost, or none can be opened.
    pub async fn listen(&self, on_hint: impl Fn()) -> Result<(), StoreError> {
        let pool = self.0.reader().get_postgres_connection_pool();
        let mut listener = PgListener::connect_with(pool).await.map_err(DbError::from)?;
        listener.ignore_pool_close_event(true);
        listener.listen(CHANNEL).await.map_err(DbError::from)?;
        // Changes may have come before.
        on_hint();
        while listener.try_recv().await.map_err(DbError::from)?.is_some() {
            on_hint();
        }
        Err(DbError::unavailable("the connection that receives hints of changes is lost").into())
    }
}
