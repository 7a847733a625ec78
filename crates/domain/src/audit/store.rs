//! The port that keeps the chains. What adds to them are the stores of what is recorded, in one step with the change.

use async_trait::async_trait;

use super::{Head, Record};
use crate::{access::TenantId, error::StoreError};

/// Reads the chains of the audit log.
///
/// [`CredentialStore`](crate::access::CredentialStore) and [`RedactionStore`](crate::redaction::RedactionStore) MUST add
/// the record of a change in the step that makes the change: both land, or neither. Records of one tenant MUST follow
/// each other without gaps or forks, however many are added at once.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// Each tenant that has a chain, by name, with the head that is kept beside the chain.
    async fn heads(&self) -> Result<Vec<(TenantId, Head)>, StoreError>;

    /// Up to `limit` records of a tenant's chain with a higher place than `after`, in their order.
    async fn records(&self, tenant: &TenantId, after: u64, limit: u32) -> Result<Vec<Record>, StoreError>;
}
