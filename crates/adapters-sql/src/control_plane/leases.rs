//! Leases in SQL. One statement acquires a lease, so replicas cannot race.

use async_trait::async_trait;
use parlance_domain::{
    error::StoreError,
    lease::{LeaseName, LeaseRequest, LeaseStore, LeaseTerm, ReplicaId},
};
use sea_orm::{ConnectionTrait, Statement};

use crate::Database;

/// Stores leases in SQL.
#[derive(Clone, Debug)]
pub struct SqlLeases(Database);

impl SqlLeases {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// Any replica may acquire an expired lease, and then starts a new term, even if it is the previous holder. A lease
/// whose expiry is later than [`LeaseRequest::max_expiry`] counts as expired.
const ACQUIRE: &str = "INSERT INTO leases (duty, replica_id, term, held_until) VALUES ($1, $2, 1, $3)
    ON CONFLICT (duty) DO UPDATE SET
        replica_id = excluded.replica_id,
        held_until = excluded.held_until,
        term = leases.term + CASE WHEN leases.held_until > $4 AND leases.held_until <= $5 THEN 0 ELSE 1 END
    WHERE leases.held_until <= $4 OR leases.held_until > $5 OR leases.replica_id = excluded.replica_id
    RETURNING term";

/// The row is kept, so that the terms continue to count.
const RELEASE: &str = "UPDATE leases SET held_until = 0 WHERE duty = $1 AND replica_id = $2";

#[async_trait]
impl LeaseStore for SqlLeases {
    #[tracing::instrument(level = "debug", name = "sql.leases.acquire", skip_all)]
    async fn acquire(&self, request: &LeaseRequest) -> Result<Option<LeaseTerm>, StoreError> {
        let LeaseRequest { name: lease, replica, now, until } = request;
        let db = self.0.writer();
        let times = [*until, *now, request.max_expiry()].map(|time| time.as_micros().into());
        let values = [lease.name().into(), replica.as_str().into()].into_iter().chain(times);
        let acquire = async {
            let row =
                db.query_one_raw(Statement::from_sql_and_values(db.get_database_backend(), ACQUIRE, values)).await?;
            row.map(|row| row.try_get_by_index(0)).transpose()
        };
        Ok(self.0.write(acquire).await?.map(LeaseTerm))
    }

    #[tracing::instrument(level = "debug", name = "sql.leases.release", skip_all)]
    async fn release(&self, lease: LeaseName, replica: &ReplicaId) -> Result<(), StoreError> {
        let db = self.0.writer();
        let values = [lease.name().into(), replica.as_str().into()];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), RELEASE, values);
        self.0.write(db.execute_raw(statement)).await.map(|_| ())
    }
}
