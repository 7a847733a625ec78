//! Batches of feed records, and the rows that they are written as.

use super::{Cell, FeedRecord, RowCursor, message_buffer::MessageBuffer};
use crate::{
    access::TenantId,
    conversation::FieldRedaction,
    error::StoreError,
    message::{ExportRedaction, InvalidMember, MessageRef},
    redaction::EntitySet,
};

/// Rows of a feed, in order.
pub trait Rows: Sync {
    /// Passes the cells of each row to `visit`, in the column order of the feed. It stops at the first error.
    ///
    /// # Errors
    /// The error of `visit`.
    fn for_each_row(&self, visit: &mut dyn FnMut(&[Cell<'_>]) -> Result<(), StoreError>) -> Result<(), StoreError>;

    /// The number of rows.
    fn count(&self) -> usize;
}

impl Rows for Vec<Vec<Cell<'_>>> {
    fn for_each_row(&self, visit: &mut dyn FnMut(&[Cell<'_>]) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.iter().try_for_each(|row| visit(row))
    }

    fn count(&self) -> usize {
        self.len()
    }
}

/// A batch of records of one feed.
#[derive(Debug, Default)]
pub struct RecordBatch {
    messages: MessageBuffer,
    records: Vec<FeedRecord>,
}

impl RecordBatch {
    /// Appends a record.
    ///
    /// # Errors
    /// None for a record whose members were parsed.
    pub fn push(&mut self, record: FeedRecord) -> Result<(), InvalidMember> {
        if let FeedRecord::Message(message) = &record {
            return self.push_message(MessageRef::from(message));
        }
        self.records.push(record);
        Ok(())
    }

    /// Appends a message after checking its members by the same rules as parsing.
    ///
    /// # Errors
    /// [`InvalidMember`].
    pub fn push_message(&mut self, message: MessageRef<'_>) -> Result<(), InvalidMember> {
        self.messages.push(message)
    }

    /// Whether the batch has no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The position of the last record.
    #[must_use]
    pub fn last_cursor(&self) -> Option<RowCursor> {
        let message = self.messages.iter().next_back();
        let message_cursor =
            message.map(|message| RowCursor { timestamp: message.created_at, key: message.id.to_owned() });
        self.records.last().map(FeedRecord::cursor).or(message_cursor)
    }

    /// The records as owned values.
    ///
    /// # Errors
    /// None, because every member is checked when a record is added.
    pub fn into_vec(self) -> Result<Vec<FeedRecord>, InvalidMember> {
        let messages = self.messages.iter().map(|message| message.to_message().map(FeedRecord::Message));
        messages.chain(self.records.iter().cloned().map(Ok)).collect()
    }

    /// Masks again the messages that were stored without masking all entities of `active`. Other messages stay
    /// unchanged.
    pub(super) async fn mask(
        &mut self,
        redaction: &ExportRedaction,
        tenant: &TenantId,
        active: EntitySet,
    ) -> Result<(), StoreError> {
        let outdated = self.messages.iter().enumerate().filter(|(_, message)| message.needs_redaction(active));
        let outdated = outdated.map(|(index, message)| message.to_message().map(|message| (index, message)));
        let outdated: Vec<_> = outdated.collect::<Result<_, _>>().map_err(unexpected_error)?;
        if outdated.is_empty() {
            return Ok(());
        }
        let (indexes, outdated): (Vec<_>, Vec<_>) = outdated.into_iter().unzip();
        let masked = redaction.redact(tenant, outdated, active).await?;
        for (index, message) in indexes.into_iter().zip(masked) {
            self.messages.replace_text(index, &message.text);
        }
        Ok(())
    }
}

impl RecordBatch {
    /// Masks the names and the metadata values of conversations.
    pub(super) fn mask_fields(&mut self, fields: &FieldRedaction, entities: EntitySet) -> Result<(), StoreError> {
        for record in &mut self.records {
            if let FeedRecord::Conversation(record) = record {
                fields.mask_conversation(&mut record.conversation, entities)?;
            }
        }
        Ok(())
    }
}

impl Rows for RecordBatch {
    fn for_each_row(&self, visit: &mut dyn FnMut(&[Cell<'_>]) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.messages.iter().try_for_each(|message| visit(&super::record::message_cells(&message)))?;
        self.records.iter().try_for_each(|record| visit(&record.cells()))
    }

    fn count(&self) -> usize {
        self.messages.iter().len() + self.records.len()
    }
}

fn unexpected_error(broken: InvalidMember) -> StoreError {
    StoreError::new(crate::error::StoreErrorKind::Unexpected, broken)
}
