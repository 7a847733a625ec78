//! Writes conversations on SQLite, in a transaction that excludes all other writers.

use rusqlite::{Connection, Result, Transaction, params};

use crate::data_plane::{
    conversations::{
        statement::{HAS_FENCE, IS_DIGEST_ERASED, IS_FENCED, UPSERT},
        upsert_row::{UpsertRow, UpsertRowOutcome},
    },
    idempotency::insert_on_sqlite,
};

/// Creates or changes a conversation. An error leaves the transaction unchanged.
pub(crate) fn upsert_on_sqlite(transaction: &mut Transaction<'_>, row: &UpsertRow) -> Result<UpsertRowOutcome> {
    if let Some(digest) = &row.upsert.digest
        && transaction.prepare_cached(IS_DIGEST_ERASED)?.exists((row.tenant.as_str(), digest.0))?
    {
        return Ok(UpsertRowOutcome::Erased);
    }
    if is_fenced(transaction, row)? {
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

/// Whether the customer of the upsert, or of the stored conversation, is being erased.
fn is_fenced(transaction: &Transaction<'_>, row: &UpsertRow) -> Result<bool> {
    let (tenant, external_id) = row.conversation_key();
    if !transaction.prepare_cached(HAS_FENCE)?.exists([tenant])? {
        return Ok(false);
    }
    let customer = row.customer().external_id;
    transaction.prepare_cached(IS_FENCED)?.exists(params![tenant, customer, external_id])
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
