//! Receipts of requests in SQL, each stored in the transaction of what its request created.

use std::borrow::Borrow;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    retry::{KeyDigest, Operation, Receipt, ReceiptStore, RequestDigest},
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value, sqlx};

use crate::{Database, error::corrupt};

const TABLE: &str = "receipts";

/// Gives back receipts from SQL.
#[derive(Clone, Debug)]
pub struct SqlReceipts(Database);

impl SqlReceipts {
    /// Gives back those in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// A receipt that is forgotten makes room for a new one. On PostgreSQL this waits for a transaction that has stored one
/// of the same key and is still open.
const KEEP: &str = "INSERT INTO receipts (tenant_id, operation, key_digest, request_digest, ids, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (tenant_id, operation, key_digest) DO UPDATE SET
        request_digest = excluded.request_digest, ids = excluded.ids, created_at = excluded.created_at
    WHERE receipts.created_at <= $7";

const FIND: &str = "SELECT request_digest, ids, created_at FROM receipts
    WHERE tenant_id = $1 AND operation = $2 AND key_digest = $3";

const FORGET: &str = "DELETE FROM receipts WHERE created_at <= $1";

/// Stores a receipt, and tells whether no other stands in its way.
pub(crate) async fn keep(
    transaction: &impl ConnectionTrait,
    tenant: &TenantId,
    receipt: &Receipt,
) -> Result<bool, DbErr> {
    let values: [Value; 7] = [
        tenant.as_str().into(),
        receipt.operation.name().into(),
        receipt.key.0.to_vec().into(),
        stored(&receipt.request).into(),
        receipt.ids.join(" ").into(),
        receipt.at.as_micros().into(),
        Receipt::forgotten_by(receipt.at).as_micros().into(),
    ];
    let statement = Statement::from_sql_and_values(transaction.get_database_backend(), KEEP, values);
    Ok(transaction.execute_raw(statement).await?.rows_affected() == 1)
}

/// Stores a receipt through a connection of the writer of SQLite.
pub(crate) fn keep_on_sqlite(
    connection: &rusqlite::Connection,
    tenant: &TenantId,
    receipt: &Receipt,
) -> rusqlite::Result<bool> {
    let changed = connection.prepare_cached(KEEP)?.execute(rusqlite::params![
        tenant.as_str(),
        receipt.operation.name(),
        receipt.key.0,
        stored(&receipt.request),
        receipt.ids.join(" "),
        receipt.at.as_micros(),
        Receipt::forgotten_by(receipt.at).as_micros(),
    ])?;
    Ok(changed == 1)
}

async fn keep_on_postgres(
    connection: &mut sqlx::PgConnection,
    tenant: &TenantId,
    receipt: &Receipt,
) -> Result<bool, sqlx::Error> {
    let keep = sqlx::query(KEEP)
        .bind(tenant.as_str())
        .bind(receipt.operation.name())
        .bind(&receipt.key.0[..])
        .bind(stored(&receipt.request))
        .bind(receipt.ids.join(" "))
        .bind(receipt.at.as_micros())
        .bind(Receipt::forgotten_by(receipt.at).as_micros());
    Ok(keep.execute(connection).await?.rows_affected() == 1)
}

/// Stores receipts through the connection of the writer of PostgreSQL, and tells whether no other stands in the way of
/// one. In one order everywhere, so that two writers cannot wait for each other.
pub(crate) async fn keep_all_on_postgres(
    connection: &mut sqlx::PgConnection,
    mut receipts: Vec<(&TenantId, impl Borrow<Receipt>)>,
) -> Result<bool, sqlx::Error> {
    receipts.sort_by_key(|(tenant, receipt)| (tenant.as_str(), receipt.borrow().operation, receipt.borrow().key));
    for (tenant, receipt) in receipts {
        if !keep_on_postgres(connection, tenant, receipt.borrow()).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The byte before a digest of version 2. One of version 1 stands alone.
const OF_MEANING: u8 = 2;

/// A digest with its version.
fn stored(digest: &RequestDigest) -> Vec<u8> {
    match digest {
        RequestDigest::OfBytes(bytes) => bytes.to_vec(),
        RequestDigest::OfMeaning(bytes) => [&[OF_MEANING], &bytes[..]].concat(),
    }
}

fn read(stored: &[u8]) -> Option<RequestDigest> {
    match (stored.try_into(), stored.split_first()) {
        (Ok(bytes), _) => Some(RequestDigest::OfBytes(bytes)),
        (Err(_), Some((&OF_MEANING, bytes))) => bytes.try_into().ok().map(RequestDigest::OfMeaning),
        (Err(_), _) => None,
    }
}

#[async_trait]
impl ReceiptStore for SqlReceipts {
    async fn find(
        &self,
        tenant: &TenantId,
        operation: Operation,
        key: &KeyDigest,
    ) -> Result<Option<Receipt>, StoreError> {
        let found = self.0.read(async |db| {
            let values: [Value; 3] = [tenant.as_str().into(), operation.name().into(), key.0.to_vec().into()];
            let statement = Statement::from_sql_and_values(db.get_database_backend(), FIND, values);
            db.query_one_raw(statement).await?.map(|row| columns(&row)).transpose()
        });
        found.await?.map(|row| restore(operation, *key, row)).transpose()
    }

    async fn forget(&self, up_to: Timestamp) -> Result<u64, StoreError> {
        let db = self.0.writer();
        let values: [Value; 1] = [up_to.as_micros().into()];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), FORGET, values);
        Ok(self.0.change(db.execute_raw(statement)).await?.rows_affected())
    }
}

/// The request's digest, what it created, and when.
pub(crate) type Row = (Vec<u8>, String, i64);

fn columns(row: &QueryResult) -> Result<Row, DbErr> {
    Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?))
}

pub(crate) fn restore(operation: Operation, key: KeyDigest, (request, ids, at): Row) -> Result<Receipt, StoreError> {
    let row = operation.name();
    let request =
        read(&request).ok_or_else(|| corrupt(TABLE, "request_digest", row, "is of no version that is known"))?;
    Ok(Receipt {
        operation,
        key,
        request,
        ids: ids.split(' ').map(str::to_owned).collect(),
        at: Timestamp::from_micros(at).map_err(|broken| corrupt(TABLE, "created_at", row, broken))?,
    })
}
