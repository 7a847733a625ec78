//! Issuing, rotating and revoking credentials: what an operator does, at the command line.

use std::sync::Arc;

use super::{
    ApiId, ApiSecret, Credential, CredentialName, CredentialStore, Permissions, SecretDigester, SecretSource, TenantId,
};
use crate::{
    error::{Error, Resource},
    id::IdSource,
    time::Clock,
};

/// The operator's side of credentials. It takes no [`Caller`](super::Caller): whoever runs it has the database.
#[derive(Clone)]
pub struct Credentials {
    store: Arc<dyn CredentialStore>,
    digester: Arc<dyn SecretDigester>,
    secrets: Arc<dyn SecretSource>,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

/// A credential with its secret, which is known this once only.
#[derive(Debug)]
pub struct IssuedCredential {
    /// The public identifier.
    pub id: ApiId,
    /// The secret. It is not stored and cannot be had again.
    pub secret: ApiSecret,
    /// What the credential may do.
    pub permissions: Permissions,
}

impl Credentials {
    /// Issues into this store.
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
    /// [`Error::Store`].
    pub async fn create(
        &self,
        tenant: TenantId,
        name: CredentialName,
        permissions: Permissions,
    ) -> Result<IssuedCredential, Error> {
        let now = self.clock.now();
        let id = ApiId::new(tenant, self.ids.next(now));
        let secret = self.secrets.next()?;
        let digest = self.digester.digest(&secret);
        let credential =
            Credential { id, name, permissions, digest, previous: None, created_at: now, revoked_at: None };
        self.store.insert(&credential).await?;
        Ok(IssuedCredential { id: credential.id, secret, permissions })
    }

    /// The credentials of one tenant, or of all, revoked ones included.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(&self, tenant: Option<&TenantId>) -> Result<Vec<Credential>, Error> {
        Ok(self.store.list(tenant).await?)
    }

    /// Gives a credential a new secret. The old one is accepted for `keep_seconds` more, and on replicas that trust
    /// it already for up to [`CREDENTIAL_TRUST_SECONDS`](crate::limits::CREDENTIAL_TRUST_SECONDS).
    ///
    /// # Errors
    /// [`Error::Missing`] where there is no such credential or it is revoked; [`Error::Store`].
    pub async fn rotate(&self, id: &ApiId, keep_seconds: u32) -> Result<IssuedCredential, Error> {
        let found = self.store.find(id).await?.ok_or(Error::Missing(Resource::Credential))?;
        let secret = self.secrets.next()?;
        let digest = self.digester.digest(&secret);
        let now = self.clock.now();
        let keep_until = now.plus_seconds(i64::from(keep_seconds));
        if !self.store.rotate(id, &digest, keep_until, now).await? {
            return Err(Error::Missing(Resource::Credential));
        }
        Ok(IssuedCredential { id: found.id, secret, permissions: found.permissions })
    }

    /// Revokes a credential for good. Replicas that trust it already do so for up to
    /// [`CREDENTIAL_TRUST_SECONDS`](crate::limits::CREDENTIAL_TRUST_SECONDS) more.
    ///
    /// # Errors
    /// [`Error::Missing`] where there is no such credential; [`Error::Store`].
    pub async fn revoke(&self, id: &ApiId) -> Result<(), Error> {
        if self.store.revoke(id, self.clock.now()).await? { Ok(()) } else { Err(Error::Missing(Resource::Credential)) }
    }
}
