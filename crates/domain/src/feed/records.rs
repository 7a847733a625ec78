//! Records in runs, and the rows that they are.

use super::{Cell, Record, RowPlace, messages::StoredMessages};
use crate::{
    access::TenantId,
    conversation::{BrokenMember, ExportMasking, StoredMessage},
    error::StoreError,
    redaction::EntitySet,
};

/// Rows of a feed, in their order.
pub trait Rows: Sync {
    /// Gives the cells of each row to `each`, in the order of the feed's columns, and ends at its first failure.
    ///
    /// # Errors
    /// What `each` failed with.
    fn each(&self, each: &mut dyn FnMut(&[Cell<'_>]) -> Result<(), StoreError>) -> Result<(), StoreError>;

    /// How many there are.
    fn count(&self) -> usize;
}

impl Rows for Vec<Vec<Cell<'_>>> {
    fn each(&self, each: &mut dyn FnMut(&[Cell<'_>]) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.iter().try_for_each(|row| each(row))
    }

    fn count(&self) -> usize {
        self.len()
    }
}

/// A run of the records of one feed.
#[derive(Debug, Default)]
pub struct Records {
    messages: StoredMessages,
    others: Vec<Record>,
}

impl Records {
    /// Adds a record.
    ///
    /// # Errors
    /// None for a record whose members were parsed.
    pub fn add(&mut self, record: Record) -> Result<(), BrokenMember> {
        if let Record::Message(message) = &record {
            return self.add_message(StoredMessage::from(message));
        }
        self.others.push(record);
        Ok(())
    }

    /// Adds a message, after it was checked as one that is parsed is.
    ///
    /// # Errors
    /// [`BrokenMember`].
    pub fn add_message(&mut self, message: StoredMessage<'_>) -> Result<(), BrokenMember> {
        self.messages.add(message)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Where the last of them stands.
    #[must_use]
    pub fn last_place(&self) -> Option<RowPlace> {
        let message = self.messages.iter().next_back();
        let of_message = message.map(|message| RowPlace { at: message.created_at, key: message.id.to_owned() });
        self.others.last().map(Record::place).or(of_message)
    }

    /// The records, each by itself.
    ///
    /// # Errors
    /// None, since every member was checked when it was added.
    pub fn into_vec(self) -> Result<Vec<Record>, BrokenMember> {
        let messages = self.messages.iter().map(|message| message.to_message().map(Record::Message));
        messages.chain(self.others.iter().cloned().map(Ok)).collect()
    }

    /// Masks those messages anew that were stored when something was not active that is active now. The others are
    /// not touched.
    pub(super) async fn mask(
        &mut self,
        masking: &ExportMasking,
        tenant: &TenantId,
        active: EntitySet,
    ) -> Result<(), StoreError> {
        let lacking = self.messages.iter().enumerate().filter(|(_, message)| message.lacks(active));
        let lacking = lacking.map(|(place, message)| message.to_message().map(|message| (place, message)));
        let lacking: Vec<_> = lacking.collect::<Result<_, _>>().map_err(unexpected)?;
        if lacking.is_empty() {
            return Ok(());
        }
        let (places, open): (Vec<_>, Vec<_>) = lacking.into_iter().unzip();
        let masked = masking.mask(tenant, open, active).await?;
        for (place, message) in places.into_iter().zip(masked) {
            self.messages.replace_text(place, &message.text);
        }
        Ok(())
    }
}

impl Rows for Records {
    fn each(&self, each: &mut dyn FnMut(&[Cell<'_>]) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.messages.iter().try_for_each(|message| each(&super::record::message_cells(&message)))?;
        self.others.iter().try_for_each(|record| each(&record.cells()))
    }

    fn count(&self) -> usize {
        self.messages.iter().len() + self.others.len()
    }
}

fn unexpected(broken: BrokenMember) -> StoreError {
    StoreError::new(crate::error::StoreErrorKind::Unexpected, broken)
}
