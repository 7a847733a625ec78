//! Decodes rows into feed records. Every value is validated again.

use parlance_domain::{
    error::StoreError,
    feed::{ConversationRecord, Feed, FeedRecord, RecordBatch, VocabularyChange},
    time::Timestamp,
};

use crate::{
    control_plane::{redaction_audit::SwitchColumns, vocabularies::EntryColumns, vocabulary_changes},
    data_plane::{conversations, messages},
    error::{ReadError, corrupt},
    row::Row,
};

/// Decodes a row, which has the columns of the feed's statement, and adds the record to the batch.
pub(crate) fn restore_into(feed: Feed, row: &dyn Row, batch: &mut RecordBatch) -> Result<(), ReadError> {
    let record = match feed {
        Feed::Messages => return message(row, batch),
        Feed::Conversations => conversation(row)?,
        Feed::VocabularyChanges => vocabulary_change(row)?,
        Feed::RedactionChanges => redaction_change(row)?,
    };
    Ok(batch.push(record).map_err(|error| corrupt(feed.as_str(), error.member, "(unknown)", error))?)
}

fn restore_timestamp(
    table: &'static str,
    column: &'static str,
    row: &str,
    micros: i64,
) -> Result<Timestamp, StoreError> {
    Timestamp::from_micros(micros).map_err(|error| corrupt(table, column, row, error))
}

fn conversation(row: &dyn Row) -> Result<FeedRecord, ReadError> {
    let conversation = conversations::restore(row)?;
    let id = conversation.id.as_str();
    let created_at = restore_timestamp("conversations", "created_at", id, row.integer(8)?)?;
    let updated_at = restore_timestamp("conversations", "updated_at", id, row.integer(9)?)?;
    Ok(FeedRecord::Conversation(Box::new(ConversationRecord { conversation, created_at, updated_at })))
}

fn message(row: &dyn Row, batch: &mut RecordBatch) -> Result<(), ReadError> {
    let message = messages::restore_ref(row, row.text(8)?)?;
    Ok(batch.push_message(message).map_err(|error| messages::corrupt_member(message.id, error))?)
}

fn vocabulary_change(row: &dyn Row) -> Result<FeedRecord, ReadError> {
    const TABLE: &str = "vocabulary_changes";
    let id = row.text(0)?;
    let kind = vocabulary_changes::kind_from_number(row.smallint(1)?)
        .ok_or_else(|| corrupt(TABLE, "kind", id, "is not the number of a kind of change"))?;
    let changed_at = restore_timestamp(TABLE, "changed_at", id, row.integer(5)?)?;
    let columns = EntryColumns { id, phrase: row.text(2)?, sounds_like: row.text(3)?, created_at: row.integer(4)? };
    let entry = columns.restore()?;
    Ok(FeedRecord::VocabularyChange(Box::new(VocabularyChange { entry, kind, changed_at })))
}

fn redaction_change(row: &dyn Row) -> Result<FeedRecord, ReadError> {
    let columns = SwitchColumns {
        id: row.text(0)?,
        switched_at: row.integer(1)?,
        label: row.text(2)?,
        was_active: row.integer(3)? != 0,
        is_active: row.integer(4)? != 0,
        credential: row.optional_text(5)?,
        reference: row.optional_text(6)?,
        first_approver: row.optional_text(7)?,
        second_approver: row.optional_text(8)?,
    };
    Ok(FeedRecord::RedactionChange(Box::new(columns.restore()?)))
}
