//! The port that keeps receipts.

use async_trait::async_trait;

use super::{KeyDigest, Operation, Receipt};
use crate::{access::TenantId, error::StoreError, time::Timestamp};

/// Gives back the receipts that other stores keep with what they write: each store that creates takes one along.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ReceiptStore: Send + Sync {
    /// The receipt of the request that used this key for this operation, however old.
    async fn find(
        &self,
        tenant: &TenantId,
        operation: Operation,
        key: &KeyDigest,
    ) -> Result<Option<Receipt>, StoreError>;

    /// Drops the receipts of every tenant that are of this moment or before it, and tells how many there were.
    async fn forget(&self, up_to: Timestamp) -> Result<u64, StoreError>;
}
