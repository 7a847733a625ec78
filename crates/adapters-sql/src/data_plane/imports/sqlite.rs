//! Creates conversations with their messages on SQLite, in a transaction that excludes all other writers.

use parlance_domain::{import::CreateOutcome, message::AppendOutcome};
use rusqlite::{Error, Result, Transaction};

use crate::data_plane::{
    conversations::create_on_sqlite, imports::creation_row::CreationRow, messages::insert_all_on_sqlite,
};

/// Creates a conversation with its messages. If one with its external identifier exists, nothing is written. An error leaves
/// the transaction unchanged.
pub(crate) fn create_with_messages_on_sqlite(
    transaction: &mut Transaction<'_>,
    row: &CreationRow,
) -> Result<CreateOutcome> {
    // Rolled back unless committed.
    let savepoint = transaction.savepoint()?;
    let outcome = create_on_sqlite(&savepoint, &row.conversation)?;
    if outcome == CreateOutcome::Created {
        if insert_all_on_sqlite(&savepoint, &row.messages)? != AppendOutcome::Appended {
            return Err(Error::QueryReturnedNoRows);
        }
        savepoint.commit()?;
    }
    Ok(outcome)
}
