//! The key of the digests of identifiers, encrypted under the master key.

use parlance_domain::error::StoreError;

use crate::{
    Database,
    control_plane::statements::{execute, statement},
    error::corrupt,
};
use sea_orm::ConnectionTrait;

/// Stores the encrypted key. There is none until the master key is rotated.
#[derive(Clone, Debug)]
pub struct SqlDigestKey(Database);

impl SqlDigestKey {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

const FIND: &str = "SELECT sealed_key FROM digest_keys WHERE purpose = 'identifiers'";

const REPLACE: &str = "INSERT INTO digest_keys (purpose, sealed_key) VALUES ('identifiers', $1)
    ON CONFLICT (purpose) DO UPDATE SET sealed_key = excluded.sealed_key";

const REMOVE: &str = "DELETE FROM digest_keys WHERE purpose = 'identifiers'";

impl SqlDigestKey {
    /// The encrypted key; `None` if the key is derived from the master key.
    ///
    /// # Errors
    /// If the database fails.
    #[tracing::instrument(level = "debug", name = "sql.digest_key.find", skip_all)]
    pub async fn find(&self) -> Result<Option<Vec<u8>>, StoreError> {
        let row = self.0.read(async |db| db.query_one_raw(statement(db, FIND, [])).await).await?;
        let key = row.map(|row| row.try_get_by_index(0)).transpose();
        key.map_err(|error| corrupt("digest_keys", "sealed_key", "identifiers", error))
    }

    /// Replaces the encrypted key. Removes it if there is none any more.
    ///
    /// # Errors
    /// If the database fails.
    #[tracing::instrument(level = "debug", name = "sql.digest_key.replace", skip_all)]
    pub async fn replace(&self, sealed: Option<Vec<u8>>) -> Result<(), StoreError> {
        let (sql, values) = sealed.map_or((REMOVE, vec![]), |sealed| (REPLACE, vec![sealed.into()]));
        self.0.write(execute(self.0.writer(), sql, values)).await.map(|_| ())
    }
}
