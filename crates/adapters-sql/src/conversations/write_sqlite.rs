//! Writing a conversation on SQLite, in a transaction that is alone with the database.

use rusqlite::{Connection, Result, Transaction, params};

use super::{due::DueUpsert, statement::UPSERT};
use crate::receipts::keep_on_sqlite;

/// Creates or changes a conversation, and gives its id; nothing where its key was used. Where it fails, the transaction is
/// as it was.
pub(crate) fn upsert_on_sqlite(transaction: &mut Transaction<'_>, due: &DueUpsert) -> Result<Option<String>> {
    if due.claim.is_none() {
        return upsert(transaction, due).map(Some);
    }
    // What is not committed of it is undone.
    let savepoint = transaction.savepoint()?;
    let id = upsert(&savepoint, due)?;
    if let Some(receipt) = due.receipt(&id)
        && !keep_on_sqlite(&savepoint, &due.tenant, &receipt)?
    {
        return Ok(None);
    }
    savepoint.commit()?;
    Ok(Some(id))
}

fn upsert(connection: &Connection, due: &DueUpsert) -> Result<String> {
    let (tenant, external_id) = due.key();
    let (agent, agent_name) = due.agent();
    let (customer, customer_name) = due.customer();
    let (changes_agent, changes_metadata) = due.parts();
    let values = params![
        tenant,
        due.upsert.fresh_id.as_str(),
        external_id,
        agent,
        agent_name,
        customer,
        customer_name,
        due.metadata(),
        due.upsert.started_at.as_micros(),
        due.at.as_micros(),
        changes_agent,
        changes_metadata,
    ];
    connection.prepare_cached(UPSERT)?.query_row(values, |row| row.get(0))
}
