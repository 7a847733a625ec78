//! The reconciler: delivers the vocabularies that are due.

use std::{sync::Arc, time::Duration};

use super::{
    AttemptFailure, DeliveredVersion, DeliveryError, DeliveryErrorKind, DeliveryProgress, DeliveryStore,
    TranscriptionComponent, store::update,
};
use crate::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    time::Clock,
};

/// Pushes vocabularies to a transcription component that does not have the newest version.
///
/// The reconciler has no timer of its own: its caller asks for the [due](Self::due) tenants at any interval and
/// [delivers](Self::deliver) each. Two processes must not deliver the vocabulary of one tenant at the same time: see
/// [`LeaseName::VocabularyDelivery`](crate::lease::LeaseName::VocabularyDelivery).
#[derive(Clone)]
pub struct Reconciler {
    store: Arc<dyn DeliveryStore>,
    component: Arc<dyn TranscriptionComponent>,
    clock: Arc<dyn Clock>,
}

/// The outcome of a delivery attempt.
#[derive(Debug)]
pub enum DeliveryOutcome {
    /// The component has the newest version.
    Delivered {
        /// The delivered version.
        version: u64,
        /// The time from the first undelivered change to the delivery.
        latency: Duration,
    },
    /// The attempt failed and will be retried.
    Failed {
        /// The cause.
        error: DeliveryError,
        /// The number of consecutive failed attempts.
        failures: u32,
    },
    /// The delivery was no longer pending.
    Idle,
}

impl Reconciler {
    /// Reads and records progress in `store`, and pushes vocabularies to `component`.
    #[must_use]
    pub fn new(
        store: Arc<dyn DeliveryStore>,
        component: Arc<dyn TranscriptionComponent>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, component, clock }
    }

    /// The tenants whose vocabulary is due for delivery, longest pending first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn due(&self, limit: u16) -> Result<Vec<TenantId>, StoreError> {
        self.store.due(self.clock.now(), limit).await
    }

    /// Pushes a tenant's newest version and records the outcome.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails. Then nothing is recorded, and the delivery stays due.
    pub async fn deliver(&self, tenant: &TenantId) -> Result<DeliveryOutcome, StoreError> {
        let progress = self.store.progress(tenant).await?;
        let Some(pending_since) = progress.pending_since else { return Ok(DeliveryOutcome::Idle) };
        let read_at = self.clock.now();
        let (version, outcome) = match self.store.snapshot(tenant).await {
            Ok(snapshot) => (snapshot.version, self.component.push(tenant, &snapshot).await),
            Err(error) if error.kind() == StoreErrorKind::Corrupt => {
                (progress.version, Err(DeliveryError::new(DeliveryErrorKind::Unreadable, error)))
            }
            Err(error) => return Err(error),
        };
        let at = self.clock.now();
        match outcome {
            Ok(()) => {
                let delivered = DeliveredVersion { version, delivered_at: at };
                let after = |stored: DeliveryProgress| stored.after_attempt(pending_since, delivered, read_at);
                update(&*self.store, tenant, progress, after).await?;
                Ok(DeliveryOutcome::Delivered { version, latency: pending_since.until(at) })
            }
            Err(error) => {
                let failure = AttemptFailure { kind: error.kind(), failed_at: at };
                let recorded = update(&*self.store, tenant, progress, |stored| stored.after_failure(failure)).await?;
                let failures = recorded.map_or(progress.failures.saturating_add(1), |stored| stored.failures);
                Ok(DeliveryOutcome::Failed { error, failures })
            }
        }
    }
}
