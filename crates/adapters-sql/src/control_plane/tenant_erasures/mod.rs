//! Erasures of whole tenants in SQL.
//!
//! The row in `tenant_erasures` is the fence: triggers of `migrations/functions/erased_tenants.rs`, and the writers of
//! conversations, refuse what is stored for its tenant. `subject_data.rs` lists the tables whose rows are deleted.

mod completion;
mod counts;
mod fence;
mod removal;
mod rows;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    privacy::{
        ErasurePlace, OpenTenantErasures, PlaceCount, ReceiptDraft, RemovedRows, TenantCompletion, TenantErasure,
        TenantErasureStore, TenantFenceOutcome, TenantRemovalStep,
    },
    signing::Signer,
    time::Timestamp,
};

use crate::{
    Database,
    control_plane::{deleted_bytes::record_deletion, privacy_receipts},
};

/// Erases whole tenants in SQL.
#[derive(Clone, Debug)]
pub struct SqlTenantErasures(Database);

impl SqlTenantErasures {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl TenantErasureStore for SqlTenantErasures {
    #[tracing::instrument(level = "debug", name = "sql.tenant_erasures.find", skip_all, fields(%tenant))]
    async fn find(&self, tenant: &TenantId) -> Result<Option<TenantErasure>, StoreError> {
        rows::find(&self.0, tenant).await
    }

    #[tracing::instrument(level = "debug", name = "sql.tenant_erasures.open", skip_all)]
    async fn open(&self) -> Result<Option<OpenTenantErasures>, StoreError> {
        rows::open(&self.0).await
    }

    #[tracing::instrument(level = "debug", name = "sql.tenant_erasures.count", skip_all, fields(%tenant))]
    async fn count(&self, tenant: &TenantId) -> Result<Vec<PlaceCount>, StoreError> {
        counts::count_stored(&self.0, tenant).await
    }

    #[tracing::instrument(level = "debug", name = "sql.tenant_erasures.count_holds", skip_all, fields(%tenant))]
    async fn count_holds(&self, tenant: &TenantId) -> Result<u64, StoreError> {
        fence::count_holds(&self.0, tenant).await
    }

    #[tracing::instrument(level = "debug", name = "sql.tenant_erasures.begin", skip_all, fields(%tenant))]
    async fn begin(
        &self,
        tenant: &TenantId,
        erasure: &TenantErasure,
        entry: AuditEntry,
    ) -> Result<TenantFenceOutcome, StoreError> {
        self.0.write(fence::begin(&self.0, tenant, erasure, entry)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.tenant_erasures.wait_for_earlier_writes", skip_all)]
    async fn wait_for_earlier_writes(&self) -> Result<(), StoreError> {
        fence::wait_for_earlier_writes(&self.0).await
    }

    #[tracing::instrument(level = "debug", name = "sql.tenant_erasures.remove_some", skip_all, fields(%tenant))]
    async fn remove_some(
        &self,
        tenant: &TenantId,
        step: TenantRemovalStep,
        at: Timestamp,
    ) -> Result<Option<RemovedRows>, StoreError> {
        let removed = removal::remove_some(&self.0, tenant, step, at).await?;
        if removed.is_some() {
            record_deletion(&self.0);
        }
        Ok(removed)
    }

    #[tracing::instrument(level = "debug", name = "sql.tenant_erasures.add_count", skip_all, fields(%tenant))]
    async fn add_count(&self, tenant: &TenantId, place: ErasurePlace, count: u64) -> Result<(), StoreError> {
        self.0.write(counts::add(self.0.writer(), tenant, place, count)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.tenant_erasures.erased_counts", skip_all, fields(%tenant))]
    async fn erased_counts(&self, tenant: &TenantId) -> Result<Vec<PlaceCount>, StoreError> {
        counts::erased(&self.0, tenant).await
    }

    #[tracing::instrument(level = "debug", name = "sql.tenant_erasures.complete", skip_all, fields(%tenant))]
    async fn complete<'a>(
        &self,
        tenant: &TenantId,
        at: Timestamp,
        entry: AuditEntry,
        receipt: Option<(ReceiptDraft, &'a dyn Signer)>,
    ) -> Result<TenantCompletion, StoreError> {
        self.0.write(completion::complete(&self.0, tenant, at, entry, receipt)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.tenant_erasures.receipt", skip_all, fields(%tenant))]
    async fn receipt(&self, tenant: &TenantId) -> Result<Option<String>, StoreError> {
        let Some(erasure) = rows::find(&self.0, tenant).await? else { return Ok(None) };
        privacy_receipts::find(&self.0, tenant, &erasure.id, None).await
    }
}
