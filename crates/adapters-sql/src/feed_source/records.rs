//! Rows as records. Whatever is read is parsed again.

use parlance_domain::{
    error::StoreError,
    feed::{DatedConversation, Feed, Record, VocabularyChange},
    id::ConversationId,
    time::Timestamp,
};

use super::connection::Cells;
use crate::{
    conversations,
    entity::{conversation, redaction_switch, vocabulary},
    error::corrupt,
    messages, redaction_audit, vocabularies, vocabulary_changes,
};

/// The record of a row, whose columns are those of the feed's statement.
pub(super) fn restore(feed: Feed, cells: &dyn Cells) -> Result<Record, StoreError> {
    match feed {
        Feed::Conversations => conversation(cells),
        Feed::Messages => message(cells),
        Feed::VocabularyChanges => vocabulary_change(cells),
        Feed::RedactionChanges => redaction_change(cells),
    }
}

fn moment(table: &'static str, column: &'static str, row: &str, micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_micros(micros).map_err(|broken| corrupt(table, column, row, broken))
}

fn conversation(cells: &dyn Cells) -> Result<Record, StoreError> {
    let row = conversation::Model {
        tenant_id: String::new(),
        id: cells.text(0)?,
        external_id: cells.text(1)?,
        agent_external_id: cells.optional_text(2)?,
        agent_name: cells.optional_text(3)?,
        customer_external_id: cells.text(4)?,
        customer_name: cells.optional_text(5)?,
        metadata: cells.optional_text(6)?,
        started_at: cells.number(7)?,
        created_at: cells.number(8)?,
        updated_at: cells.number(9)?,
    };
    let created_at = moment("conversations", "created_at", &row.id, row.created_at)?;
    let updated_at = moment("conversations", "updated_at", &row.id, row.updated_at)?;
    let conversation = conversations::restore(row)?;
    Ok(Record::Conversation(Box::new(DatedConversation { conversation, created_at, updated_at })))
}

fn message(cells: &dyn Cells) -> Result<Record, StoreError> {
    let id = cells.text(0)?;
    let conversation =
        ConversationId::parse(&cells.text(1)?).map_err(|broken| corrupt("messages", "conversation_id", &id, broken))?;
    let role = i16::try_from(cells.number(3)?).map_err(|broken| corrupt("messages", "sender_role", &id, broken))?;
    let (sent_at, sender, text) = (cells.number(2)?, cells.text(4)?, cells.text(5)?);
    let row = (id, sent_at, role, sender, text, cells.text(6)?, cells.number(7)?);
    messages::restore(row, &conversation).map(Record::Message)
}

fn vocabulary_change(cells: &dyn Cells) -> Result<Record, StoreError> {
    const TABLE: &str = "vocabulary_changes";
    let id = cells.text(0)?;
    let kind = vocabulary_changes::restore(cells.number(1)?)
        .ok_or_else(|| corrupt(TABLE, "kind", &id, "names no kind of change"))?;
    let at = moment(TABLE, "changed_at", &id, cells.number(5)?)?;
    let entry = vocabularies::restore(vocabulary::Model {
        tenant_id: String::new(),
        id,
        phrase: cells.text(2)?,
        sounds_like: cells.text(3)?,
        created_at: cells.number(4)?,
    })?;
    Ok(Record::VocabularyChange(Box::new(VocabularyChange { entry, kind, at })))
}

fn redaction_change(cells: &dyn Cells) -> Result<Record, StoreError> {
    let row = redaction_switch::Model {
        tenant_id: String::new(),
        id: cells.text(0)?,
        switched_at: cells.number(1)?,
        label: cells.text(2)?,
        was_active: cells.flag(3)?,
        is_active: cells.flag(4)?,
        credential: cells.optional_text(5)?,
        reference: cells.optional_text(6)?,
        first_approver: cells.optional_text(7)?,
        second_approver: cells.optional_text(8)?,
    };
    redaction_audit::restore(&row).map(|record| Record::RedactionChange(Box::new(record)))
}
