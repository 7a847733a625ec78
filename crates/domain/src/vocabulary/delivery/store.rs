//! The port that stores the progress of deliveries, and the update of a stored progress.

use async_trait::async_trait;

use super::{DeliveryProgress, VocabularySnapshot};
use crate::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    time::Timestamp,
};

/// Stores the progress of each delivery. A change of a vocabulary makes its delivery pending in the same step: an entry
/// that is inserted or removed through the [`VocabularyStore`](crate::vocabulary::VocabularyStore) of the same data
/// MUST apply [`DeliveryProgress::after_change`] to the progress of its tenant.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait DeliveryStore: Send + Sync {
    /// The tenants whose delivery [is due](DeliveryProgress::is_due) at `now`, longest pending first, at most `limit`.
    async fn due(&self, now: Timestamp, limit: u16) -> Result<Vec<TenantId>, StoreError>;

    /// The tenants whose vocabulary was ever changed.
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError>;

    /// The progress of a tenant's delivery.
    async fn progress(&self, tenant: &TenantId) -> Result<DeliveryProgress, StoreError>;

    /// The whole vocabulary of a tenant with its version, both from one snapshot.
    async fn snapshot(&self, tenant: &TenantId) -> Result<VocabularySnapshot, StoreError>;

    /// Replaces the stored progress of a tenant by what [`DeliveryProgress::compare_and_set`] gives, in one step.
    /// Returns whether the comparison succeeded; if not, nothing is stored. The comparison fails for a tenant whose
    /// vocabulary was never changed.
    async fn compare_and_set(
        &self,
        tenant: &TenantId,
        expected: &DeliveryProgress,
        next: &DeliveryProgress,
    ) -> Result<bool, StoreError>;
}

/// Number of times that a transition is tried. Changes of the vocabulary make it fail at most twice: once by changes
/// between the read of the progress and that of the snapshot, once by later changes. Only other deliveries and requeues
/// of the same vocabulary can use up the rest.
const ATTEMPTS: usize = 8;

/// Applies a transition to the stored progress, which was `progress` when it was last read. If the stored progress has
/// changed meanwhile, reads it and applies the transition to it again. Returns the stored result; `None` if the
/// transition does not apply.
///
/// # Errors
/// [`StoreErrorKind::Unavailable`] if the progress changes during every attempt, and each error of the store.
pub(super) async fn update(
    store: &dyn DeliveryStore,
    tenant: &TenantId,
    mut progress: DeliveryProgress,
    transition: impl Fn(DeliveryProgress) -> Option<DeliveryProgress> + Send,
) -> Result<Option<DeliveryProgress>, StoreError> {
    for _ in 0..ATTEMPTS {
        let Some(next) = transition(progress) else { return Ok(None) };
        if store.compare_and_set(tenant, &progress, &next).await? {
            return Ok(Some(next));
        }
        progress = store.progress(tenant).await?;
    }
    Err(StoreError::new(StoreErrorKind::Unavailable, "the progress of the delivery changed during every attempt"))
}
