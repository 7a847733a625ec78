//! The port that stores holds.

use async_trait::async_trait;

use super::{Hold, HoldCursor, HoldId, HoldPage};
use crate::{access::TenantId, audit::AuditEntry, error::StoreError, vocabulary::PageSize};

/// The outcome of placing a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "the hold is not placed if there is no such conversation"]
pub enum HoldOutcome {
    /// The hold is placed durably.
    Placed,
    /// There is no conversation with the id that the hold names. Nothing is stored.
    NoConversation,
}

/// Stores holds. Every method accesses the data of one tenant only.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait HoldStore: Send + Sync {
    /// Places a hold, with its audit entry or not at all. A hold on a conversation needs the conversation, one on a
    /// customer needs no data.
    ///
    /// Of a hold and a concurrent [erasure](super::ErasureStore::erase) of what it protects, one MUST take effect before the
    /// other: once the hold is placed, no conversation that it protects is erased.
    async fn place(&self, tenant: &TenantId, hold: &Hold, entry: AuditEntry) -> Result<HoldOutcome, StoreError>;

    /// The page at `cursor`, or the first page, ordered by identifier.
    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a HoldCursor>,
        size: PageSize,
    ) -> Result<HoldPage, StoreError>;

    /// Removes a hold, with the audit entry if it existed, and returns whether it did.
    async fn release(&self, tenant: &TenantId, id: &HoldId, entry: AuditEntry) -> Result<bool, StoreError>;
}
