//! Adding a message on SQLite, in a transaction that is alone with the database.

use parlance_domain::{
    conversation::{Append, Remask},
    redaction::MAX_CONTEXT,
};
use rusqlite::{Connection, Error, Result, Transaction, ffi, params};

use super::{
    most,
    new::{NewMessage, Place},
    statement::{CONVERSATION, INSERT, MASK, NEWEST_TEXTS},
    stored::{stored_role, stored_set},
};

/// Adds a message, where what it presumes holds. Where it fails, the transaction is as it was.
pub(crate) fn add_to_sqlite(transaction: &mut Transaction<'_>, new: &NewMessage) -> Result<Append> {
    let Some(context) = &new.context else { return insert(transaction, new) };
    if !transaction.prepare_cached(CONVERSATION)?.exists(new.key())? {
        return Ok(Append::NoConversation);
    }
    if !context.holds(&newest(transaction, new.key())?) {
        return Ok(Append::Superseded);
    }
    let savepoint = transaction.savepoint()?;
    for one in &context.masks {
        mask(&savepoint, new.key(), one)?;
    }
    let outcome = insert(&savepoint, new)?;
    savepoint.commit()?;
    Ok(outcome)
}

fn insert(connection: &Connection, NewMessage { tenant, message, .. }: &NewMessage) -> Result<Append> {
    let inserted = connection.prepare_cached(INSERT)?.execute(params![
        tenant.as_str(),
        message.conversation.as_str(),
        message.sent_at.as_micros(),
        message.id.as_str(),
        stored_role(message.sender.role),
        message.sender.external_id.as_str(),
        message.text.as_str(),
        message.created_at.as_micros(),
        stored_set(message.masked_with),
    ]);
    match inserted {
        Ok(_) => Ok(Append::Appended),
        Err(error) if names_no_conversation(&error) => Ok(Append::NoConversation),
        Err(error) => Err(error),
    }
}

fn newest(connection: &Connection, (tenant, conversation): (&str, &str)) -> Result<Vec<Place>> {
    let mut statement = connection.prepare_cached(NEWEST_TEXTS)?;
    let places = statement.query_map(params![tenant, conversation, most(MAX_CONTEXT)], |row| {
        Ok(Place { sent_at: row.get(0)?, id: row.get(1)?, text: row.get(2)? })
    })?;
    places.collect()
}

fn mask(connection: &Connection, (tenant, conversation): (&str, &str), mask: &Remask) -> Result<()> {
    let Remask { position, was, becomes } = mask;
    let (sent_at, id) = (position.sent_at.as_micros(), position.id.as_str());
    let values = params![becomes.as_str(), tenant, conversation, sent_at, id, was.as_str()];
    match connection.prepare_cached(MASK)?.execute(values)? {
        1 => Ok(()),
        other => Err(Error::StatementChangedRows(other)),
    }
}

fn names_no_conversation(error: &Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_CONSTRAINT_FOREIGNKEY)
}
