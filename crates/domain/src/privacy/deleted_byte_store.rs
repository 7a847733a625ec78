//! The port that removes the bytes of what was deleted.

use async_trait::async_trait;

use crate::error::StoreError;

/// Removes the bytes of deleted rows from the files of the store. Deletions of all tenants share one removal.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait DeletedByteStore: Send + Sync {
    /// Removes what was deleted before this call. Returns whether no byte of it is left: another process that reads an
    /// earlier state can prevent it for as long as it reads. Rows that are not deleted MUST stay as they are. A store whose
    /// files keep deleted rows in any case returns `true`, and its [receipts](super::KnownUncoveredCopy) say so.
    async fn remove_deleted_bytes(&self) -> Result<bool, StoreError>;
}
