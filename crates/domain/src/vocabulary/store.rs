//! The port that keeps vocabularies.

use async_trait::async_trait;

use super::{Capacity, Cursor, PageSize, Vocabulary, VocabularyPage};
use crate::{access::TenantId, error::StoreError, id::VocabularyId, retry::Receipt, time::Timestamp};

/// What became of a new entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "an entry may not have been admitted"]
pub enum Admission {
    /// It is part of the vocabulary, durably.
    Admitted,
    /// The vocabulary has as many entries as it may have, and nothing was written.
    Full,
    /// Another entry has this phrase, and nothing was written.
    PhraseTaken,
    /// There is a receipt with the key already, and nothing was written.
    Repeated,
}

/// What became of an entry that was to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "there may have been no such entry"]
pub enum Removal {
    /// It is gone, durably.
    Removed,
    /// There is no such entry, and nothing was written.
    Absent,
}

/// Keeps vocabularies. Every method sees one tenant's entries only.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait VocabularyStore: Send + Sync {
    /// Adds an entry, counting and inserting in one atomic step: of any number of concurrent calls no more MUST be
    /// admitted than `capacity` leaves room for, nor two with one phrase. Where the phrase is taken and the
    /// vocabulary is full as well, the phrase is what is told. An admitted entry MUST survive a loss of power.
    ///
    /// A receipt is stored in the same step, and presumes that no other request used its key, or that the receipt of
    /// that one is [forgotten](Receipt::forgotten_by). Where that does not hold, it is what is told.
    async fn admit<'a>(
        &self,
        tenant: &TenantId,
        entry: &Vocabulary,
        capacity: Capacity,
        receipt: Option<&'a Receipt>,
    ) -> Result<Admission, StoreError>;

    /// The entry with this id.
    async fn find(&self, tenant: &TenantId, id: &VocabularyId) -> Result<Option<Vocabulary>, StoreError>;

    /// The page at `cursor`, or the first, in the order of identifiers: at most `size` entries.
    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a Cursor>,
        size: PageSize,
    ) -> Result<VocabularyPage, StoreError>;

    /// Removes an entry for good, and makes room for another. Of concurrent removals of one entry exactly one removes
    /// it. A removal MUST survive a loss of power.
    async fn remove(&self, tenant: &TenantId, id: &VocabularyId, at: Timestamp) -> Result<Removal, StoreError>;
}
