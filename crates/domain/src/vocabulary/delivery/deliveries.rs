//! The delivery status for callers, and redelivery for the operator.

use std::sync::Arc;

use super::{DeliveryProgress, DeliveryStore, store::update};
use crate::{
    access::{AuthorizedCaller, ReadConfiguration, TenantId},
    error::{StoreError, StoreErrorKind},
    time::{Clock, Timestamp},
};

/// The state of a tenant's delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// No transcription component is configured.
    NotConfigured,
    /// The newest version has not been delivered yet.
    Pending,
    /// The newest version is delivered, or the vocabulary was never changed.
    Delivered,
}

/// The state of a delivery with its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryReport {
    /// The state of the delivery.
    pub state: DeliveryState,
    /// The time since which the delivery is in this state; `None` if the vocabulary was never changed or nothing is
    /// configured.
    pub since: Option<Timestamp>,
    /// The stored progress.
    pub progress: DeliveryProgress,
}

/// Reports the status of deliveries.
#[derive(Clone)]
pub struct Deliveries {
    store: Arc<dyn DeliveryStore>,
    configured: bool,
}

impl Deliveries {
    /// Reads the status from `store`. `configured` is true if there is a transcription component.
    #[must_use]
    pub fn new(store: Arc<dyn DeliveryStore>, configured: bool) -> Self {
        Self { store, configured }
    }

    /// The status of the delivery of the caller's vocabulary.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn status(&self, caller: &AuthorizedCaller<ReadConfiguration>) -> Result<DeliveryReport, StoreError> {
        let tenant = caller.tenant();
        let progress = self.store.progress(tenant).await?;
        let (state, since) = match progress.pending_since {
            _ if !self.configured => (DeliveryState::NotConfigured, None),
            Some(since) => (DeliveryState::Pending, Some(since)),
            None => (DeliveryState::Delivered, progress.delivered.map(|delivered| delivered.delivered_at)),
        };
        Ok(DeliveryReport { state, since, progress })
    }
}

/// Queues vocabularies for redelivery, for example to a transcription component that has lost them. Only the operator
/// uses this.
#[derive(Clone)]
pub struct Redelivery {
    store: Arc<dyn DeliveryStore>,
    clock: Arc<dyn Clock>,
}

impl Redelivery {
    /// Writes to `store`.
    #[must_use]
    pub fn new(store: Arc<dyn DeliveryStore>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Makes the delivery of one tenant's vocabulary or of all vocabularies pending, and returns their number. A
    /// vocabulary with a damaged progress does not keep the others from being queued.
    ///
    /// # Errors
    /// [`StoreError`]. Then some vocabularies may be queued already, and it is safe to call again.
    pub async fn requeue(&self, tenant: Option<&TenantId>) -> Result<u64, StoreError> {
        let tenants = match tenant {
            Some(tenant) => vec![tenant.clone()],
            None => self.store.tenants().await?,
        };
        let at = self.clock.now();
        let (mut queued, mut damaged) = (0, None);
        for tenant in &tenants {
            match self.requeue_one(tenant, at).await {
                Ok(is_queued) => queued += u64::from(is_queued),
                Err(error) if error.kind() == StoreErrorKind::Corrupt => damaged = Some(error),
                Err(error) => return Err(error),
            }
        }
        damaged.map_or(Ok(queued), Err)
    }

    async fn requeue_one(&self, tenant: &TenantId, at: Timestamp) -> Result<bool, StoreError> {
        let progress = self.store.progress(tenant).await?;
        Ok(update(&*self.store, tenant, progress, |stored| stored.after_requeue(at)).await?.is_some())
    }
}
