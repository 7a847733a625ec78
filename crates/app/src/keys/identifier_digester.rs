//! Keyed digests of identifiers: HMAC-SHA256 (RFC 2104) with a key that is not in the database.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use parlance_adapters_sql::{Database, SqlDigestKey};
use parlance_domain::{
    access::TenantId,
    audit::Audit,
    error::{StoreError, StoreErrorKind},
    privacy::{ContentAuthenticator, IdentifierDigest, IdentifierDigester},
    text::ExternalId,
};
use ring::hmac;

use super::{
    content_authenticator::ledger_authenticator, digest_key::DigestKey, head_signing::check_key, key_size::KEY_BYTES,
    location::KeyLocation, master_key::MasterKey,
};

/// Makes digests of identifiers under one key.
pub struct KeyedDigester(hmac::Key);

impl KeyedDigester {
    /// A digester with this key.
    #[must_use]
    pub fn new(key: &[u8; KEY_BYTES]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }
}

impl std::fmt::Debug for KeyedDigester {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyedDigester(***)")
    }
}

impl KeyedDigester {
    /// The digest of an identifier of one kind. Neither a kind nor a tenant's id contains a line feed.
    fn digest(&self, kind: &str, tenant: &TenantId, external_id: &ExternalId) -> IdentifierDigest {
        let text = format!("{kind}\n{tenant}\n{}", external_id.as_str());
        let mut digest = [0; 32];
        digest.copy_from_slice(hmac::sign(&self.0, text.as_bytes()).as_ref());
        IdentifierDigest(digest)
    }
}

impl IdentifierDigester for KeyedDigester {
    fn conversation_digest(&self, tenant: &TenantId, external_id: &ExternalId) -> Result<IdentifierDigest, StoreError> {
        Ok(self.digest("conversation", tenant, external_id))
    }

    fn customer_digest(&self, tenant: &TenantId, external_id: &ExternalId) -> Result<IdentifierDigest, StoreError> {
        Ok(self.digest("customer", tenant, external_id))
    }
}

/// The digester of a service that has no key for digests: no conversation can be erased, and no customer can be held.
#[derive(Debug, Clone, Copy)]
pub(crate) enum UnusableDigester {
    /// There is no master key.
    MissingKey,
    /// The key of the digests is encrypted under another master key, or altered.
    OtherKey,
}

impl UnusableDigester {
    fn error(self) -> StoreError {
        let reason = match self {
            Self::MissingKey => {
                "there is no key: erasures, holds, retention and privacy requests need a master key: set master_key_file"
            }
            Self::OtherKey => {
                "the key of the digests is encrypted under another master key, or altered: run \
                 `parlance audit sign --replace-key --previous-key FILE` with that key"
            }
        };
        StoreError::new(StoreErrorKind::Unavailable, reason)
    }
}

impl IdentifierDigester for UnusableDigester {
    fn conversation_digest(&self, _: &TenantId, _: &ExternalId) -> Result<IdentifierDigest, StoreError> {
        Err(self.error())
    }

    fn customer_digest(&self, _: &TenantId, _: &ExternalId) -> Result<IdentifierDigest, StoreError> {
        Err(self.error())
    }
}

/// What the key of the digests of a database makes: digests, none without a master key, and codes of the ledger.
///
/// # Errors
/// If the database fails. The error names the setting.
pub(crate) async fn open_digest_key(
    database: &Database,
    key: Option<&MasterKey>,
) -> anyhow::Result<(Option<Arc<dyn IdentifierDigester>>, Arc<dyn ContentAuthenticator>)> {
    let Some(key) = key else { return Ok((None, ledger_authenticator(None)?)) };
    let sealed = SqlDigestKey::new(database.clone()).find().await.context("database_url")?;
    let opened = DigestKey::open(key, sealed.as_deref()).context("master_key_file")?;
    let digester: Arc<dyn IdentifierDigester> = match &opened {
        Some(key) => Arc::new(KeyedDigester::new(key.bytes())),
        None => Arc::new(UnusableDigester::OtherKey),
    };
    Ok((Some(digester), ledger_authenticator(opened.as_ref())?))
}

/// Checks that the master key [signed](check_key) the audit log, and opens the key of the digests.
///
/// # Errors
/// Those of both checks.
pub(crate) async fn check_keys(audit: &Audit, database: &Database, location: &KeyLocation) -> anyhow::Result<()> {
    check_key(audit, location).await?;
    check_digest_key(database, location).await
}

/// Checks that the master key opens the key of the digests that the database holds. With another key, identifiers that were erased
/// could not be refused.
///
/// # Errors
/// The key is missing or another one, or the database fails. The error is one line that names the setting and what to do.
async fn check_digest_key(database: &Database, location: &KeyLocation) -> anyhow::Result<()> {
    let sealed = SqlDigestKey::new(database.clone()).find().await.context("database_url")?;
    let Some(sealed) = sealed else { return Ok(()) };
    let opened =
        location.load()?.map(|key| DigestKey::open(&key, Some(&sealed))).transpose().context("master_key_file")?;
    if opened.flatten().is_some() {
        return Ok(());
    }
    Err(anyhow!(
        "the key of the digests of identifiers is encrypted under another master key, or altered: {}; if a rotation was interrupted, \
         put the new key there, and repeat `parlance audit sign --replace-key --previous-key FILE`; if no key opens it, \
         `parlance audit sign --replace-key --previous-key-lost` begins a new one, after which erased identifiers are accepted again",
        location.advice()
    ))
    .context("master_key_file")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(key: u8, tenant: &str, external_id: &str) -> IdentifierDigest {
        let (tenant, external_id) = (TenantId::parse(tenant).unwrap(), ExternalId::parse(external_id).unwrap());
        KeyedDigester::new(&[key; KEY_BYTES]).conversation_digest(&tenant, &external_id).unwrap()
    }

    #[test]
    fn a_digest_depends_on_the_key_the_tenant_and_the_identifier() {
        let first = digest(1, "acme", "call-1");
        assert_eq!(first, digest(1, "acme", "call-1"));
        let others = [digest(2, "acme", "call-1"), digest(1, "globex", "call-1"), digest(1, "acme", "call-2")];
        assert!(!others.contains(&first));
    }

    #[test]
    fn a_customer_and_a_conversation_with_one_identifier_have_different_digests() {
        let (tenant, external_id) = (TenantId::parse("acme").unwrap(), ExternalId::parse("a-1").unwrap());
        let digester = KeyedDigester::new(&[1; KEY_BYTES]);
        let customer = digester.customer_digest(&tenant, &external_id).unwrap();
        assert_ne!(customer, digester.conversation_digest(&tenant, &external_id).unwrap());
    }
}
