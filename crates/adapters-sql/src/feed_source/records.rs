//! Rows as records. Whatever is read is parsed again.

use parlance_domain::{
    error::StoreError,
    feed::{DatedConversation, Feed, Record, Records, VocabularyChange},
    time::Timestamp,
};

use crate::{
    columns::Columns,
    conversations,
    entity::{redaction_switch, vocabulary},
    error::{Failure, Unread, corrupt},
    messages, redaction_audit, vocabularies, vocabulary_changes,
};

/// Adds the record of a row, whose columns are those of the feed's statement.
pub(crate) fn restore(feed: Feed, row: &dyn Columns, records: &mut Records) -> Result<(), Unread> {
    let record = match feed {
        Feed::Messages => return message(row, records),
        Feed::Conversations => conversation(row)?,
        Feed::VocabularyChanges => vocabulary_change(row)?,
        Feed::RedactionChanges => redaction_change(row)?,
    };
    Ok(records.add(record).map_err(|broken| corrupt(feed.as_str(), broken.member, "being read", broken))?)
}

fn moment(table: &'static str, column: &'static str, row: &str, micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_micros(micros).map_err(|broken| corrupt(table, column, row, broken))
}

fn owned(row: &dyn Columns, place: usize) -> Result<Option<String>, Failure> {
    Ok(row.optional_text(place)?.map(ToOwned::to_owned))
}

fn conversation(row: &dyn Columns) -> Result<Record, Unread> {
    let conversation = conversations::restore(row)?;
    let id = conversation.id.as_str();
    let created_at = moment("conversations", "created_at", id, row.integer(8)?)?;
    let updated_at = moment("conversations", "updated_at", id, row.integer(9)?)?;
    Ok(Record::Conversation(Box::new(DatedConversation { conversation, created_at, updated_at })))
}

fn message(row: &dyn Columns, records: &mut Records) -> Result<(), Unread> {
    let message = messages::stored(row, row.text(7)?)?;
    Ok(records.add_message(message).map_err(|broken| messages::broken(message.id, broken))?)
}

fn vocabulary_change(row: &dyn Columns) -> Result<Record, Unread> {
    const TABLE: &str = "vocabulary_changes";
    let id = row.text(0)?;
    let kind = vocabulary_changes::restore(row.small(1)?)
        .ok_or_else(|| corrupt(TABLE, "kind", id, "names no kind of change"))?;
    let at = moment(TABLE, "changed_at", id, row.integer(5)?)?;
    let entry = vocabularies::restore(vocabulary::Model {
        tenant_id: String::new(),
        id: id.to_owned(),
        phrase: row.text(2)?.to_owned(),
        sounds_like: row.text(3)?.to_owned(),
        created_at: row.integer(4)?,
    })?;
    Ok(Record::VocabularyChange(Box::new(VocabularyChange { entry, kind, at })))
}

fn redaction_change(row: &dyn Columns) -> Result<Record, Unread> {
    let switch = redaction_switch::Model {
        tenant_id: String::new(),
        id: row.text(0)?.to_owned(),
        switched_at: row.integer(1)?,
        label: row.text(2)?.to_owned(),
        was_active: row.integer(3)? != 0,
        is_active: row.integer(4)? != 0,
        credential: owned(row, 5)?,
        reference: owned(row, 6)?,
        first_approver: owned(row, 7)?,
        second_approver: owned(row, 8)?,
    };
    Ok(redaction_audit::restore(&switch).map(|record| Record::RedactionChange(Box::new(record)))?)
}
