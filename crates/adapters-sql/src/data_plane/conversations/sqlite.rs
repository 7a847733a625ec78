//! Writes conversations on SQLite, in a transaction that excludes all other writers.

use rusqlite::{Connection, Result, Transaction, params};

use crate::data_plane::{
    conversations::{statement::UPSERT, upsert_row::UpsertRow},
    idempotency::insert_on_sqlite,
};

/// Creates or changes a conversation, and returns its id, or `None` if its idempotency key is taken. An error leaves
/// the transaction unchanged.
pub(crate) fn upsert_on_sqlite(transaction: &mut Transaction<'_>, row: &UpsertRow) -> Result<Option<String>> {
    if row.claim.is_none() {
        return upsert(transaction, row).map(Some);
    }
    // Rolled back unless committed.
    let savepoint = transaction.savepoint()?;
    let id = upsert(&savepoint, row)?;
    if let Some(record) = row.idempotency_record(&id)
        && !insert_on_sqlite(&savepoint, &row.tenant, &record)?
    {
        return Ok(None);
    }
    savepoint.commit()?;
    Ok(Some(id))
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
