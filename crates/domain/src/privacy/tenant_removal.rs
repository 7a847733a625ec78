//! The removal of everything of a tenant whose erasure is stored. Each step can be repeated.

use std::sync::Arc;

use super::{
    DeletedByteStore, DerivedData, DerivedDataKind, ErasurePlace, KnownUncoveredCopy, PrivacyRequestId, ReceiptDraft,
    RemovalOutcome, TenantCompletion, TenantErasure, TenantErasureStore, TenantFenceOutcome, TenantRemovalStep,
    TenantRows, TenantWait,
};
use crate::{
    access::TenantId,
    audit::AuditEntry,
    error::{StoreError, StoreErrorKind},
    id::IdSource,
    signing::Signer,
    time::{Clock, Timestamp},
};

/// Receives the progress of a removal.
pub trait TenantRemovalObserver: Send + Sync {
    /// Rows or files were removed from a place, or from what has none.
    fn removed(&self, place: Option<ErasurePlace>, count: u64);
}

/// Observes nothing.
struct NoObserver;

impl TenantRemovalObserver for NoObserver {
    fn removed(&self, _: Option<ErasurePlace>, _: u64) {}
}

/// Removes everything of a tenant from the stores, and from what is derived from them.
#[derive(Clone)]
pub struct TenantRemoval {
    pub(super) store: Arc<dyn TenantErasureStore>,
    deleted_bytes: Arc<dyn DeletedByteStore>,
    pub(super) derived: Vec<Arc<dyn DerivedData>>,
    pub(super) ids: Arc<dyn IdSource>,
    pub(super) clock: Arc<dyn Clock>,
}

impl TenantRemoval {
    /// Removes from `store`, its bytes from `deleted_bytes`, and from everything in `derived`.
    #[must_use]
    pub fn new(
        (store, deleted_bytes): (Arc<dyn TenantErasureStore>, Arc<dyn DeletedByteStore>),
        derived: Vec<Arc<dyn DerivedData>>,
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, deleted_bytes, derived, ids, clock }
    }

    /// Erases a tenant that the ledger names. Returns `false` if that was complete already.
    ///
    /// # Errors
    /// If a store fails, or if the removal has to wait.
    pub(super) async fn apply(&self, tenant: &TenantId, at: Timestamp) -> Result<bool, StoreError> {
        let erasure = match self.store.find(tenant).await? {
            Some(erasure) if erasure.completed_at.is_some() => return Ok(false),
            Some(erasure) => erasure,
            None => self.begin_from_ledger(tenant, at).await?,
        };
        if let Some(wait) = self.remove(tenant, &NoObserver).await? {
            let reason = format!("the erasure of a tenant waits for {}", wait.as_str());
            return Err(StoreError::new(StoreErrorKind::Unavailable, reason));
        }
        // The command that began an approved erasure completes it, and gives the receipt out.
        if erasure.approval.is_none() && self.complete(tenant, &erasure, None).await? == TenantCompletion::RowsLeft {
            return Err(StoreError::new(StoreErrorKind::Unavailable, "rows of an erased tenant were stored"));
        }
        Ok(true)
    }

    /// Completes an erasure. With a signer, it gets a receipt, which names these copies as not covered.
    pub(super) async fn complete(
        &self,
        tenant: &TenantId,
        erasure: &TenantErasure,
        receipt: Option<(&dyn Signer, &[KnownUncoveredCopy])>,
    ) -> Result<TenantCompletion, StoreError> {
        let (counts, now) = (self.store.erased_counts(tenant).await?, self.clock.now());
        let entry = AuditEntry::tenant_erased(erasure, &counts, now);
        let draft = |(signer, not_covered)| {
            Ok::<_, StoreError>((ReceiptDraft::for_tenant((tenant, erasure), now, counts, not_covered)?, signer))
        };
        self.store.complete(tenant, now, entry, receipt.map(draft).transpose()?).await
    }

    /// The erasure of a tenant, which must have begun.
    pub(super) async fn stored(&self, tenant: &TenantId) -> Result<TenantErasure, StoreError> {
        let missing = || StoreError::new(StoreErrorKind::Unexpected, "the erasure of the tenant is gone");
        self.store.find(tenant).await?.ok_or_else(missing)
    }

    async fn begin_from_ledger(&self, tenant: &TenantId, at: Timestamp) -> Result<TenantErasure, StoreError> {
        let id = PrivacyRequestId::from_bits(self.ids.next(self.clock.now()));
        let erasure = TenantErasure { id, approval: None, requested_at: at, completed_at: None };
        let entry = AuditEntry::tenant_erasure_began(&erasure);
        match self.store.begin(tenant, &erasure, entry).await? {
            TenantFenceOutcome::Stored => Ok(erasure),
            // No hold refuses an erasure that the ledger names.
            TenantFenceOutcome::Exists | TenantFenceOutcome::Held(_) => self.stored(tenant).await,
        }
    }

    /// Removes everything. Returns what the removal waits for, if anything.
    pub(super) async fn remove(
        &self,
        tenant: &TenantId,
        observer: &dyn TenantRemovalObserver,
    ) -> Result<Option<TenantWait>, StoreError> {
        self.store.wait_for_earlier_writes().await?;
        self.remove_rows(tenant, TenantRows::Content, observer).await?;
        if let Some(wait) = self.remove_derived(tenant, observer).await? {
            return Ok(Some(wait));
        }
        self.remove_rows(tenant, TenantRows::Progress, observer).await?;
        // An export that began before the erasure can have written files after they were removed.
        if let Some(wait) = self.remove_derived(tenant, observer).await? {
            return Ok(Some(wait));
        }
        let has_bytes_left = !self.deleted_bytes.remove_deleted_bytes().await?;
        Ok(has_bytes_left.then_some(TenantWait::Readers))
    }

    async fn remove_rows(
        &self,
        tenant: &TenantId,
        rows: TenantRows,
        observer: &dyn TenantRemovalObserver,
    ) -> Result<(), StoreError> {
        let mut step = TenantRemovalStep::first(rows);
        while let Some(removed) = self.store.remove_some(tenant, step, self.clock.now()).await? {
            observer.removed(removed.place, removed.rows);
            step = removed.next;
        }
        Ok(())
    }

    /// Removes the copies outside of the stores. Returns what the removal waits for, if anything.
    pub(super) async fn remove_derived(
        &self,
        tenant: &TenantId,
        observer: &dyn TenantRemovalObserver,
    ) -> Result<Option<TenantWait>, StoreError> {
        for data in &self.derived {
            match data.remove_tenant(tenant).await? {
                RemovalOutcome::Waiting => return Ok(Some(wait_for(data.kind()))),
                RemovalOutcome::Done(count) if count > 0 => {
                    let place = place_of(data.kind());
                    if let Some(place) = place {
                        self.store.add_count(tenant, place, count).await?;
                    }
                    observer.removed(place, count);
                }
                RemovalOutcome::Done(_) | RemovalOutcome::NotKept => {}
            }
        }
        Ok(None)
    }
}

fn wait_for(kind: DerivedDataKind) -> TenantWait {
    match kind {
        DerivedDataKind::Feeds => TenantWait::Feeds,
        DerivedDataKind::Vocabularies => TenantWait::Vocabulary,
    }
}

/// The place of derived data. The entries of a vocabulary are counted where they are stored.
pub(super) fn place_of(kind: DerivedDataKind) -> Option<ErasurePlace> {
    match kind {
        DerivedDataKind::Feeds => Some(ErasurePlace::FeedFiles),
        DerivedDataKind::Vocabularies => None,
    }
}
