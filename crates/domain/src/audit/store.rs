//! The port that stores the chains. Other stores append records in the same transaction as the recorded change.

use async_trait::async_trait;

use super::{AuditRecord, ChainHead, HeadSignature, StoredHead};
use crate::{access::TenantId, error::StoreError, signing::KeyFingerprint};

/// Reads the audit log and stores signatures. A store applies no rules: the rules are in this module.
///
/// [`CredentialStore`](crate::access::CredentialStore) and [`RedactionStore`](crate::redaction::RedactionStore) MUST
/// add the record of a change, and move the head as [`StoredHead::append`] defines, in the same step as the change: all
/// are stored, or none. Records of one tenant MUST follow each other without gaps or forks under any concurrency.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// All tenants that have a record, a head, a credential, a flag or a switch, ordered by name.
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError>;

    /// The stored head of a tenant's chain.
    async fn head(&self, tenant: &TenantId) -> Result<Option<StoredHead>, StoreError>;

    /// Whether a tenant has a record whose position is outside 1 to `last`.
    async fn has_records_beyond(&self, tenant: &TenantId, last: u64) -> Result<bool, StoreError>;

    /// Up to `limit` records of a tenant's chain after the position `after`, in order.
    async fn records(&self, tenant: &TenantId, after: u64, limit: u32) -> Result<Vec<AuditRecord>, StoreError>;

    /// The fingerprints of all keys that signed heads, without duplicates.
    async fn keys(&self) -> Result<Vec<KeyFingerprint>, StoreError>;

    /// Stores the signature of a head and returns whether the stored head is still that head. If not, nothing is
    /// stored.
    async fn sign(&self, tenant: &TenantId, head: &ChainHead, signature: &HeadSignature) -> Result<bool, StoreError>;
}
