//! Encryption of the secrets of webhooks.

use std::sync::Arc;

use anyhow::Context;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    webhook::{SealedSecret, SecretCipher, WebhookId, WebhookSecret},
};

use super::{
    key_size::KEY_BYTES,
    master_key::{KeyPurpose, MasterKey},
    sealing_key::SealingKey,
};

/// Encrypts the secrets of webhooks.
pub struct WebhookSecretCipher(SealingKey);

impl WebhookSecretCipher {
    /// Encrypts with this key.
    ///
    /// # Errors
    /// In practice never: the library rejects only keys of another length.
    pub fn new(key: &[u8; KEY_BYTES]) -> anyhow::Result<Self> {
        SealingKey::new(key).map(Self)
    }
}

impl std::fmt::Debug for WebhookSecretCipher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WebhookSecretCipher(***)")
    }
}

/// What the secret belongs to. A sealed secret cannot be moved to another webhook.
fn owner(tenant: &TenantId, webhook: &WebhookId) -> String {
    format!("{tenant}/{webhook}")
}

impl SecretCipher for WebhookSecretCipher {
    fn seal(&self, tenant: &TenantId, webhook: &WebhookId, secret: &WebhookSecret) -> Result<SealedSecret, StoreError> {
        self.0.seal(&owner(tenant, webhook), secret.as_bytes()).map(SealedSecret)
    }

    fn open(&self, tenant: &TenantId, webhook: &WebhookId, sealed: &SealedSecret) -> Result<WebhookSecret, StoreError> {
        let opened = self.0.open(&owner(tenant, webhook), &sealed.0).map(WebhookSecret::from_bytes);
        let invalid =
            || StoreError::new(StoreErrorKind::Corrupt, "a secret was encrypted with another key, or altered");
        opened.and_then(Result::ok).ok_or_else(invalid)
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
