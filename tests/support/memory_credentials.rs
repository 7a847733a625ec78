//! Credentials in memory.

use async_trait::async_trait;
use parlance_domain::{
    access::{ApiId, Credential, CredentialStore, SecretDigest, TenantId},
    error::StoreError,
    time::Timestamp,
};

use crate::memory::Memory;

#[async_trait]
impl CredentialStore for Memory {
    async fn find(&self, id: &ApiId) -> Result<Option<Credential>, StoreError> {
        Ok(self.of(id.tenant(), |own| own.credentials.get(id.as_str()).cloned()))
    }

    async fn insert(&self, credential: &Credential) -> Result<(), StoreError> {
        self.of(credential.id.tenant(), |own| {
            own.credentials.insert(credential.id.as_str().to_owned(), credential.clone());
        });
        Ok(())
    }

    async fn list<'a>(&self, tenant: Option<&'a TenantId>) -> Result<Vec<Credential>, StoreError> {
        let tenants = self.tenants();
        let asked = tenants.iter().filter(|(name, _)| tenant.is_none_or(|asked| asked == *name));
        let by_age = asked.flat_map(|(_, own)| {
            let mut credentials: Vec<_> = own.credentials.values().cloned().collect();
            credentials.sort_by_key(|credential| credential.created_at);
            credentials
        });
        Ok(by_age.collect())
    }

    async fn rotate(&self, id: &ApiId, digest: &SecretDigest, keep_until: Timestamp) -> Result<bool, StoreError> {
        Ok(self.of(id.tenant(), |own| {
            let valid = own.credentials.get_mut(id.as_str()).filter(|credential| credential.revoked_at.is_none());
            let Some(credential) = valid else { return false };
            credential.previous = Some((credential.digest, keep_until));
            credential.digest = *digest;
            true
        }))
    }

    async fn revoke(&self, id: &ApiId, at: Timestamp) -> Result<bool, StoreError> {
        Ok(self.of(id.tenant(), |own| {
            let Some(credential) = own.credentials.get_mut(id.as_str()) else { return false };
            credential.revoked_at.get_or_insert(at);
            true
        }))
    }
}
