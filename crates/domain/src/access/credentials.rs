//! Issuing, rotating and revoking credentials: the use cases of the operator's command line.

use std::sync::Arc;

use super::{
    ApiId, ApiSecret, Credential, CredentialError, CredentialName, CredentialStore, Permissions, SecretDigester,
    SecretSource, TenantId,
};
use crate::{error::StoreError, id::IdSource, time::Clock};

/// Manages credentials for the operator. The methods take no [`Caller`](super::Caller): the operator has access to the
/// database.
#[derive(Clone)]
pub struct Credentials {
    store: Arc<dyn CredentialStore>,
    digester: Arc<dyn SecretDigester>,
    secrets: Arc<dyn SecretSource>,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

/// A new credential with its plain secret, which is available only here.
#[derive(Debug)]
pub struct IssuedCredential {
    /// The public identifier.
    pub id: ApiId,
    /// The plain secret. It is not stored and cannot be read again.
    pub secret: ApiSecret,
    /// The permissions.
    pub permissions: Permissions,
}

impl Credentials {
    /// Manages the credentials of this store.
    #[must_use]
    pub fn new(
        store: Arc<dyn CredentialStore>,
        digester: Arc<dyn SecretDigester>,
        secrets: Arc<dyn SecretSource>,
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, digester, secrets, ids, clock }
    }

    /// Issues a new credential.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn create(
        &self,
        tenant: TenantId,
        name: CredentialName,
        permissions: Permissions,
    ) -> Result<IssuedCredential, StoreError> {
        let now = self.clock.now();
        let id = ApiId::new(tenant, self.ids.next(now));
        let secret = self.secrets.next()?;
        let digest = self.digester.digest(&secret);
        let credential =
            Credential { id, name, permissions, digest, previous: None, created_at: now, revoked_at: None };
        self.store.insert(&credential).await?;
        Ok(IssuedCredential { id: credential.id, secret, permissions })
    }

    /// The credentials of one tenant or of all tenants, including revoked ones.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list(&self, tenant: Option<&TenantId>) -> Result<Vec<Credential>, StoreError> {
        self.store.list(tenant).await
    }

    /// Replaces the secret of a credential. The previous secret is accepted for `keep_seconds` more, and for up to
    /// [`CREDENTIAL_CACHE_SECONDS`](crate::limits::CREDENTIAL_CACHE_SECONDS) on replicas that have cached it.
    ///
    /// # Errors
    /// [`CredentialError::NotFound`] if the credential does not exist or is revoked; [`CredentialError::Store`].
    pub async fn rotate(&self, id: &ApiId, keep_seconds: u32) -> Result<IssuedCredential, CredentialError> {
        let found = self.store.find(id).await?.ok_or(CredentialError::NotFound)?;
        let secret = self.secrets.next()?;
        let digest = self.digester.digest(&secret);
        let now = self.clock.now();
        let previous_valid_until = now.plus_seconds(i64::from(keep_seconds));
        if !self.store.rotate(id, &digest, previous_valid_until, now).await? {
            return Err(CredentialError::NotFound);
        }
        Ok(IssuedCredential { id: found.id, secret, permissions: found.permissions })
    }

    /// Revokes a credential permanently. Replicas that have cached it accept it for up to
    /// [`CREDENTIAL_CACHE_SECONDS`](crate::limits::CREDENTIAL_CACHE_SECONDS) more.
    ///
    /// # Errors
    /// [`CredentialError::NotFound`] if the credential does not exist; [`CredentialError::Store`].
    pub async fn revoke(&self, id: &ApiId) -> Result<(), CredentialError> {
        if self.store.revoke(id, self.clock.now()).await? { Ok(()) } else { Err(CredentialError::NotFound) }
    }
}
