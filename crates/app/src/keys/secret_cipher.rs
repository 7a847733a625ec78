//! Encryption of secrets that the database holds: ChaCha20-Poly1305 (RFC 8439) with a key that is not in the database.

use std::sync::Arc;

use anyhow::Context;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    webhook::{SealedSecret, SecretCipher, WebhookId, WebhookSecret},
};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use super::{
    key_size::KEY_BYTES,
    master_key::{KeyPurpose, MasterKey},
};

/// Encrypts the secrets of webhooks. The sealed form is a random nonce, then the encrypted secret with its tag.
pub struct WebhookSecretCipher(LessSafeKey);

impl WebhookSecretCipher {
    /// Encrypts with this key.
    ///
    /// # Errors
    /// In practice never: the library rejects only keys of another length.
    pub fn new(key: &[u8; KEY_BYTES]) -> anyhow::Result<Self> {
        let key =
            UnboundKey::new(&CHACHA20_POLY1305, key).map_err(|_| anyhow::anyhow!("the cipher cannot be created"))?;
        Ok(Self(LessSafeKey::new(key)))
    }
}

impl std::fmt::Debug for WebhookSecretCipher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WebhookSecretCipher(***)")
    }
}

/// What the secret belongs to. A sealed secret cannot be moved to another webhook.
fn context(tenant: &TenantId, webhook: &WebhookId) -> Aad<Vec<u8>> {
    Aad::from(format!("{tenant}/{webhook}").into_bytes())
}

fn unexpected(reason: &'static str) -> StoreError {
    StoreError::new(StoreErrorKind::Unexpected, reason)
}

impl SecretCipher for WebhookSecretCipher {
    fn seal(&self, tenant: &TenantId, webhook: &WebhookId, secret: &WebhookSecret) -> Result<SealedSecret, StoreError> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce)
            .map_err(|_| StoreError::new(StoreErrorKind::Unavailable, "the system returned no random bytes"))?;
        let mut sealed = secret.as_bytes().to_vec();
        let unique = Nonce::assume_unique_for_key(nonce);
        let encrypted = self.0.seal_in_place_append_tag(unique, context(tenant, webhook), &mut sealed);
        encrypted.map_err(|_| unexpected("a secret cannot be encrypted"))?;
        Ok(SealedSecret([&nonce[..], &sealed].concat()))
    }

    fn open(&self, tenant: &TenantId, webhook: &WebhookId, sealed: &SealedSecret) -> Result<WebhookSecret, StoreError> {
        let invalid =
            || StoreError::new(StoreErrorKind::Corrupt, "a secret was encrypted with another key, or altered");
        let (nonce, encrypted) = sealed.0.split_first_chunk::<NONCE_LEN>().ok_or_else(invalid)?;
        let mut encrypted = encrypted.to_vec();
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let opened = self.0.open_in_place(nonce, context(tenant, webhook), &mut encrypted).map_err(|_| invalid())?;
        WebhookSecret::from_bytes(opened.to_vec()).map_err(|_| invalid())
    }
}

/// The cipher of a service without a master key: it has no secret, and accepts none.
#[derive(Debug, Clone, Copy)]
struct MissingKeyCipher;

fn missing_key() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "webhooks need a master key: set master_key_file")
}

impl SecretCipher for MissingKeyCipher {
    fn seal(&self, _: &TenantId, _: &WebhookId, _: &WebhookSecret) -> Result<SealedSecret, StoreError> {
        Err(missing_key())
    }

    fn open(&self, _: &TenantId, _: &WebhookId, _: &SealedSecret) -> Result<WebhookSecret, StoreError> {
        Err(missing_key())
    }
}

/// The cipher of the secrets of webhooks. Without a master key, no webhook can be created.
pub(crate) fn webhook_cipher(key: Option<&MasterKey>) -> anyhow::Result<Arc<dyn SecretCipher>> {
    let Some(key) = key else { return Ok(Arc::new(MissingKeyCipher)) };
    let derived = key.derive(KeyPurpose::WebhookSecrets).context("master_key_file")?;
    Ok(Arc::new(WebhookSecretCipher::new(&derived).context("master_key_file")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(tenant: &str, webhook: u128) -> (TenantId, WebhookId) {
        (TenantId::parse(tenant).unwrap(), WebhookId::from_bits(webhook))
    }

    #[test]
    fn a_sealed_secret_opens_only_for_its_webhook_and_with_its_key() {
        let cipher = WebhookSecretCipher::new(&[7; KEY_BYTES]).unwrap();
        let secret = WebhookSecret::from_bytes(vec![9; 32]).unwrap();
        let (tenant, webhook) = owner("acme", 1);
        let sealed = cipher.seal(&tenant, &webhook, &secret).unwrap();
        assert!(!sealed.0.windows(8).any(|window| window == [9; 8]));
        assert_ne!(sealed, cipher.seal(&tenant, &webhook, &secret).unwrap());
        assert_eq!(cipher.open(&tenant, &webhook, &sealed).unwrap(), secret);
        for (tenant, webhook) in [owner("acme", 2), owner("globex", 1)] {
            assert!(cipher.open(&tenant, &webhook, &sealed).is_err());
        }
        let other = WebhookSecretCipher::new(&[8; KEY_BYTES]).unwrap();
        assert!(other.open(&tenant, &webhook, &sealed).is_err());
        assert!(cipher.open(&tenant, &webhook, &SealedSecret(vec![1])).is_err());
    }
}
