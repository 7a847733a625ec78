//! Adding messages on SQLite, in a transaction that is alone with the database.

use parlance_domain::{
    conversation::{Append, Message, Remask},
    redaction::MAX_CONTEXT,
};
use rusqlite::{Connection, Error, Result, Transaction, ffi, params};

use super::{
    most,
    new::{NewMessages, Place},
    statement::{CONVERSATION, INSERT, MASK, NEWEST_TEXTS},
    stored::{stored_role, stored_set},
};
use crate::receipts::keep_on_sqlite;

/// Adds messages, where what they presume holds. Where it fails, the transaction is as it was.
pub(crate) fn add_to_sqlite(transaction: &mut Transaction<'_>, new: &NewMessages) -> Result<Append> {
    if let (true, [message]) = (new.is_plain(), &*new.messages) {
        return insert(transaction, new, message);
    }
    if !transaction.prepare_cached(CONVERSATION)?.exists(new.key())? {
        return Ok(Append::NoConversation);
    }
    if let Some(context) = &new.context
        && !context.holds(&newest(transaction, new.key())?)
    {
        return Ok(Append::Superseded);
    }
    // What is not committed of it is undone.
    let savepoint = transaction.savepoint()?;
    if let Some(receipt) = &new.receipt
        && !keep_on_sqlite(&savepoint, &new.tenant, receipt)?
    {
        return Ok(Append::Repeated);
    }
    for one in new.context.iter().flat_map(|context| &context.masks) {
        mask(&savepoint, new.key(), one)?;
    }
    for message in &new.messages {
        let outcome = insert(&savepoint, new, message)?;
        if outcome != Append::Appended {
            return Ok(outcome);
        }
    }
    savepoint.commit()?;
    Ok(Append::Appended)
}

fn insert(connection: &Connection, new: &NewMessages, message: &Message) -> Result<Append> {
    let inserted = connection.prepare_cached(INSERT)?.execute(params![
        new.tenant.as_str(),
        new.conversation.as_str(),
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
