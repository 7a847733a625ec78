//! The stores of credentials, redaction switches and the audit log in memory.

use async_trait::async_trait;
use parlance_domain::{
    access::{ApiId, Credential, CredentialStore, SecretDigest, TenantId},
    audit::{AuditStore, Entry, Head, Record},
    error::StoreError,
    redaction::{Commit, Flags, RedactionStore, Switch, SwitchRecord},
    time::Timestamp,
};

use crate::memory::{Belongings, Memory};

impl Belongings {
    fn head(&self) -> Head {
        self.audit.last().map_or(Head::START, |last| Head { sequence: last.sequence, hash: last.hash })
    }

    fn record(&mut self, tenant: &TenantId, entry: Entry) {
        self.audit.push(self.head().next(tenant, entry));
    }
}

#[async_trait]
impl CredentialStore for Memory {
    async fn find(&self, id: &ApiId) -> Result<Option<Credential>, StoreError> {
        Ok(self.of(id.tenant(), |own| own.credentials.get(id.as_str()).cloned()))
    }

    async fn insert(&self, credential: &Credential) -> Result<(), StoreError> {
        self.of(credential.id.tenant(), |own| {
            own.credentials.insert(credential.id.as_str().to_owned(), credential.clone());
            own.record(credential.id.tenant(), Entry::created(credential));
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

    async fn rotate(
        &self,
        id: &ApiId,
        digest: &SecretDigest,
        keep_until: Timestamp,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        Ok(self.of(id.tenant(), |own| {
            let valid = own.credentials.get_mut(id.as_str()).filter(|credential| credential.revoked_at.is_none());
            let Some(credential) = valid else { return false };
            credential.previous = Some((credential.digest.clone(), keep_until));
            credential.digest = digest.clone();
            own.record(id.tenant(), Entry::rotated(id, keep_until, at));
            true
        }))
    }

    async fn revoke(&self, id: &ApiId, at: Timestamp) -> Result<bool, StoreError> {
        Ok(self.of(id.tenant(), |own| {
            let Some(credential) = own.credentials.get_mut(id.as_str()) else { return false };
            if credential.revoked_at.is_none() {
                credential.revoked_at = Some(at);
                own.record(id.tenant(), Entry::revoked(id, at));
            }
            true
        }))
    }
}

#[async_trait]
impl RedactionStore for Memory {
    async fn flags(&self, tenant: &TenantId) -> Result<Flags, StoreError> {
        Ok(self.of(tenant, |own| own.flags.unwrap_or_else(Flags::none)))
    }

    async fn set(&self, tenant: &TenantId, switch: &Switch) -> Result<Commit, StoreError> {
        Ok(self.of(tenant, |own| {
            let flags = own.flags.get_or_insert_with(Flags::none);
            if flags.get(switch.record.entity) != switch.presumes {
                return Commit::Superseded;
            }
            flags.set(switch.record.entity, switch.record.to);
            own.switches.push(switch.record.clone());
            own.switches.sort_by_key(|record| (record.at, record.id.clone()));
            own.record(tenant, Entry::switched(&switch.record));
            Commit::Committed
        }))
    }

    async fn log(&self, tenant: &TenantId) -> Result<Vec<SwitchRecord>, StoreError> {
        Ok(self.of(tenant, |own| own.switches.clone()))
    }
}

#[async_trait]
impl AuditStore for Memory {
    async fn heads(&self) -> Result<Vec<(TenantId, Head)>, StoreError> {
        let tenants = self.tenants();
        let chains = tenants.iter().filter(|(_, own)| !own.audit.is_empty());
        Ok(chains.map(|(tenant, own)| (tenant.clone(), own.head())).collect())
    }

    async fn records(&self, tenant: &TenantId, after: u64, limit: u32) -> Result<Vec<Record>, StoreError> {
        let most = usize::try_from(limit).unwrap();
        let later = |record: &&Record| record.sequence > after;
        Ok(self.of(tenant, |own| own.audit.iter().filter(later).take(most).cloned().collect()))
    }
}
