//! The port of whatever keeps copies of stored data outside of the stores, such as feeds.

use std::sync::Arc;

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
    /// Nothing of it is left. The number of objects that the removal of a tenant removed; 0 from
    /// [`remove_erased`](DerivedData::remove_erased), which records what it writes.
    Done(u64),
    /// Another run works on the data, so the removal must be repeated.
    Waiting,
    /// This service does not keep such data.
    NotKept,
}

/// Records which objects of derived data are written again without erased data.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait RewriteRecorder: Send + Sync {
    /// Counts a new revision of an object. It is called before the revision is stored, so that no kill loses the count. The
    /// revision that was recorded last is not counted again: it is recorded again after a kill.
    async fn record(&self, revision: &str) -> Result<(), StoreError>;
}

/// Derived data: copies of what the stores hold. Every capability that keeps such copies of customers' data implements this
/// port, and its implementation is in the list of the [`PrivacyRequestRunner`](super::PrivacyRequestRunner).
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait DerivedData: Send + Sync {
    /// The kind of the data.
    fn kind(&self) -> DerivedDataKind;

    /// Removes everything of the tenant that the stores no longer hold. It is called after an erasure, before the request is
    /// completed. Objects that are written again are not removed: each of their revisions MUST be recorded before it is stored,
    /// one after another, and under the same name if the call is repeated after a kill. A repeated call MUST find nothing left to
    /// remove, and count nothing twice.
    async fn remove_erased(
        &self,
        tenant: &TenantId,
        recorder: Arc<dyn RewriteRecorder>,
    ) -> Result<RemovalOutcome, StoreError>;

    /// The number of objects that [`remove_tenant`](Self::remove_tenant) would remove.
    async fn count_of_tenant(&self, tenant: &TenantId) -> Result<u64, StoreError>;

    /// Removes everything of the tenant, whose erasure is stored. It is called after the stores hold nothing more. A repeated
    /// call MUST find nothing left to remove, and count nothing twice.
    async fn remove_tenant(&self, tenant: &TenantId) -> Result<RemovalOutcome, StoreError>;
}
