//! Leases in SQL. Each is taken by one statement, so that replicas cannot race.

use async_trait::async_trait;
use parlance_domain::{
    error::StoreError,
    lease::{Duty, LeaseRequest, LeaseStore, ReplicaId, Term},
};
use sea_orm::{ConnectionTrait, Statement};

use crate::Database;

/// Keeps leases in SQL.
#[derive(Clone, Debug)]
pub struct SqlLeases(Database);

impl SqlLeases {
    /// Keeps them in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// A lease that has run out may be taken by anybody, also by the replica that had it, which then begins a new term.
const TAKE: &str = "INSERT INTO leases (duty, replica_id, term, held_until) VALUES ($1, $2, 1, $3)
    ON CONFLICT (duty) DO UPDATE SET
        replica_id = excluded.replica_id,
        held_until = excluded.held_until,
        term = leases.term + CASE WHEN leases.held_until > $4 THEN 0 ELSE 1 END
    WHERE leases.held_until <= $4 OR leases.replica_id = excluded.replica_id
    RETURNING term";

/// The row stays, so that terms go on counting.
const GIVE_BACK: &str = "UPDATE leases SET held_until = 0 WHERE duty = $1 AND replica_id = $2";

#[async_trait]
impl LeaseStore for SqlLeases {
    async fn take(&self, request: &LeaseRequest) -> Result<Option<Term>, StoreError> {
        let LeaseRequest { duty, replica, now, until } = request;
        let db = self.0.writer();
        let values = [duty.name().into(), replica.as_str().into(), until.as_micros().into(), now.as_micros().into()];
        let taken = async {
            let row = db.query_one_raw(Statement::from_sql_and_values(db.get_database_backend(), TAKE, values)).await?;
            row.map(|row| row.try_get_by_index(0)).transpose()
        };
        Ok(self.0.call(taken).await?.map(Term))
    }

    async fn give_back(&self, duty: Duty, replica: &ReplicaId) -> Result<(), StoreError> {
        let db = self.0.writer();
        let values = [duty.name().into(), replica.as_str().into()];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), GIVE_BACK, values);
        self.0.call(db.execute_raw(statement)).await.map(|_| ())
    }
}
