//! The stores of credentials, redaction switches and the audit log in memory.

use std::sync::Arc;

use async_trait::async_trait;
use parlance_domain::{
    access::{ApiId, Credential, CredentialStore, SecretDigest, TenantId, TenantStore},
    audit::{AuditStore, Entry, Head, HeadSignature, KeptHead, Record},
    error::StoreError,
    redaction::{Commit, Flags, RedactionStore, Switch, SwitchRecord},
    signing::{KeyFingerprint, Signer},
    time::Timestamp,
};

use crate::memory::{Belongings, Memory};

impl Belongings {
    fn head(&self) -> KeptHead {
        let head = self.audit.last().map_or(Head::START, Record::head);
        KeptHead { head, signature: self.signature.clone() }
    }

    fn record(&mut self, tenant: &TenantId, entry: Entry, signer: Option<&Arc<dyn Signer>>) {
        let appended = self.head().append(tenant, entry, signer.map(Arc::as_ref));
        let (record, head) = appended.expect("a chain in memory has one key from its first record on");
        self.audit.push(record);
        self.signature = head.signature;
    }

    fn is_on_record(&self) -> bool {
        !(self.audit.is_empty() && self.credentials.is_empty() && self.switches.is_empty()) || self.flags.is_some()
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
            own.record(credential.id.tenant(), Entry::created(credential), self.signer.as_ref());
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
            own.record(id.tenant(), Entry::rotated(id, keep_until, at), self.signer.as_ref());
            true
        }))
    }

    async fn revoke(&self, id: &ApiId, at: Timestamp) -> Result<bool, StoreError> {
        Ok(self.of(id.tenant(), |own| {
            let Some(credential) = own.credentials.get_mut(id.as_str()) else { return false };
            if credential.revoked_at.is_none() {
                credential.revoked_at = Some(at);
                own.record(id.tenant(), Entry::revoked(id, at), self.signer.as_ref());
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
            own.record(tenant, Entry::switched(&switch.record), self.signer.as_ref());
            Commit::Committed
        }))
    }

    async fn log(&self, tenant: &TenantId) -> Result<Vec<SwitchRecord>, StoreError> {
        Ok(self.of(tenant, |own| own.switches.clone()))
    }
}

#[async_trait]
impl AuditStore for Memory {
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        let tenants = self.tenants();
        Ok(tenants.iter().filter(|(_, own)| own.is_on_record()).map(|(tenant, _)| tenant.clone()).collect())
    }

    async fn head(&self, tenant: &TenantId) -> Result<Option<KeptHead>, StoreError> {
        Ok(self.of(tenant, |own| (!own.audit.is_empty()).then(|| own.head())))
    }

    async fn has_beyond(&self, tenant: &TenantId, last: u64) -> Result<bool, StoreError> {
        let inside = 1..=last;
        Ok(self.of(tenant, |own| own.audit.iter().any(|record| !inside.contains(&record.sequence))))
    }

    async fn records(&self, tenant: &TenantId, after: u64, limit: u32) -> Result<Vec<Record>, StoreError> {
        let most = usize::try_from(limit).unwrap();
        let later = |record: &&Record| record.sequence > after;
        Ok(self.of(tenant, |own| own.audit.iter().filter(later).take(most).cloned().collect()))
    }

    async fn keys(&self) -> Result<Vec<KeyFingerprint>, StoreError> {
        let mut keys: Vec<_> = self.tenants().values().filter_map(|own| Some(own.signature.as_ref()?.key)).collect();
        keys.sort();
        keys.dedup();
        Ok(keys)
    }

    async fn sign(&self, tenant: &TenantId, head: &Head, signature: &HeadSignature) -> Result<bool, StoreError> {
        Ok(self.of(tenant, |own| {
            let is_there = !own.audit.is_empty() && own.head().head == *head;
            if is_there {
                own.signature = Some(signature.clone());
            }
            is_there
        }))
    }
}

#[async_trait]
impl TenantStore for Memory {
    async fn is_known(&self, tenant: &TenantId) -> Result<bool, StoreError> {
        Ok(self.of(tenant, |own| own.is_on_record() || !(own.conversations.is_empty() && own.vocabulary.is_empty())))
    }
}
