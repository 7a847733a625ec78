//! The port that keeps the chains. What adds to them are the stores of what is recorded, in one step with the change.

use async_trait::async_trait;

use super::{Head, HeadSignature, KeptHead, Record};
use crate::{access::TenantId, error::StoreError, signing::KeyFingerprint};

/// Lists what is kept of the audit log, and keeps signatures. It judges nothing: the rules are in this module.
///
/// [`CredentialStore`](crate::access::CredentialStore) and [`RedactionStore`](crate::redaction::RedactionStore) MUST add
/// the record of a change, and move the head as [`KeptHead::append`] says, in the step that makes the change: all of them
/// land, or none. Records of one tenant MUST follow each other without gaps or forks, however many are added at once.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// Each tenant that has a record, a head, a credential, a flag or a switch, by name.
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError>;

    /// The head that is kept beside a tenant's chain.
    async fn head(&self, tenant: &TenantId) -> Result<Option<KeptHead>, StoreError>;

    /// Whether a tenant has a record whose place is not from one to `last`.
    async fn has_beyond(&self, tenant: &TenantId, last: u64) -> Result<bool, StoreError>;

    /// Up to `limit` records of a tenant's chain with a higher place than `after`, in their order.
    async fn records(&self, tenant: &TenantId, after: u64, limit: u32) -> Result<Vec<Record>, StoreError>;

    /// The keys that signed heads, each once.
    async fn keys(&self) -> Result<Vec<KeyFingerprint>, StoreError>;

    /// Keeps the signature of a head, and tells whether the head is still that one. Nothing is kept where it is not.
    async fn sign(&self, tenant: &TenantId, head: &Head, signature: &HeadSignature) -> Result<bool, StoreError>;
}
