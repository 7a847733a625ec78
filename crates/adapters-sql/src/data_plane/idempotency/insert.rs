//! Inserts idempotency records within the transactions that create the objects of their requests.
//!
//! Each driver has one function. All of them execute the same statement with the same parameters.

use std::borrow::Borrow;

use parlance_domain::{access::TenantId, idempotency::IdempotencyRecord};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbErr, Statement, Value,
    sqlx::{self, PgConnection, PgTransaction},
};

use crate::{data_plane::idempotency::rows::encode_digest, engine::postgres::batch::BatchError};

/// Inserts a record into `receipts`, the table of idempotency records, or replaces an expired one. On PostgreSQL the
/// statement waits for any open transaction that has stored a record with the same key.
pub(crate) const INSERT: &str =
    "INSERT INTO receipts (tenant_id, operation, key_digest, request_digest, ids, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (tenant_id, operation, key_digest) DO UPDATE SET
        request_digest = excluded.request_digest, ids = excluded.ids, created_at = excluded.created_at
    WHERE receipts.created_at <= $7";

/// The parameters of [`INSERT`], in their order.
type InsertParams<'record> = (&'record str, &'static str, &'record [u8], Vec<u8>, String, i64, i64);

fn insert_params<'record>(tenant: &'record TenantId, record: &'record IdempotencyRecord) -> InsertParams<'record> {
    let IdempotencyRecord { operation, key, digest: request_digest, ids: object_ids, at: created_at } = record;
    let cutoff = IdempotencyRecord::expiry_cutoff(*created_at);
    let (request_digest, object_ids) = (encode_digest(request_digest), object_ids.join(" "));
    (tenant.as_str(), operation.name(), &key.0, request_digest, object_ids, created_at.as_micros(), cutoff.as_micros())
}

/// Stores a record in a transaction of the control plane, and returns `false` if its key is taken.
pub(crate) async fn insert(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    record: &IdempotencyRecord,
) -> Result<bool, DbErr> {
    let (tenant, operation, key, request_digest, object_ids, created_at, cutoff) = insert_params(tenant, record);
    let params: [Value; 7] = [
        tenant.into(),
        operation.into(),
        key.into(),
        request_digest.into(),
        object_ids.into(),
        created_at.into(),
        cutoff.into(),
    ];
    let statement = Statement::from_sql_and_values(transaction.get_database_backend(), INSERT, params);
    Ok(transaction.execute_raw(statement).await?.rows_affected() == 1)
}

/// As [`insert`], on the writer's connection to SQLite.
pub(crate) fn insert_on_sqlite(
    connection: &rusqlite::Connection,
    tenant: &TenantId,
    record: &IdempotencyRecord,
) -> rusqlite::Result<bool> {
    Ok(connection.prepare_cached(INSERT)?.execute(insert_params(tenant, record))? == 1)
}

/// As [`insert`], on the writer's connection to PostgreSQL.
async fn insert_on_postgres(
    connection: &mut PgConnection,
    tenant: &TenantId,
    record: &IdempotencyRecord,
) -> Result<bool, sqlx::Error> {
    let (tenant, operation, key, request_digest, object_ids, created_at, cutoff) = insert_params(tenant, record);
    let insert = sqlx::query(INSERT)
        .bind(tenant)
        .bind(operation)
        .bind(key)
        .bind(request_digest)
        .bind(object_ids)
        .bind(created_at)
        .bind(cutoff);
    Ok(insert.execute(connection).await?.rows_affected() == 1)
}

/// Inserts the records of a batch of `batch_len` writes, and returns the batch's transaction. If a key is taken, rolls
/// back and returns `None` for one write. The records are sorted, so two writers lock keys in the same order and cannot
/// deadlock.
///
/// # Errors
/// [`BatchError::Split`] if a key is taken and the batch has several writes, because the others must be tried without
/// the write of that key.
pub(crate) async fn insert_batch_on_postgres<'connection>(
    mut transaction: PgTransaction<'connection>,
    batch_len: usize,
    mut records: Vec<(&TenantId, impl Borrow<IdempotencyRecord>)>,
) -> Result<Option<PgTransaction<'connection>>, BatchError> {
    records.sort_by_key(|(tenant, record)| (tenant.as_str(), record.borrow().operation, record.borrow().key));
    for (tenant, record) in records {
        if !insert_on_postgres(&mut transaction, tenant, record.borrow()).await? {
            transaction.rollback().await?;
            return if batch_len == 1 { Ok(None) } else { Err(BatchError::Split) };
        }
    }
    Ok(Some(transaction))
}
