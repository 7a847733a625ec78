//! The port that erases whole tenants.

use async_trait::async_trait;

use super::{ErasurePlace, OpenTenantErasures, PlaceCount, ReceiptDraft, TenantErasure};
use crate::{access::TenantId, audit::AuditEntry, error::StoreError, signing::Signer, time::Timestamp};

/// The outcome of storing the erasure of a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "nothing is stored if a hold protects data of the tenant"]
pub enum TenantFenceOutcome {
    /// The erasure is stored.
    Stored,
    /// The tenant has an erasure already. Nothing was stored.
    Exists,
    /// This many holds protect data of the tenant. Nothing was stored.
    Held(u64),
}

/// The outcome of completing the erasure of a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "the erasure is not completed if rows of the tenant are left"]
pub enum TenantCompletion {
    /// The erasure is completed, by this call or an earlier one.
    Completed,
    /// Rows of the tenant are left. Nothing was changed.
    RowsLeft,
}

/// The rows that one step removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TenantRows {
    /// What callers and operators have stored, and what the store derived from it. An emptied vocabulary MUST become due for
    /// delivery in the same step.
    Content,
    /// The progress of deliveries, feeds and readers, which is still needed until derived data is removed.
    Progress,
}

/// A step of a removal, which is one pass over the tables of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TenantRemovalStep {
    /// The rows that are removed.
    pub rows: TenantRows,
    /// How many tables earlier steps of the pass have found empty. The order of the tables is the store's own.
    pub emptied_tables: usize,
}

impl TenantRemovalStep {
    /// The first step of a pass.
    #[must_use]
    pub fn first(rows: TenantRows) -> Self {
        Self { rows, emptied_tables: 0 }
    }
}

/// The rows that a step has removed from one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedRows {
    /// The place. Rows that the service keeps beside the objects of places have none.
    pub place: Option<ErasurePlace>,
    /// The number of rows.
    pub rows: u64,
    /// The next step of the pass.
    pub next: TenantRemovalStep,
}

/// Erases whole tenants. Every method accesses the data of one tenant only, except for [`open`](Self::open).
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait TenantErasureStore: Send + Sync {
    /// The erasure of the tenant, if it began.
    async fn find(&self, tenant: &TenantId) -> Result<Option<TenantErasure>, StoreError>;

    /// The erasures of all tenants that are not completed; `None` if every one is.
    async fn open(&self) -> Result<Option<OpenTenantErasures>, StoreError>;

    /// The number of objects of the tenant in each [place](ErasurePlace) that has any, by the names of the places. An erasure
    /// that nothing disturbs MUST count the same. The count MUST NOT take a long statement, however large the tenant is.
    async fn count(&self, tenant: &TenantId) -> Result<Vec<PlaceCount>, StoreError>;

    /// The number of holds of the tenant.
    async fn count_holds(&self, tenant: &TenantId) -> Result<u64, StoreError>;

    /// Stores the erasure with its audit entry, revokes every credential, and queues the erasure for the ledger, all in one
    /// step. An erasure without an approval was applied from the ledger: holds are not asked, and nothing is queued.
    ///
    /// From then on every write that stores something for the tenant MUST be refused, as
    /// [erased](crate::conversation::UpsertOutcome::Erased) or with an error of the kind
    /// [`TenantErased`](crate::error::StoreErrorKind::TenantErased). Messages of a stored conversation MAY still be stored. Of
    /// a hold and an erasure at the same time, the later one MUST see the earlier one.
    async fn begin(
        &self,
        tenant: &TenantId,
        erasure: &TenantErasure,
        entry: AuditEntry,
    ) -> Result<TenantFenceOutcome, StoreError>;

    /// Waits until every write has ended that began before this call and could not see the erasure.
    ///
    /// # Errors
    /// [`Unavailable`](crate::error::StoreErrorKind::Unavailable) if that takes too long.
    async fn wait_for_earlier_writes(&self) -> Result<(), StoreError>;

    /// Removes some rows of the tenant in one short step, and adds their number to the counts of the erasure if they have a
    /// place. `None` if no such row is left in the tables that the step looks at: those that were empty in an earlier step of
    /// the pass are left out.
    async fn remove_some(
        &self,
        tenant: &TenantId,
        step: TenantRemovalStep,
        at: Timestamp,
    ) -> Result<Option<RemovedRows>, StoreError>;

    /// Adds to a count of the erasure.
    async fn add_count(&self, tenant: &TenantId, place: ErasurePlace, count: u64) -> Result<(), StoreError>;

    /// The number of objects that were erased in each place, by the names of the places.
    async fn erased_counts(&self, tenant: &TenantId) -> Result<Vec<PlaceCount>, StoreError>;

    /// Appends the audit entry, and completes the erasure at this time. If there is a draft, the store signs it as the
    /// receipt of the erasure, which follows the tenant's previous receipt. All of it is one step, which is done only if no
    /// row of the tenant is left. An erasure that is completed already is left as it is.
    async fn complete<'a>(
        &self,
        tenant: &TenantId,
        at: Timestamp,
        entry: AuditEntry,
        receipt: Option<(ReceiptDraft, &'a dyn Signer)>,
    ) -> Result<TenantCompletion, StoreError>;

    /// The [file](super::SignedReceipt::to_file) with the newest receipt of the erasure of the tenant.
    async fn receipt(&self, tenant: &TenantId) -> Result<Option<String>, StoreError>;
}
