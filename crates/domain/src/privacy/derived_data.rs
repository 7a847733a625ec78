//! The port of whatever keeps copies of stored data outside of the stores, such as feeds.

use async_trait::async_trait;

use crate::{access::TenantId, error::StoreError};

/// A kind of derived data. Each has a count in the privacy request, unless it holds nothing of customers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DerivedDataKind {
    /// The files of feeds. The count is that of the days and hours that were written again; for a whole tenant, that of the
    /// files.
    Feeds,
    /// The vocabularies that the transcription component has received. They hold nothing of customers.
    Vocabularies,
}

/// What the removal of erased data came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemovalOutcome {
    /// Nothing of it is left. The number of objects that were removed or written again.
    Done(u64),
    /// Another run works on the data, so the removal must be repeated.
    Waiting,
    /// This service does not keep such data.
    NotKept,
}

/// Derived data: copies of what the stores hold. Every capability that keeps such copies of customers' data implements this
/// port, and its implementation is in the list of the [`PrivacyRequestRunner`](super::PrivacyRequestRunner).
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait DerivedData: Send + Sync {
    /// The kind of the data.
    fn kind(&self) -> DerivedDataKind;

    /// Removes everything of the tenant that the stores no longer hold. It is called after an erasure, before the request is
    /// completed. A repeated call MUST find nothing left to remove, and count nothing twice.
    async fn remove_erased(&self, tenant: &TenantId) -> Result<RemovalOutcome, StoreError>;

    /// The number of objects that [`remove_tenant`](Self::remove_tenant) would remove.
    async fn count_of_tenant(&self, tenant: &TenantId) -> Result<u64, StoreError>;

    /// Removes everything of the tenant, whose erasure is stored. It is called after the stores hold nothing more. A repeated
    /// call MUST find nothing left to remove, and count nothing twice.
    async fn remove_tenant(&self, tenant: &TenantId) -> Result<RemovalOutcome, StoreError>;
}
