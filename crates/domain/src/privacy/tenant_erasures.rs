//! The use cases of the erasure of a whole tenant. A run that was killed is resumed by the next one.

use std::sync::Arc;

use super::{
    KnownUncoveredCopy, Ledger, PrivacyRequestId, TenantCompletion, TenantErasure, TenantErasureError,
    TenantErasureStart, TenantFenceOutcome, TenantPreview, TenantRemoval, TenantRemovalObserver, TenantRunProgress,
    TenantWait, tenant_removal::place_of,
};
use crate::{
    access::{TenantId, TenantStore},
    audit::AuditEntry,
    error::StoreError,
    redaction::Approval,
    signing::Signer,
};

/// Erases whole tenants for the operator.
#[derive(Clone)]
pub struct TenantErasures {
    removal: TenantRemoval,
    tenants: Arc<dyn TenantStore>,
    signer: Option<Arc<dyn Signer>>,
    not_covered: Vec<KnownUncoveredCopy>,
    ledger: Option<Ledger>,
}

impl TenantErasures {
    /// Erases by `removal`. Receipts are signed by `signer`, and name the copies `not_covered`.
    #[must_use]
    pub fn new(
        removal: TenantRemoval,
        tenants: Arc<dyn TenantStore>,
        (signer, not_covered): (Option<Arc<dyn Signer>>, Vec<KnownUncoveredCopy>),
    ) -> Self {
        Self { removal, tenants, signer, not_covered, ledger: None }
    }

    /// Completes no erasure before its entry is in this ledger.
    #[must_use]
    pub fn with_ledger(self, ledger: Ledger) -> Self {
        Self { ledger: Some(ledger), ..self }
    }

    /// What would be erased. Nothing is changed.
    ///
    /// # Errors
    /// [`TenantErasureError::NotFound`]; [`TenantErasureError::Store`].
    pub async fn preview(&self, tenant: &TenantId) -> Result<TenantPreview, TenantErasureError> {
        self.ensure_exists(tenant).await?;
        let store = &self.removal.store;
        let mut counts = store.count(tenant).await?;
        for data in &self.removal.derived {
            let Some(place) = place_of(data.kind()) else { continue };
            let count = data.count_of_tenant(tenant).await?;
            if count > 0 {
                counts.push(place.with_count(count)?);
            }
        }
        counts.sort_by(|one, other| one.place.as_str().cmp(other.place.as_str()));
        Ok(TenantPreview { counts, holds: store.count_holds(tenant).await?, erasure: store.find(tenant).await? })
    }

    /// Begins the erasure: from then on every credential of the tenant is revoked, and nothing is stored for the tenant. An
    /// erasure that an earlier call began is returned as it is, with its own approval.
    ///
    /// # Errors
    /// [`TenantErasureError::NotFound`]; [`TenantErasureError::Held`]; [`TenantErasureError::NoSigner`];
    /// [`TenantErasureError::Store`].
    pub async fn begin(&self, tenant: &TenantId, approval: Approval) -> Result<TenantErasureStart, TenantErasureError> {
        let store = &self.removal.store;
        let found = store.find(tenant).await?;
        if found.as_ref().is_none_or(|erasure| erasure.completed_at.is_none()) && self.signer.is_none() {
            return Err(TenantErasureError::NoSigner);
        }
        if let Some(erasure) = found {
            return Ok(TenantErasureStart { erasure, is_new: false });
        }
        self.ensure_exists(tenant).await?;
        let requested_at = self.removal.clock.now();
        let id = PrivacyRequestId::from_bits(self.removal.ids.next(requested_at));
        let erasure = TenantErasure { id, approval: Some(approval), requested_at, completed_at: None };
        let entry = AuditEntry::tenant_erasure_began(&erasure);
        match store.begin(tenant, &erasure, entry).await? {
            TenantFenceOutcome::Stored => Ok(TenantErasureStart { erasure, is_new: true }),
            TenantFenceOutcome::Exists => {
                Ok(TenantErasureStart { erasure: self.removal.stored(tenant).await?, is_new: false })
            }
            TenantFenceOutcome::Held(holds) => Err(TenantErasureError::Held(holds)),
        }
    }

    /// Carries out an erasure that began, from where the last run stopped. After its completion, it removes the copies outside
    /// of the stores again.
    ///
    /// # Errors
    /// If a store fails. The erasure can be run again.
    pub async fn run(
        &self,
        tenant: &TenantId,
        observer: &dyn TenantRemovalObserver,
    ) -> Result<TenantRunProgress, StoreError> {
        let erasure = self.removal.stored(tenant).await?;
        if erasure.completed_at.is_some() {
            // Files can have come back since, such as with a directory that was restored.
            let wait = self.removal.remove_derived(tenant, observer).await?;
            return Ok(wait.map_or(TenantRunProgress::Completed, TenantRunProgress::Waiting));
        }
        if let Some(wait) = self.removal.remove(tenant, observer).await? {
            return Ok(TenantRunProgress::Waiting(wait));
        }
        if let Some(ledger) = &self.ledger
            && ledger.write_queued().await.is_err()
        {
            return Ok(TenantRunProgress::Waiting(TenantWait::Ledger));
        }
        self.complete(tenant, &erasure).await
    }

    /// The file with the newest receipt of the erasure of a tenant. An erasure that was applied from the ledger has none.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn receipt(&self, tenant: &TenantId) -> Result<Option<String>, StoreError> {
        self.removal.store.receipt(tenant).await
    }

    async fn complete(&self, tenant: &TenantId, erasure: &TenantErasure) -> Result<TenantRunProgress, StoreError> {
        let signer = self.signer.as_deref().filter(|_| erasure.approval.is_some());
        let receipt = signer.map(|signer| (signer, self.not_covered.as_slice()));
        Ok(match self.removal.complete(tenant, erasure, receipt).await? {
            TenantCompletion::Completed => TenantRunProgress::Completed,
            TenantCompletion::RowsLeft => TenantRunProgress::Waiting(TenantWait::Rows),
        })
    }

    async fn ensure_exists(&self, tenant: &TenantId) -> Result<(), TenantErasureError> {
        if self.tenants.exists(tenant).await? { Ok(()) } else { Err(TenantErasureError::NotFound) }
    }
}
