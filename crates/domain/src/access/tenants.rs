//! The port that tells which tenants there are.

use async_trait::async_trait;

use super::TenantId;
use crate::error::StoreError;

/// Tells which tenants there are. Nothing creates a tenant: it is there once something of it is.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait TenantStore: Send + Sync {
    /// Whether there is a credential, a conversation, a vocabulary entry, a redaction switch, or a record or head of the
    /// audit log of this tenant.
    async fn is_known(&self, tenant: &TenantId) -> Result<bool, StoreError>;
}
