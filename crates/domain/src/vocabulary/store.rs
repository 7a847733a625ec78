//! The port that stores vocabularies.

use async_trait::async_trait;

use super::{Capacity, Cursor, PageSize, VocabularyEntry, VocabularyPage};
use crate::{
    access::TenantId, error::StoreError, id::VocabularyEntryId, idempotency::IdempotencyRecord, time::Timestamp,
};

/// The outcome of inserting an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "an entry may not have been admitted"]
pub enum InsertOutcome {
    /// The entry was inserted durably.
    Inserted,
    /// The vocabulary has reached its capacity. Nothing was written.
    Full,
    /// Another entry has this phrase. Nothing was written.
    PhraseTaken,
    /// Another request has used the idempotency key. Nothing was written.
    KeyTaken,
}

/// The outcome of removing an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "there may have been no such entry"]
pub enum RemoveOutcome {
    /// The entry was removed durably.
    Removed,
    /// There is no such entry. Nothing was written.
    NotFound,
}

/// Stores vocabularies. Every method is limited to the entries of one tenant.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait VocabularyStore: Send + Sync {
    /// Inserts an entry, counting and inserting in one atomic step. Any number of concurrent calls MUST NOT insert more
    /// entries than `capacity` allows, nor two entries with one phrase. If the phrase is taken and the vocabulary is
    /// also full, the outcome is [`PhraseTaken`](InsertOutcome::PhraseTaken). An inserted entry MUST survive a power
    /// loss.
    ///
    /// The idempotency record is stored in the same step. It requires that no other request has used its key, or that
    /// the record of that request has [expired](IdempotencyRecord::expiry_cutoff). Otherwise the outcome is
    /// [`KeyTaken`](InsertOutcome::KeyTaken).
    async fn insert<'a>(
        &self,
        tenant: &TenantId,
        entry: &VocabularyEntry,
        capacity: Capacity,
        record: Option<&'a IdempotencyRecord>,
    ) -> Result<InsertOutcome, StoreError>;

    /// The entry with this id.
    async fn find(&self, tenant: &TenantId, id: &VocabularyEntryId) -> Result<Option<VocabularyEntry>, StoreError>;

    /// The page at `cursor`, or the first page, in the order of identifiers: at most `size` entries.
    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a Cursor>,
        size: PageSize,
    ) -> Result<VocabularyPage, StoreError>;

    /// Removes an entry permanently and frees its slot. Of concurrent removals of one entry, exactly one removes it. A
    /// removal MUST survive a power loss.
    async fn remove(
        &self,
        tenant: &TenantId,
        id: &VocabularyEntryId,
        at: Timestamp,
    ) -> Result<RemoveOutcome, StoreError>;
}
