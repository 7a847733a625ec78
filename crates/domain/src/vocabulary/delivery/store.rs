//! The port that keeps what is known of deliveries.

use async_trait::async_trait;

use super::{Delivered, DeliveryProgress, Failure, VocabularyEdition};
use crate::{access::TenantId, error::StoreError, time::Timestamp};

/// Keeps how far the delivery of each vocabulary is. That a change is to be delivered is noted by the change itself,
/// in the same step: an entry that is admitted or removed through the
/// [`VocabularyStore`](crate::vocabulary::VocabularyStore) of the same data MUST make its tenant's delivery pending.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait DeliveryStore: Send + Sync {
    /// The tenants whose delivery is pending and whose next attempt may be made at `now`, or is noted for later than
    /// [`latest_next_attempt`](super::latest_next_attempt), those that are pending the longest first, at most `most` of
    /// them.
    async fn due(&self, now: Timestamp, most: u16) -> Result<Vec<TenantId>, StoreError>;

    /// How far a tenant's delivery is.
    async fn progress(&self, tenant: &TenantId) -> Result<DeliveryProgress, StoreError>;

    /// A tenant's whole vocabulary with its version, both of one moment.
    async fn edition(&self, tenant: &TenantId) -> Result<VocabularyEdition, StoreError>;

    /// Notes that a version was delivered, which was the newest at `read_at`; what failed before is forgotten. Where
    /// the vocabulary was changed since, its delivery MUST stay pending, from `read_at` on. Where that version or a
    /// later one was noted already, nothing changes.
    async fn note_delivery(
        &self,
        tenant: &TenantId,
        delivered: &Delivered,
        read_at: Timestamp,
    ) -> Result<(), StoreError>;

    /// Notes that an attempt failed, and when the next may be made.
    async fn note_failure(
        &self,
        tenant: &TenantId,
        failure: &Failure,
        next_attempt: Timestamp,
    ) -> Result<(), StoreError>;

    /// Makes the delivery of every vocabulary that was ever changed pending, that of this tenant or of all, as for a
    /// transcription component that has lost what it was given. Tells how many they are. No version changes.
    async fn begin_again<'a>(&self, tenant: Option<&'a TenantId>, at: Timestamp) -> Result<u64, StoreError>;
}
