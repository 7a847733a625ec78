//! The port that stores the progress of deliveries.

use async_trait::async_trait;

use super::{AttemptFailure, DeliveredVersion, DeliveryProgress, VocabularySnapshot};
use crate::{access::TenantId, error::StoreError, time::Timestamp};

/// Stores the progress of each delivery. A change of a vocabulary makes its delivery pending in the same step: an entry
/// that is inserted or removed through the [`VocabularyStore`](crate::vocabulary::VocabularyStore) of the same data
/// MUST make the delivery of its tenant pending.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait DeliveryStore: Send + Sync {
    /// The tenants with a pending delivery that may be attempted at `now`, longest pending first, at most `limit`. A
    /// next attempt later than [`latest_next_attempt`](super::latest_next_attempt) does not delay a delivery.
    async fn due(&self, now: Timestamp, limit: u16) -> Result<Vec<TenantId>, StoreError>;

    /// The progress of a tenant's delivery.
    async fn progress(&self, tenant: &TenantId) -> Result<DeliveryProgress, StoreError>;

    /// The whole vocabulary of a tenant with its version, both from one snapshot.
    async fn snapshot(&self, tenant: &TenantId) -> Result<VocabularySnapshot, StoreError>;

    /// Records the delivery of a version that was the newest at `read_at`, and clears the recorded failures. If the
    /// vocabulary was changed since, its delivery MUST stay pending, from `read_at` on. If this version or a later one
    /// was already recorded, nothing changes.
    async fn record_delivery(
        &self,
        tenant: &TenantId,
        delivered: &DeliveredVersion,
        read_at: Timestamp,
    ) -> Result<(), StoreError>;

    /// Records a failed attempt and the earliest time of the next one.
    async fn record_failure(
        &self,
        tenant: &TenantId,
        failure: &AttemptFailure,
        next_attempt: Timestamp,
    ) -> Result<(), StoreError>;

    /// Makes the delivery of every changed vocabulary pending, of one tenant or of all, as for a transcription
    /// component that has lost its vocabularies. Returns the number of vocabularies. No version changes.
    async fn requeue<'a>(&self, tenant: Option<&'a TenantId>, at: Timestamp) -> Result<u64, StoreError>;
}
