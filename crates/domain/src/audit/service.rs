//! The use cases of the audit log: list, verify, sign and anchor chains.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Anchor, AuditRecord, AuditStore, ChainHead, ChainSnapshot, Finding, HeadFault, HeadSignature, Period, StoredState,
    Verification, verification::ChainVerifier,
};
use crate::{
    access::{CredentialStore, TenantId},
    error::{StoreError, StoreErrorKind},
    redaction::RedactionStore,
    signing::{KeyFingerprint, Signer, Verifier},
    time::Timestamp,
};

/// Records per page.
const PAGE_RECORDS: u32 = 1_000;

/// The maximum number of attempts to read a consistent snapshot of a tenant.
const MAX_SNAPSHOT_ATTEMPTS: usize = 8;

/// Reads and verifies the audit log for the operator. The methods take no [`Caller`](crate::access::Caller): the
/// operator has access to the database.
#[derive(Clone)]
pub struct Audit {
    store: Arc<dyn AuditStore>,
    credentials: Arc<dyn CredentialStore>,
    redaction: Arc<dyn RedactionStore>,
    key: Option<Arc<dyn Signer>>,
}

/// The scope of a verification.
#[derive(Debug, Clone, Default)]
pub struct VerificationScope {
    /// The tenant to verify; `None` verifies all tenants.
    pub tenant: Option<TenantId>,
    /// The period in which records are counted. Verification always covers all records.
    pub period: Period,
    /// Heads that were stored elsewhere. The chains must still contain them.
    pub expected_heads: BTreeMap<TenantId, Vec<ChainHead>>,
}

/// The heads that the service's key has not signed.
#[derive(Debug)]
pub enum UnsignedHeads {
    /// The unsigned heads. All chains are intact.
    Verified(Vec<(TenantId, ChainHead)>),
    /// The broken chains. No heads are reported.
    Broken(Vec<Verification>),
}

impl Audit {
    /// Reads these stores. Signatures are checked if there is a key.
    #[must_use]
    pub fn new(
        store: Arc<dyn AuditStore>,
        credentials: Arc<dyn CredentialStore>,
        redaction: Arc<dyn RedactionStore>,
        key: Option<Arc<dyn Signer>>,
    ) -> Self {
        Self { store, credentials, redaction, key }
    }

    /// The fingerprint of the key that signatures are checked against, if there is a key.
    #[must_use]
    pub fn key(&self) -> Option<KeyFingerprint> {
        self.key.as_ref().map(|key| key.fingerprint())
    }

    /// Up to 1,000 records of a tenant after the position `after`, oldest first.
    ///
    /// # Errors
    /// If a store fails.
    pub async fn page(&self, tenant: &TenantId, after: u64) -> Result<Vec<AuditRecord>, StoreError> {
        self.store.records(tenant, after, PAGE_RECORDS).await
    }

    /// The fingerprints of all keys that signed heads, without duplicates.
    ///
    /// # Errors
    /// If a store fails.
    pub async fn keys(&self) -> Result<Vec<KeyFingerprint>, StoreError> {
        self.store.keys().await
    }

    /// Verifies chains and their heads, and compares credentials and switches with the records. Covers the tenant of
    /// the scope, or else every tenant that has any of these or an expected head.
    ///
    /// # Errors
    /// If a store fails.
    pub async fn verify(&self, scope: &VerificationScope) -> Result<Vec<Verification>, StoreError> {
        let tenants = self.tenants(scope).await?;
        let mut found = Vec::with_capacity(tenants.len());
        for tenant in &tenants {
            let expected_heads = scope.expected_heads.get(tenant).map(Vec::as_slice).unwrap_or_default();
            found.push(match self.verify_chain(tenant, scope.period, expected_heads).await {
                Ok(verification) => verification,
                Err(error) if error.kind() == StoreErrorKind::Unavailable => return Err(error),
                Err(error) => ChainVerifier::unreadable(tenant, error.cause_chain()),
            });
        }
        Ok(found)
    }

    async fn tenants(&self, scope: &VerificationScope) -> Result<Vec<TenantId>, StoreError> {
        if let Some(tenant) = &scope.tenant {
            return Ok(vec![tenant.clone()]);
        }
        let mut tenants = self.store.tenants().await?;
        tenants.extend(scope.expected_heads.keys().cloned());
        tenants.sort();
        tenants.dedup();
        Ok(tenants)
    }

    async fn verify_chain(
        &self,
        tenant: &TenantId,
        period: Period,
        expected_heads: &[ChainHead],
    ) -> Result<Verification, StoreError> {
        let mut verifier = ChainVerifier::new(tenant, period, expected_heads, self.snapshot(tenant).await?);
        let mut outcome = Ok(());
        while let (Ok(()), Some(after)) = (outcome, verifier.cursor()) {
            outcome = verifier.verify_page(&self.store.records(tenant, after, PAGE_RECORDS).await?);
        }
        Ok(verifier.finish(outcome, self.key.as_deref().map(|key| key as &dyn Verifier)))
    }

    /// A consistent snapshot of a tenant's stored data. Each change moves the head, so an unchanged head proves that
    /// nothing changed during the reads.
    async fn snapshot(&self, tenant: &TenantId) -> Result<ChainSnapshot, StoreError> {
        for _ in 0..MAX_SNAPSHOT_ATTEMPTS {
            let stored_head = self.store.head(tenant).await?;
            let last = stored_head.as_ref().map_or(0, |stored| stored.head.sequence);
            let has_records_beyond_head = self.store.has_records_beyond(tenant, last).await?;
            let credentials = self.credentials.list(Some(tenant)).await?;
            let flags = self.redaction.flags(tenant).await?;
            let switches = self.redaction.log(tenant).await?;
            if self.store.head(tenant).await? == stored_head {
                return Ok(ChainSnapshot {
                    stored_head,
                    has_records_beyond_head,
                    stored_state: StoredState { credentials, flags, switches },
                });
            }
        }
        Err(StoreError::new(StoreErrorKind::Unavailable, "the audit log changed during every attempt to read it"))
    }

    /// Verifies every chain and returns the heads that the service's key has not signed: heads without a signature or
    /// with the signature of another key. A wrong signature of the service's own key counts as broken and is never
    /// replaced.
    ///
    /// # Errors
    /// If a store fails.
    pub async fn unsigned_heads(&self) -> Result<UnsignedHeads, StoreError> {
        let found = self.verify(&VerificationScope::default()).await?;
        let unsigned =
            |finding: &Finding| matches!(finding, Finding::Head(HeadFault::Unsigned | HeadFault::KeyMismatch(_)));
        let broken = |found: &Verification| !found.findings.iter().all(unsigned);
        let (broken, sound): (Vec<_>, Vec<_>) = found.into_iter().partition(broken);
        if !broken.is_empty() {
            return Ok(UnsignedHeads::Broken(broken));
        }
        let unsigned_chains = sound.into_iter().filter(|found| !found.is_intact());
        Ok(UnsignedHeads::Verified(unsigned_chains.map(|found| (found.tenant, found.head)).collect()))
    }

    /// Signs verified heads and returns the number of signed heads. A head is skipped if a record was added since the
    /// verification. Without a key no head is signed.
    ///
    /// # Errors
    /// If a store fails.
    pub async fn sign(&self, verified: &[(TenantId, ChainHead)]) -> Result<usize, StoreError> {
        let Some(signer) = self.key.as_deref() else { return Ok(0) };
        let mut count = 0;
        for (tenant, head) in verified {
            let signature = HeadSignature::new(tenant, head, signer);
            count += usize::from(self.store.sign(tenant, head, &signature).await?);
        }
        Ok(count)
    }

    /// Signed anchors of these chains; `None` without a key.
    #[must_use]
    pub fn anchors(&self, found: &[Verification], at: Timestamp) -> Option<Vec<Anchor>> {
        let signer = self.key.as_deref()?;
        let chains = found.iter().filter(|found| found.head.sequence > 0);
        Some(chains.map(|found| Anchor::new(at, found.tenant.clone(), found.head, signer)).collect())
    }

    /// The index of the first anchor that the key did not sign; `None` if the key signed all of them.
    #[must_use]
    pub fn forged_anchor(&self, anchors: &[Anchor]) -> Option<usize> {
        anchors.iter().position(|anchor| !self.key.as_deref().is_some_and(|key| anchor.is_genuine(key)))
    }
}
