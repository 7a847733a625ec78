//! Idempotency records in SQL. A record is stored in the transaction that creates the objects of its request.

mod insert;
mod rows;

use async_trait::async_trait;
#[cfg(test)]
pub(super) use insert::INSERT;
pub(crate) use insert::{insert, insert_batch_on_postgres, insert_on_sqlite};
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    idempotency::{IdempotencyRecord, IdempotencyStore, KeyDigest, Operation},
    time::Timestamp,
};
use rows::read_columns;
pub(crate) use rows::{RecordColumns, restore};
use sea_orm::{ConnectionTrait, Statement, Value};

use crate::Database;

/// Stores idempotency records in SQL.
#[derive(Clone, Debug)]
pub struct SqlIdempotency(Database);

impl SqlIdempotency {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

pub(super) const SELECT: &str = "SELECT request_digest, ids, created_at FROM receipts
    WHERE tenant_id = $1 AND operation = $2 AND key_digest = $3";

pub(super) const DELETE_EXPIRED: &str = "DELETE FROM receipts WHERE created_at <= $1";

#[async_trait]
impl IdempotencyStore for SqlIdempotency {
    #[tracing::instrument(level = "debug", name = "sql.idempotency.find", skip_all, fields(%tenant))]
    async fn find(
        &self,
        tenant: &TenantId,
        operation: Operation,
        key: &KeyDigest,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        let row = self.0.read(async |db| {
            let values: [Value; 3] = [tenant.as_str().into(), operation.name().into(), key.0.to_vec().into()];
            let statement = Statement::from_sql_and_values(db.get_database_backend(), SELECT, values);
            db.query_one_raw(statement).await?.map(|row| read_columns(&row)).transpose()
        });
        row.await?.map(|columns| restore(operation, *key, columns)).transpose()
    }

    #[tracing::instrument(level = "debug", name = "sql.idempotency.purge", skip_all)]
    async fn purge(&self, up_to: Timestamp) -> Result<u64, StoreError> {
        let db = self.0.writer();
        let values: [Value; 1] = [up_to.as_micros().into()];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), DELETE_EXPIRED, values);
        Ok(self.0.write(db.execute_raw(statement)).await?.rows_affected())
    }
}
