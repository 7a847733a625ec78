//! The wiring of the erasure of whole tenants.

use std::sync::Arc;

use anyhow::{Context, bail};
use parlance_adapters_sql::{SqlChangeLog, SqlDeliveries, SqlTenantErasures, SqlTenants};
use parlance_domain::{
    access::TenantId,
    privacy::{DerivedData, KnownUncoveredCopy, TenantErasureStore, TenantErasures, TenantRemoval},
};

use crate::{
    delivery::open_component, operator, settings::Settings, tenant_vocabulary::DeliveredVocabulary, wiring::Stores,
};

impl Stores {
    /// Builds the service that erases whole tenants. Its audit records name the operator.
    ///
    /// # Errors
    /// If `ledger_url` or `vocabulary_delivery_url` is not an address that can be opened.
    pub(crate) fn tenant_erasures(&self, settings: &Settings) -> anyhow::Result<TenantErasures> {
        let mut derived = self.derived_data(settings);
        derived.push(Arc::new(self.delivered_vocabulary(settings)?));
        let store = SqlTenantErasures::new(self.database.clone().with_operator(operator::current()));
        let removal = TenantRemoval::new(
            (Arc::new(store), self.deleted_byte_store()),
            derived,
            Arc::clone(&self.ids),
            Arc::clone(&self.clock),
        );
        let tenants = Arc::new(SqlTenants::new(self.database.clone()));
        let mut not_covered = self.uncovered_copies(settings);
        // The files of feeds are removed, whoever produced them.
        not_covered.retain(|copy| *copy != KnownUncoveredCopy::FeedFiles);
        if settings.vocabulary_delivery.is_none() {
            not_covered.push(KnownUncoveredCopy::DeliveredVocabularies);
        }
        let erasures = TenantErasures::new(removal, tenants, (self.database.signer(), not_covered));
        Ok(self.ledger(settings)?.into_iter().fold(erasures, TenantErasures::with_ledger))
    }

    /// Builds what removes the tenants that the ledger names. The transcription component is left alone: it gets nothing from a
    /// restored database.
    pub(crate) fn tenant_removal_from_stores(&self, settings: &Settings) -> TenantRemoval {
        let derived = self.derived_data(settings);
        TenantRemoval::new(
            (self.tenant_erasure_store(), self.deleted_byte_store()),
            derived,
            Arc::clone(&self.ids),
            Arc::clone(&self.clock),
        )
    }

    fn derived_data(&self, settings: &Settings) -> Vec<Arc<dyn DerivedData>> {
        let log = Arc::new(SqlChangeLog::new(self.database.clone()));
        vec![Arc::new(self.feed_rewriter(settings, log, None))]
    }

    fn delivered_vocabulary(&self, settings: &Settings) -> anyhow::Result<DeliveredVocabulary> {
        let open = |target| open_component(target, settings.output_mode, Arc::clone(&self.clock), &self.tracers);
        let component = settings.vocabulary_delivery.as_ref().map(open).transpose()?;
        let store = Arc::new(SqlDeliveries::new(self.database.clone()));
        Ok(DeliveredVocabulary::new(store, component, self.leases(), Arc::clone(&self.clock)))
    }

    fn tenant_erasure_store(&self) -> Arc<dyn TenantErasureStore> {
        Arc::new(SqlTenantErasures::new(self.database.clone()))
    }

    /// Fails if the tenant is erased or being erased: nothing is stored for it any more.
    ///
    /// # Errors
    /// One line that names the tenant.
    pub(crate) async fn ensure_tenant_is_not_erased(&self, tenant: &TenantId) -> anyhow::Result<()> {
        match self.tenant_erasure_store().find(tenant).await.context("database_url")? {
            None => Ok(()),
            Some(erasure) => match erasure.completed_at {
                Some(at) => bail!("--tenant: the tenant {tenant} was erased at {at}: its name cannot be used again"),
                None => bail!(
                    "--tenant: the tenant {tenant} is being erased since {}: its name cannot be used again",
                    erasure.requested_at
                ),
            },
        }
    }
}
