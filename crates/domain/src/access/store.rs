//! The ports of access: where credentials are kept, how secrets are made and digested.

use async_trait::async_trait;

use super::{ApiId, ApiSecret, Credential, SecretDigest, TenantId};
use crate::{error::StoreError, time::Timestamp};

/// Keeps credentials.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait CredentialStore: Send + Sync {
    /// The credential with this identifier, revoked or not.
    async fn find(&self, id: &ApiId) -> Result<Option<Credential>, StoreError>;

    /// Keeps a new credential. Its identifier is new. As every change here it lands with its
    /// [`Entry`](crate::audit::Entry) in the audit log, or not at all.
    async fn insert(&self, credential: &Credential) -> Result<(), StoreError>;

    /// The credentials of one tenant, or of all, by tenant and then by age.
    async fn list<'a>(&self, tenant: Option<&'a TenantId>) -> Result<Vec<Credential>, StoreError>;

    /// Replaces the digest of a credential that is not revoked; the one it had is accepted until `keep_until`.
    /// Answers whether there was such a credential.
    async fn rotate(
        &self,
        id: &ApiId,
        digest: &SecretDigest,
        keep_until: Timestamp,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Revokes a credential for good; one that is revoked already keeps the time of the first, and leaves no new entry.
    /// Answers whether there is such a credential.
    async fn revoke(&self, id: &ApiId, at: Timestamp) -> Result<bool, StoreError>;
}

/// Digests secrets, by SHA-256: secrets are 256 random bits, so there is nothing to guess that a slow hash would guard.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait SecretDigester: Send + Sync {
    /// The digest of a secret.
    fn digest(&self, secret: &ApiSecret) -> SecretDigest;
}

/// Makes secrets.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait SecretSource: Send + Sync {
    /// A new secret of 256 random bits, in characters that need no quoting in a header or a shell.
    ///
    /// # Errors
    /// Where the system has no randomness to give.
    fn next(&self) -> Result<ApiSecret, StoreError>;
}
