//! The stores of credentials, redaction switches and the audit log in memory.

use std::sync::Arc;

use async_trait::async_trait;
use parlance_domain::{
    access::{ApiId, Credential, CredentialStore, SecretDigest, TenantId, TenantStore},
    audit::{AuditEntry, AuditRecord, AuditStore, ChainHead, HeadSignature, StoredHead},
    error::StoreError,
    event::Change,
    redaction::{CommitOutcome, Flags, RedactionStore, Switch, SwitchRecord},
    signing::{KeyFingerprint, Signer},
    time::Timestamp,
};

use crate::memory::{MemoryStore, TenantData};

impl TenantData {
    fn head(&self) -> StoredHead {
        let head = self.audit.last().map_or(ChainHead::START, AuditRecord::head);
        StoredHead { head, signature: self.signature.clone() }
    }

    pub(crate) fn append_audit(&mut self, tenant: &TenantId, entry: AuditEntry, signer: Option<&Arc<dyn Signer>>) {
        let appended = self.head().append(tenant, entry, signer.map(Arc::as_ref));
        let (record, head) = appended.expect("an audit chain in memory has one key from its first record on");
        self.audit.push(record);
        self.signature = head.signature;
    }

    fn has_audited_data(&self) -> bool {
        !(self.audit.is_empty() && self.credentials.is_empty() && self.switches.is_empty()) || self.flags.is_some()
    }
}

#[async_trait]
impl CredentialStore for MemoryStore {
    async fn find(&self, id: &ApiId) -> Result<Option<Credential>, StoreError> {
        Ok(self.with_tenant(id.tenant(), |data| data.credentials.get(id.as_str()).cloned()))
    }

    async fn insert(&self, credential: &Credential) -> Result<(), StoreError> {
        self.ensure_not_erased(credential.id.tenant())?;
        self.with_tenant(credential.id.tenant(), |data| {
            data.credentials.insert(credential.id.as_str().to_owned(), credential.clone());
            data.append_audit(credential.id.tenant(), AuditEntry::credential_created(credential), self.signer.as_ref());
        });
        Ok(())
    }

    async fn list<'a>(&self, tenant: Option<&'a TenantId>) -> Result<Vec<Credential>, StoreError> {
        let tenants = self.lock_tenants();
        let selected = tenants.iter().filter(|(name, _)| tenant.is_none_or(|tenant| tenant == *name));
        let by_age = selected.flat_map(|(_, data)| {
            let mut credentials: Vec<_> = data.credentials.values().cloned().collect();
            credentials.sort_by_key(|credential| credential.created_at);
            credentials
        });
        Ok(by_age.collect())
    }

    async fn rotate(
        &self,
        id: &ApiId,
        digest: &SecretDigest,
        previous_valid_until: Timestamp,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        Ok(self.with_tenant(id.tenant(), |data| {
            let valid = data.credentials.get_mut(id.as_str()).filter(|credential| credential.revoked_at.is_none());
            let Some(credential) = valid else { return false };
            credential.previous = Some((credential.digest.clone(), previous_valid_until));
            credential.digest = digest.clone();
            data.append_audit(
                id.tenant(),
                AuditEntry::credential_rotated(id, previous_valid_until, at),
                self.signer.as_ref(),
            );
            true
        }))
    }

    async fn revoke(&self, id: &ApiId, at: Timestamp) -> Result<bool, StoreError> {
        Ok(self.with_tenant(id.tenant(), |data| {
            let Some(credential) = data.credentials.get_mut(id.as_str()) else { return false };
            if credential.revoked_at.is_none() {
                credential.revoked_at = Some(at);
                data.append_audit(id.tenant(), AuditEntry::credential_revoked(id, at), self.signer.as_ref());
            }
            true
        }))
    }
}

#[async_trait]
impl RedactionStore for MemoryStore {
    async fn flags(&self, tenant: &TenantId) -> Result<Flags, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.flags.unwrap_or_else(Flags::none)))
    }

    async fn set(&self, tenant: &TenantId, switch: &Switch) -> Result<CommitOutcome, StoreError> {
        self.ensure_not_erased(tenant)?;
        Ok(self.with_tenant(tenant, |data| {
            let flags = data.flags.get_or_insert_with(Flags::none);
            if flags.get(switch.record.entity) != switch.expected {
                return CommitOutcome::PreconditionFailed;
            }
            flags.set(switch.record.entity, switch.record.to);
            data.log.append([Change::RedactionSwitched(switch.record.entity)]);
            data.switches.push(switch.record.clone());
            data.switches.sort_by_key(|record| (record.switched_at, record.id.clone()));
            data.append_audit(tenant, AuditEntry::entity_switched(&switch.record), self.signer.as_ref());
            CommitOutcome::Committed
        }))
    }

    async fn log(&self, tenant: &TenantId) -> Result<Vec<SwitchRecord>, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.switches.clone()))
    }
}

#[async_trait]
impl AuditStore for MemoryStore {
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        let tenants = self.lock_tenants();
        Ok(tenants.iter().filter(|(_, data)| data.has_audited_data()).map(|(tenant, _)| tenant.clone()).collect())
    }

    async fn head(&self, tenant: &TenantId) -> Result<Option<StoredHead>, StoreError> {
        Ok(self.with_tenant(tenant, |data| (!data.audit.is_empty()).then(|| data.head())))
    }

    async fn has_records_beyond(&self, tenant: &TenantId, last: u64) -> Result<bool, StoreError> {
        let expected = 1..=last;
        Ok(self.with_tenant(tenant, |data| data.audit.iter().any(|record| !expected.contains(&record.sequence))))
    }

    async fn records(&self, tenant: &TenantId, after: u64, limit: u32) -> Result<Vec<AuditRecord>, StoreError> {
        let limit = usize::try_from(limit).unwrap();
        let later = |record: &&AuditRecord| record.sequence > after;
        Ok(self.with_tenant(tenant, |data| data.audit.iter().filter(later).take(limit).cloned().collect()))
    }

    async fn keys(&self) -> Result<Vec<KeyFingerprint>, StoreError> {
        let mut keys: Vec<_> =
            self.lock_tenants().values().filter_map(|data| Some(data.signature.as_ref()?.key)).collect();
        keys.sort();
        keys.dedup();
        Ok(keys)
    }

    async fn sign(&self, tenant: &TenantId, head: &ChainHead, signature: &HeadSignature) -> Result<bool, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let is_current = !data.audit.is_empty() && data.head().head == *head;
            if is_current {
                data.signature = Some(signature.clone());
            }
            is_current
        }))
    }
}

#[async_trait]
impl TenantStore for MemoryStore {
    async fn exists(&self, tenant: &TenantId) -> Result<bool, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            data.has_audited_data() || !(data.conversations.is_empty() && data.vocabulary.is_empty())
        }))
    }
}
