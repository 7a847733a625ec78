//! Writing a conversation on SQLite, in a transaction that is alone with the database.

use parlance_domain::{
    conversation::{Changes, Commit, Conversation, ConversationWrite},
    id::ConversationId,
};
use rusqlite::{Connection, Result, Transaction, params};

use super::{
    due::{DueWrite, changed, columns, metadata_text, optional_columns},
    statement::{CREATE, UPDATE},
};
use crate::receipts::keep_on_sqlite;

/// Lands a write, where what it presumes holds. Where it fails, the transaction is as it was.
pub(crate) fn write_to_sqlite(transaction: &mut Transaction<'_>, due: &DueWrite) -> Result<Commit> {
    let Some(receipt) = &due.receipt else { return write(transaction, due) };
    // What is not committed of it is undone.
    let savepoint = transaction.savepoint()?;
    if !keep_on_sqlite(&savepoint, &due.tenant, receipt)? {
        return Ok(Commit::Repeated);
    }
    let outcome = write(&savepoint, due)?;
    if outcome == Commit::Committed {
        savepoint.commit()?;
    }
    Ok(outcome)
}

fn write(connection: &Connection, due: &DueWrite) -> Result<Commit> {
    let written = match &due.write {
        ConversationWrite::Create(new) => create(connection, due, new)?,
        ConversationWrite::Update { id, changes } => update(connection, due, id, changes)?,
    };
    Ok(if written == 1 { Commit::Committed } else { Commit::Superseded })
}

fn create(connection: &Connection, due: &DueWrite, new: &Conversation) -> Result<usize> {
    let (agent, agent_name) = optional_columns(new.agent.as_ref());
    let (customer, customer_name) = columns(&new.customer);
    connection.prepare_cached(CREATE)?.execute(params![
        due.tenant.as_str(),
        new.id.as_str(),
        new.external_id.as_str(),
        agent,
        agent_name,
        customer,
        customer_name,
        new.metadata.as_ref().map(metadata_text),
        new.started_at.as_micros(),
        due.at.as_micros(),
    ])
}

fn update(connection: &Connection, due: &DueWrite, id: &ConversationId, changes: &Changes) -> Result<usize> {
    let (customer, customer_name) = columns(&changes.customer);
    let (sets_agent, agent) = changed(&changes.agent);
    let (agent, agent_name) = optional_columns(agent);
    let (sets_metadata, metadata) = changed(&changes.metadata);
    connection.prepare_cached(UPDATE)?.execute(params![
        customer,
        customer_name,
        sets_agent,
        agent,
        agent_name,
        sets_metadata,
        metadata.map(metadata_text),
        due.at.as_micros(),
        due.tenant.as_str(),
        id.as_str(),
    ])
}
