//! Inserts idempotency records, on each connection that writes.

use std::borrow::Borrow;

use parlance_domain::{access::TenantId, idempotency::IdempotencyRecord};
use sea_orm::{ConnectionTrait, DbErr, Statement, Value, sqlx};

use crate::data_plane::idempotency::rows::encode_digest;

/// Inserts a record, or replaces an expired one. On PostgreSQL the statement waits for any open transaction that has
/// stored a record with the same key.
const INSERT: &str = "INSERT INTO receipts (tenant_id, operation, key_digest, request_digest, ids, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (tenant_id, operation, key_digest) DO UPDATE SET
        request_digest = excluded.request_digest, ids = excluded.ids, created_at = excluded.created_at
    WHERE receipts.created_at <= $7";

/// Stores a record, and returns `false` if its key is taken.
pub(crate) async fn insert(
    transaction: &impl ConnectionTrait,
    tenant: &TenantId,
    record: &IdempotencyRecord,
) -> Result<bool, DbErr> {
    let values: [Value; 7] = [
        tenant.as_str().into(),
        record.operation.name().into(),
        record.key.0.to_vec().into(),
        encode_digest(&record.digest).into(),
        record.ids.join(" ").into(),
        record.at.as_micros().into(),
        IdempotencyRecord::expiry_cutoff(record.at).as_micros().into(),
    ];
    let statement = Statement::from_sql_and_values(transaction.get_database_backend(), INSERT, values);
    Ok(transaction.execute_raw(statement).await?.rows_affected() == 1)
}

/// As [`insert`], on the writer's connection to SQLite.
pub(crate) fn insert_on_sqlite(
    connection: &rusqlite::Connection,
    tenant: &TenantId,
    record: &IdempotencyRecord,
) -> rusqlite::Result<bool> {
    let changed = connection.prepare_cached(INSERT)?.execute(rusqlite::params![
        tenant.as_str(),
        record.operation.name(),
        record.key.0,
        encode_digest(&record.digest),
        record.ids.join(" "),
        record.at.as_micros(),
        IdempotencyRecord::expiry_cutoff(record.at).as_micros(),
    ])?;
    Ok(changed == 1)
}

/// As [`insert`], on the writer's connection to PostgreSQL.
async fn insert_on_postgres(
    connection: &mut sqlx::PgConnection,
    tenant: &TenantId,
    record: &IdempotencyRecord,
) -> Result<bool, sqlx::Error> {
    let insert = sqlx::query(INSERT)
        .bind(tenant.as_str())
        .bind(record.operation.name())
        .bind(&record.key.0[..])
        .bind(encode_digest(&record.digest))
        .bind(record.ids.join(" "))
        .bind(record.at.as_micros())
        .bind(IdempotencyRecord::expiry_cutoff(record.at).as_micros());
    Ok(insert.execute(connection).await?.rows_affected() == 1)
}

/// Stores records on the writer's connection to PostgreSQL, and returns `false` as soon as a key is taken. The records
/// are sorted, so that two writers cannot deadlock.
pub(crate) async fn insert_all_on_postgres(
    connection: &mut sqlx::PgConnection,
    mut records: Vec<(&TenantId, impl Borrow<IdempotencyRecord>)>,
) -> Result<bool, sqlx::Error> {
    records.sort_by_key(|(tenant, record)| (tenant.as_str(), record.borrow().operation, record.borrow().key));
    for (tenant, record) in records {
        if !insert_on_postgres(connection, tenant, record.borrow()).await? {
            return Ok(false);
        }
    }
    Ok(true)
}
