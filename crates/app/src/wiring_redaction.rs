//! The wiring of the services that redact stored messages outside their conversations.

use std::sync::Arc;

use parlance_adapters_sql::{SqlFeedSource, SqlMessages, SqlRedaction};
use parlance_domain::{
    access::TenantId,
    backtest::Backtest,
    error::StoreError,
    message::ExportRedaction,
    redaction::{ActiveEntityCache, EntitySet},
};

use crate::wiring::Stores;

impl Stores {
    /// Builds the redaction of stored messages in another order than that of their conversations.
    pub(crate) fn export_redaction(&self, active: ActiveEntityCache) -> ExportRedaction {
        ExportRedaction::new(Arc::new(SqlMessages::new(self.database.clone())), self.redactions.messages(active))
    }

    /// Builds the back-test.
    pub(crate) fn backtest(&self, active: ActiveEntityCache) -> Backtest {
        let source = Arc::new(SqlFeedSource::new(self.database.clone()));
        Backtest::new(source, self.export_redaction(active), Arc::clone(&self.monotonic))
    }

    /// The entities that are active for a tenant.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn active_entities(&self, tenant: &TenantId) -> Result<EntitySet, StoreError> {
        let store = Arc::new(SqlRedaction::new(self.database.clone()));
        let active = ActiveEntityCache::new(store, Arc::clone(&self.monotonic));
        self.export_redaction(active).active_entities(tenant).await
    }
}
