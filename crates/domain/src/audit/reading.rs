//! Reading the audit log, and finding out whether it is as it was written.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Anchor, AuditStore, Finding, Head, HeadFault, HeadSignature, Period, Record, Snapshot, Stored, Verification,
    verification::Walk,
};
use crate::{
    access::{CredentialStore, TenantId},
    error::{Error, StoreError, StoreErrorKind},
    redaction::RedactionStore,
    signing::{KeyFingerprint, Signer, Verifier},
    time::Timestamp,
};

/// Records that are read at once.
const PAGE: u32 = 1_000;

/// How often a tenant is looked at anew where it changes meanwhile.
const ATTEMPTS: usize = 8;

/// The operator's side of the audit log. It takes no [`Caller`](crate::access::Caller): whoever runs it has the database.
#[derive(Clone)]
pub struct Audit {
    store: Arc<dyn AuditStore>,
    credentials: Arc<dyn CredentialStore>,
    redaction: Arc<dyn RedactionStore>,
    key: Option<Arc<dyn Signer>>,
}

/// What is to be verified.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// One tenant; none: all.
    pub tenant: Option<TenantId>,
    /// Which records are counted. All are verified in any case.
    pub period: Period,
    /// Heads that were filed elsewhere, which the chains must still hold.
    pub filed: BTreeMap<TenantId, Vec<Head>>,
}

/// The heads that the service's key has not signed.
#[derive(Debug)]
pub enum UnsignedHeads {
    /// These, whose chains are as they were written.
    Verified(Vec<(TenantId, Head)>),
    /// Not told: these chains are not as they were written.
    Broken(Vec<Verification>),
}

impl Audit {
    /// Reads these stores, and checks signatures where there is a key.
    #[must_use]
    pub fn new(
        store: Arc<dyn AuditStore>,
        credentials: Arc<dyn CredentialStore>,
        redaction: Arc<dyn RedactionStore>,
        key: Option<Arc<dyn Signer>>,
    ) -> Self {
        Self { store, credentials, redaction, key }
    }

    /// The key that signatures are checked against, where there is one.
    #[must_use]
    pub fn key(&self) -> Option<KeyFingerprint> {
        self.key.as_ref().map(|key| key.fingerprint())
    }

    /// Up to a thousand records of a tenant with a higher place than `after`, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn page(&self, tenant: &TenantId, after: u64) -> Result<Vec<Record>, Error> {
        Ok(self.store.records(tenant, after, PAGE).await?)
    }

    /// The keys that signed heads, each once.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn keys(&self) -> Result<Vec<KeyFingerprint>, Error> {
        Ok(self.store.keys().await?)
    }

    /// Verifies chains, their heads, and that credentials and switches are as they are on record: of every tenant that
    /// has any of these or a filed head, or of the one that the scope names.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn verify(&self, scope: &Scope) -> Result<Vec<Verification>, Error> {
        let tenants = self.tenants(scope).await?;
        let mut found = Vec::with_capacity(tenants.len());
        for tenant in &tenants {
            let filed = scope.filed.get(tenant).map(Vec::as_slice).unwrap_or_default();
            found.push(match self.walk(tenant, scope.period, filed).await {
                Ok(verification) => verification,
                Err(error) if error.kind() == StoreErrorKind::Unavailable => return Err(error.into()),
                Err(error) => Walk::unreadable(tenant, error.with_causes()),
            });
        }
        Ok(found)
    }

    async fn tenants(&self, scope: &Scope) -> Result<Vec<TenantId>, StoreError> {
        if let Some(tenant) = &scope.tenant {
            return Ok(vec![tenant.clone()]);
        }
        let mut tenants = self.store.tenants().await?;
        tenants.extend(scope.filed.keys().cloned());
        tenants.sort();
        tenants.dedup();
        Ok(tenants)
    }

    async fn walk(&self, tenant: &TenantId, period: Period, filed: &[Head]) -> Result<Verification, StoreError> {
        let mut walk = Walk::new(tenant, period, filed, self.snapshot(tenant).await?);
        let mut outcome = Ok(());
        while let (Ok(()), Some(after)) = (outcome, walk.next_after()) {
            outcome = walk.take(&self.store.records(tenant, after, PAGE).await?);
        }
        Ok(walk.end_with(outcome, self.key.as_deref().map(|key| key as &dyn Verifier)))
    }

    /// What is stored of a tenant at one moment. Each change moves the head, so nothing changed where the head did not.
    async fn snapshot(&self, tenant: &TenantId) -> Result<Snapshot, StoreError> {
        for _ in 0..ATTEMPTS {
            let kept = self.store.head(tenant).await?;
            let last = kept.as_ref().map_or(0, |kept| kept.head.sequence);
            let has_beyond = self.store.has_beyond(tenant, last).await?;
            let credentials = self.credentials.list(Some(tenant)).await?;
            let flags = self.redaction.flags(tenant).await?;
            let switches = self.redaction.log(tenant).await?;
            if self.store.head(tenant).await? == kept {
                return Ok(Snapshot { kept, has_beyond, stored: Stored { credentials, flags, switches } });
            }
        }
        Err(StoreError::new(StoreErrorKind::Unavailable, "the audit log kept changing while it was read"))
    }

    /// Verifies every chain, and tells whose heads the service's key has not signed: those without a signature, or with one
    /// of another key. A wrong signature of this key is never written over.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn unsigned_heads(&self) -> Result<UnsignedHeads, Error> {
        let found = self.verify(&Scope::default()).await?;
        let unsigned =
            |finding: &Finding| matches!(finding, Finding::Head(HeadFault::Unsigned | HeadFault::OtherKey(_)));
        let broken = |found: &Verification| !found.findings.iter().all(unsigned);
        let (broken, sound): (Vec<_>, Vec<_>) = found.into_iter().partition(broken);
        if !broken.is_empty() {
            return Ok(UnsignedHeads::Broken(broken));
        }
        let due = sound.into_iter().filter(|found| !found.is_intact());
        Ok(UnsignedHeads::Verified(due.map(|found| (found.tenant, found.head)).collect()))
    }

    /// Signs heads that were verified, and tells how many. One that a record was added to since then is left out, as all
    /// are where there is no key.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn sign(&self, verified: &[(TenantId, Head)]) -> Result<usize, Error> {
        let Some(signer) = self.key.as_deref() else { return Ok(0) };
        let mut done = 0;
        for (tenant, head) in verified {
            let signature = HeadSignature::new(tenant, head, signer);
            done += usize::from(self.store.sign(tenant, head, &signature).await?);
        }
        Ok(done)
    }

    /// The heads of these chains, signed to be filed elsewhere; none where there is no key.
    #[must_use]
    pub fn anchors(&self, found: &[Verification], at: Timestamp) -> Option<Vec<Anchor>> {
        let signer = self.key.as_deref()?;
        let chains = found.iter().filter(|found| found.head.sequence > 0);
        Some(chains.map(|found| Anchor::new(at, found.tenant.clone(), found.head, signer)).collect())
    }

    /// The first of these anchors, counted from zero, that the key did not sign; all are fine where there is none.
    #[must_use]
    pub fn forged_anchor(&self, anchors: &[Anchor]) -> Option<usize> {
        anchors.iter().position(|anchor| !self.key.as_deref().is_some_and(|key| anchor.is_genuine(key)))
    }
}
