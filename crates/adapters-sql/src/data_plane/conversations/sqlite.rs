//! Writes conversations on SQLite, in a transaction that excludes all other writers.

use parlance_domain::import::CreateOutcome;
use rusqlite::{Connection, OptionalExtension, Result, Transaction, params};

use crate::data_plane::{
    conversations::{
        statement::{BY_EXTERNAL_ID, FENCE, IS_DIGEST_ERASED, IS_FENCED, UPSERT},
        upsert_row::{UpsertRow, UpsertRowOutcome},
    },
    idempotency::insert_on_sqlite,
};

/// Creates or changes a conversation. An error leaves the transaction unchanged.
pub(crate) fn upsert_on_sqlite(transaction: &mut Transaction<'_>, row: &UpsertRow) -> Result<UpsertRowOutcome> {
    if is_erased(transaction, row)? {
        return Ok(UpsertRowOutcome::Erased);
    }
    if row.claim.is_none() {
        return upsert(transaction, row).map(UpsertRowOutcome::Stored);
    }
    // Rolled back unless committed.
    let savepoint = transaction.savepoint()?;
    let id = upsert(&savepoint, row)?;
    if let Some(record) = row.idempotency_record(&id)
        && !insert_on_sqlite(&savepoint, &row.tenant, &record)?
    {
        return Ok(UpsertRowOutcome::KeyTaken);
    }
    savepoint.commit()?;
    Ok(UpsertRowOutcome::Stored(id))
}

/// Creates a conversation. If one with its external identifier exists, nothing is written. An error leaves the transaction
/// unchanged.
pub(crate) fn create_on_sqlite(connection: &Connection, row: &UpsertRow) -> Result<CreateOutcome> {
    if is_erased(connection, row)? {
        return Ok(CreateOutcome::Erased);
    }
    if connection.prepare_cached(BY_EXTERNAL_ID)?.exists(row.conversation_key())? {
        return Ok(CreateOutcome::Exists);
    }
    upsert(connection, row)?;
    Ok(CreateOutcome::Created)
}

/// Whether the conversation was erased, or its customer is being erased.
fn is_erased(connection: &Connection, row: &UpsertRow) -> Result<bool> {
    if let Some(digest) = &row.upsert.digest
        && connection.prepare_cached(IS_DIGEST_ERASED)?.exists((row.tenant.as_str(), digest.0))?
    {
        return Ok(true);
    }
    is_fenced(connection, row)
}

/// Whether the tenant, the customer of the upsert, or that of the stored conversation is erased or being erased.
fn is_fenced(connection: &Connection, row: &UpsertRow) -> Result<bool> {
    let (tenant, external_id) = row.conversation_key();
    let fence = connection.prepare_cached(FENCE)?.query_row([tenant], |row| row.get(0)).optional()?;
    let Some(is_tenant_erased) = fence else { return Ok(false) };
    if is_tenant_erased {
        return Ok(true);
    }
    let customer = row.customer().external_id;
    connection.prepare_cached(IS_FENCED)?.exists(params![tenant, customer, external_id])
}

fn upsert(connection: &Connection, row: &UpsertRow) -> Result<String> {
    let (tenant, external_id) = row.conversation_key();
    let (agent, customer, changes) = (row.agent(), row.customer(), row.update_mask());
    let values = params![
        tenant,
        row.upsert.new_id.as_str(),
        external_id,
        agent.external_id,
        agent.name,
        customer.external_id,
        customer.name,
        row.metadata(),
        row.upsert.started_at.as_micros(),
        row.written_at.as_micros(),
        changes.agent,
        changes.metadata,
    ];
    connection.prepare_cached(UPSERT)?.query_row(values, |returned| returned.get(0))
}
