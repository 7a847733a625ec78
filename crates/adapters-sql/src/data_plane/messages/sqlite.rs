//! Appends messages on SQLite, in a transaction that excludes all other writers.

use parlance_domain::message::{AppendOutcome, MaskUpdate, Message};
use rusqlite::{Connection, Error, Result, Transaction, ffi, params};

use crate::data_plane::{
    idempotency::insert_on_sqlite,
    messages::{
        append_row::AppendRow,
        precondition::SeenMessage,
        rows::{role_to_number, set_to_hex},
        statement::{CONVERSATION_EXISTS, INSERT, NEWEST_TEXTS, UPDATE_TEXT, sql_limit},
    },
};

/// Appends messages if their precondition holds. An error leaves the transaction unchanged.
pub(crate) fn append_on_sqlite(transaction: &mut Transaction<'_>, row: &AppendRow) -> Result<AppendOutcome> {
    if let (true, [message]) = (row.is_unconditional(), &*row.messages) {
        return insert(transaction, row, message);
    }
    if !transaction.prepare_cached(CONVERSATION_EXISTS)?.exists(row.conversation_key())? {
        return Ok(AppendOutcome::NoConversation);
    }
    if let Some(precondition) = &row.precondition
        && !precondition.is_met_by(&newest(transaction, row.conversation_key(), precondition.tail_limit())?)
    {
        return Ok(AppendOutcome::PreconditionFailed);
    }
    // Rolled back unless committed.
    let savepoint = transaction.savepoint()?;
    if let Some(record) = &row.idempotency_record
        && !insert_on_sqlite(&savepoint, &row.tenant, record)?
    {
        return Ok(AppendOutcome::KeyTaken);
    }
    for mask_update in row.precondition.iter().flat_map(|precondition| &precondition.mask_updates) {
        update_text(&savepoint, row.conversation_key(), mask_update)?;
    }
    let outcome = insert_all_on_sqlite(&savepoint, row)?;
    if outcome == AppendOutcome::Appended {
        savepoint.commit()?;
    }
    Ok(outcome)
}

/// Inserts all messages, until one is not appended.
pub(crate) fn insert_all_on_sqlite(connection: &Connection, row: &AppendRow) -> Result<AppendOutcome> {
    for message in &row.messages {
        let outcome = insert(connection, row, message)?;
        if outcome != AppendOutcome::Appended {
            return Ok(outcome);
        }
    }
    Ok(AppendOutcome::Appended)
}

fn insert(connection: &Connection, row: &AppendRow, message: &Message) -> Result<AppendOutcome> {
    let inserted = connection.prepare_cached(INSERT)?.execute(params![
        row.tenant.as_str(),
        row.conversation.as_str(),
        message.sent_at.as_micros(),
        message.id.as_str(),
        role_to_number(message.sender.role),
        message.sender.external_id.as_str(),
        message.text.as_str(),
        message.created_at.as_micros(),
        set_to_hex(message.masked_with),
        message.redactions.stored(),
    ]);
    match inserted {
        Ok(_) => Ok(AppendOutcome::Appended),
        Err(error) if is_foreign_key_violation(&error) => Ok(AppendOutcome::NoConversation),
        Err(error) => Err(error),
    }
}

fn newest(connection: &Connection, (tenant, conversation): (&str, &str), limit: usize) -> Result<Vec<SeenMessage>> {
    let mut statement = connection.prepare_cached(NEWEST_TEXTS)?;
    let messages = statement.query_map(params![tenant, conversation, sql_limit(limit)], |row| {
        Ok(SeenMessage { sent_at: row.get(0)?, id: row.get(1)?, text: row.get(2)? })
    })?;
    messages.collect()
}

fn update_text(connection: &Connection, (tenant, conversation): (&str, &str), mask_update: &MaskUpdate) -> Result<()> {
    let MaskUpdate { position, expected, masked, redactions } = mask_update;
    let (sent_at, id) = (position.sent_at.as_micros(), position.id.as_str());
    let values = params![masked.as_str(), redactions.stored(), tenant, conversation, sent_at, id, expected.as_str()];
    match connection.prepare_cached(UPDATE_TEXT)?.execute(values)? {
        1 => Ok(()),
        other => Err(Error::StatementChangedRows(other)),
    }
}

fn is_foreign_key_violation(error: &Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_CONSTRAINT_FOREIGNKEY)
}
