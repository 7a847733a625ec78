//! Leases in SQL. One statement acquires a lease, so replicas cannot race.

use async_trait::async_trait;
use parlance_domain::{
    error::StoreError,
    lease::{LeaseName, LeaseRequest, LeaseStore, LeaseTerm, ReplicaId},
    time::MICROS_PER_SECOND,
};
use sea_orm::{ConnectionTrait, DbBackend, Statement};

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

/// Any replica may acquire an expired lease, and then starts a new term, even if it is the previous holder. A lease that
/// expires later than [`LeaseRequest::max_remaining_seconds`] from now counts as expired. `{NOW}` stands for the time of
/// the statement, by the clock of the database: it is the same wherever the statement compares it.
const ACQUIRE: &str = "INSERT INTO leases (duty, replica_id, term, held_until) VALUES ($1, $2, 1, {NOW} + $3)
    ON CONFLICT (duty) DO UPDATE SET
        replica_id = excluded.replica_id,
        held_until = excluded.held_until,
        term = leases.term + CASE WHEN leases.held_until > {NOW} AND leases.held_until <= {NOW} + $4 THEN 0 ELSE 1 END
    WHERE leases.held_until <= {NOW} OR leases.held_until > {NOW} + $4 OR leases.replica_id = excluded.replica_id
    RETURNING term";

const NOW_POSTGRES: &str = "floor(date_part('epoch', statement_timestamp()) * 1000000)::bigint";

const NOW_SQLITE: &str = "CAST(unixepoch('subsec') * 1000000 AS INTEGER)";

/// The row is kept, so that the terms continue to count.
const RELEASE: &str = "UPDATE leases SET held_until = 0 WHERE duty = $1 AND replica_id = $2";

#[async_trait]
impl LeaseStore for SqlLeases {
    #[tracing::instrument(level = "debug", name = "sql.leases.acquire", skip_all)]
    async fn acquire(&self, request: &LeaseRequest) -> Result<Option<LeaseTerm>, StoreError> {
        let LeaseRequest { name: lease, replica, seconds } = request;
        let db = self.0.writer();
        let backend = db.get_database_backend();
        let sql = ACQUIRE.replace("{NOW}", if backend == DbBackend::Postgres { NOW_POSTGRES } else { NOW_SQLITE });
        let durations =
            [*seconds, request.max_remaining_seconds()].map(|seconds| seconds.saturating_mul(MICROS_PER_SECOND).into());
        let values = [lease.name().into(), replica.as_str().into()].into_iter().chain(durations);
        let acquire = async {
            let row = db.query_one_raw(Statement::from_sql_and_values(backend, &sql, values)).await?;
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
