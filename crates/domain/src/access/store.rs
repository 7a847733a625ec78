//! The ports of access control: the store of credentials, the source of secrets and their digester.

use async_trait::async_trait;

use super::{ApiId, ApiSecret, Credential, SecretDigest, TenantId};
use crate::{error::StoreError, time::Timestamp};

/// Stores credentials.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait CredentialStore: Send + Sync {
    /// The credential with this identifier, including a revoked one.
    async fn find(&self, id: &ApiId) -> Result<Option<Credential>, StoreError>;

    /// Stores a new credential, whose identifier is unused. Like every change of this port, the write and its
    /// [`AuditEntry`](crate::audit::AuditEntry) in the audit log are stored together or not at all.
    async fn insert(&self, credential: &Credential) -> Result<(), StoreError>;

    /// The credentials of one tenant or of all tenants, ordered by tenant and then by age.
    async fn list<'a>(&self, tenant: Option<&'a TenantId>) -> Result<Vec<Credential>, StoreError>;

    /// Replaces the digest of a credential that is not revoked, and returns whether there was such a credential. The
    /// previous digest is accepted until `previous_valid_until`.
    async fn rotate(
        &self,
        id: &ApiId,
        digest: &SecretDigest,
        previous_valid_until: Timestamp,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Revokes a credential permanently. A second revocation keeps the time of the first and adds no audit entry.
    /// Returns whether the credential exists.
    async fn revoke(&self, id: &ApiId, at: Timestamp) -> Result<bool, StoreError>;
}

/// Digests secrets by SHA-256. A slow hash would add nothing: secrets have 256 random bits and cannot be guessed.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait SecretDigester: Send + Sync {
    /// The digest of a secret.
    fn digest(&self, secret: &ApiSecret) -> SecretDigest;
}

/// Generates secrets.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait SecretSource: Send + Sync {
    /// A new secret of 256 random bits. Its characters need no quoting in a header or a shell.
    ///
    /// # Errors
    /// If the system provides no randomness.
    fn next(&self) -> Result<ApiSecret, StoreError>;
}
