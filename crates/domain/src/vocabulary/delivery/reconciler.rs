//! The use case of the service itself: bringing what is due.

use std::{sync::Arc, time::Duration};

use super::{Delivered, DeliveryError, DeliveryFailure, DeliveryStore, Failure, TranscriptionComponent, pause};
use crate::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    time::Clock,
};

/// Brings vocabularies to the transcription component where it does not have the newest version.
///
/// It decides and records, and has no rhythm of its own: whoever runs it asks what is [due](Self::due) as often as it
/// likes, and has each of these [delivered](Self::deliver). One tenant's vocabulary must not be delivered by two at
/// once: see [`Duty::VocabularyDelivery`](crate::lease::Duty::VocabularyDelivery).
#[derive(Clone)]
pub struct Reconciler {
    store: Arc<dyn DeliveryStore>,
    component: Arc<dyn TranscriptionComponent>,
    clock: Arc<dyn Clock>,
}

/// What became of an attempt.
#[derive(Debug)]
pub enum Attempt {
    /// The component has the newest version.
    Delivered {
        /// The version.
        version: u64,
        /// How long it took, from the first change that was not delivered before.
        took: Duration,
    },
    /// It does not, for this reason; it is tried again.
    Failed {
        /// Why.
        error: DeliveryError,
        /// How many attempts in a row have failed.
        failures: u32,
    },
    /// There was nothing to bring any more.
    Idle,
}

impl Reconciler {
    /// Brings what is in this store to that component.
    #[must_use]
    pub fn new(
        store: Arc<dyn DeliveryStore>,
        component: Arc<dyn TranscriptionComponent>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, component, clock }
    }

    /// The tenants whose vocabulary should be delivered at once, those that wait the longest first, `most` at most.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn due(&self, most: u16) -> Result<Vec<TenantId>, StoreError> {
        self.store.due(self.clock.now(), most).await
    }

    /// Brings a tenant's newest version, and records what became of it.
    ///
    /// # Errors
    /// [`StoreError`] where the store did not answer; then nothing is recorded, and the delivery stays due.
    pub async fn deliver(&self, tenant: &TenantId) -> Result<Attempt, StoreError> {
        let progress = self.store.progress(tenant).await?;
        let Some(pending_since) = progress.pending_since else { return Ok(Attempt::Idle) };
        let read_at = self.clock.now();
        let (version, outcome) = match self.store.edition(tenant).await {
            Ok(edition) => (edition.version, self.component.bring(tenant, &edition).await),
            Err(error) if error.kind() == StoreErrorKind::Corrupt => {
                (progress.version, Err(DeliveryError::new(DeliveryFailure::Unreadable, error)))
            }
            Err(error) => return Err(error),
        };
        let at = self.clock.now();
        match outcome {
            Ok(()) => {
                self.store.note_delivery(tenant, &Delivered { version, at }, read_at).await?;
                Ok(Attempt::Delivered { version, took: pending_since.until(at) })
            }
            Err(error) => {
                let failures = progress.failures.saturating_add(1);
                let next = at.plus_seconds(i64::try_from(pause(failures).as_secs()).unwrap_or(i64::MAX));
                self.store.note_failure(tenant, &Failure { kind: error.kind(), at }, next).await?;
                Ok(Attempt::Failed { error, failures })
            }
        }
    }
}
