//! The port that checks whether a tenant exists.

use async_trait::async_trait;

use super::TenantId;
use crate::error::StoreError;

/// Checks whether a tenant exists. No call creates a tenant: a tenant exists as soon as some of its data exists.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait TenantStore: Send + Sync {
    /// Whether a credential, a conversation, a vocabulary entry, a redaction switch, or a record or head of the audit
    /// log of this tenant exists.
    async fn exists(&self, tenant: &TenantId) -> Result<bool, StoreError>;
}
