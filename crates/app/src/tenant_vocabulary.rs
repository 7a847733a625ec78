//! The delivery of the emptied vocabulary of an erased tenant to the transcription component.

use std::sync::Arc;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    lease::{LeaseName, Leases},
    privacy::{DerivedData, DerivedDataKind, RemovalOutcome, RewriteRecorder},
    time::Clock,
    vocabulary::delivery::{DeliveryOutcome, DeliveryStore, Reconciler, TranscriptionComponent},
};

use crate::lease::release_lease;

/// What the transcription component holds of the vocabulary of a tenant. A running server delivers the emptied vocabulary. If
/// none holds the lease of deliveries, this process does it.
pub(crate) struct DeliveredVocabulary {
    store: Arc<dyn DeliveryStore>,
    /// None without a transcription component.
    reconciler: Option<Reconciler>,
    leases: Leases,
}

impl DeliveredVocabulary {
    pub(crate) fn new(
        store: Arc<dyn DeliveryStore>,
        component: Option<Arc<dyn TranscriptionComponent>>,
        leases: Leases,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let reconciler = component.map(|component| Reconciler::new(Arc::clone(&store), component, clock));
        Self { store, reconciler, leases }
    }
}

#[async_trait]
impl DerivedData for DeliveredVocabulary {
    fn kind(&self) -> DerivedDataKind {
        DerivedDataKind::Vocabularies
    }

    async fn remove_erased(&self, _: &TenantId, _: Arc<dyn RewriteRecorder>) -> Result<RemovalOutcome, StoreError> {
        Ok(RemovalOutcome::NotKept)
    }

    /// The count stays 0: the entries are counted where they are stored.
    async fn count_of_tenant(&self, _: &TenantId) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn remove_tenant(&self, tenant: &TenantId) -> Result<RemovalOutcome, StoreError> {
        let Some(reconciler) = &self.reconciler else { return Ok(RemovalOutcome::NotKept) };
        if self.store.progress(tenant).await?.pending_since.is_none() {
            return Ok(RemovalOutcome::Done(0));
        }
        if self.leases.acquire(LeaseName::VocabularyDelivery).await?.is_none() {
            return Ok(RemovalOutcome::Waiting);
        }
        let outcome = reconciler.deliver(tenant).await;
        release_lease(&self.leases, LeaseName::VocabularyDelivery).await;
        match outcome? {
            DeliveryOutcome::Delivered { .. } | DeliveryOutcome::Idle => Ok(RemovalOutcome::Done(0)),
            DeliveryOutcome::Failed { error, .. } => Err(StoreError::new(StoreErrorKind::Unavailable, error)),
        }
    }
}
