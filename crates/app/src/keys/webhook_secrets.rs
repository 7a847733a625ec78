//! The secrets of webhooks under a master key that replaces another one.

use std::sync::Arc;

use anyhow::bail;
use parlance_adapters_sql::{Database, SqlWebhookSecrets, StoredWebhookSecrets};
use parlance_domain::webhook::{SealedSecret, SecretCipher};

use super::{master_key::MasterKey, secret_cipher::webhook_cipher};
use crate::commands::database_error;

/// What became of the secrets of webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ReencryptedSecrets {
    /// The number of webhooks.
    pub(crate) webhooks: u64,
    /// Those whose secrets were encrypted under the new key now.
    pub(crate) reencrypted: u64,
    /// Those whose secret opens with none of the keys.
    pub(crate) lost: u64,
}

/// How a secret opens.
#[derive(Debug, PartialEq, Eq)]
enum Opened {
    Current,
    /// With the replaced key. The secret, encrypted under the current one.
    Reencrypted(SealedSecret),
    Neither,
}

/// The ciphers of the current master key and of the one that it replaces.
struct Ciphers {
    current: Arc<dyn SecretCipher>,
    previous: Option<Arc<dyn SecretCipher>>,
}

impl Ciphers {
    fn open(&self, webhook: &StoredWebhookSecrets, sealed: &SealedSecret) -> anyhow::Result<Opened> {
        let open = |cipher: &dyn SecretCipher| cipher.open(&webhook.tenant, &webhook.webhook, sealed).ok();
        if open(&*self.current).is_some() {
            return Ok(Opened::Current);
        }
        let Some(secret) = self.previous.as_deref().and_then(open) else { return Ok(Opened::Neither) };
        let sealed = self.current.seal(&webhook.tenant, &webhook.webhook, &secret)?;
        Ok(Opened::Reencrypted(sealed))
    }
}

/// Encrypts the secrets of all webhooks under the current master key. A secret that opens with it already is left as it is, so a
/// repetition after an interruption goes on where it stopped. So is a secret that no key opens.
///
/// # Errors
/// If the database fails, or a webhook was changed meanwhile.
pub(crate) async fn reencrypt_webhook_secrets(
    database: &Database,
    current: &MasterKey,
    previous: Option<&MasterKey>,
) -> anyhow::Result<ReencryptedSecrets> {
    let store = SqlWebhookSecrets::new(database.clone());
    let previous = previous.map(|key| webhook_cipher(Some(key))).transpose()?;
    let ciphers = Ciphers { current: webhook_cipher(Some(current))?, previous };
    let mut result = ReencryptedSecrets::default();
    for webhook in store.all().await.map_err(database_error)? {
        result.webhooks += 1;
        let secret = ciphers.open(&webhook, &webhook.secret)?;
        let before = webhook.previous.as_ref().map(|sealed| ciphers.open(&webhook, sealed)).transpose()?;
        result.lost += u64::from(secret == Opened::Neither);
        let Some((secret, before)) = replacement(&webhook, secret, before) else { continue };
        if !store.replace(&webhook, secret, before).await.map_err(database_error)? {
            bail!("a webhook was changed meanwhile: stop the servers, and repeat the command");
        }
        result.reencrypted += 1;
    }
    Ok(result)
}

/// The secrets that replace those of a webhook; `None` if neither changes.
fn replacement(
    webhook: &StoredWebhookSecrets,
    secret: Opened,
    before: Option<Opened>,
) -> Option<(SealedSecret, Option<SealedSecret>)> {
    let changed = |opened| if let Opened::Reencrypted(sealed) = opened { Some(sealed) } else { None };
    let (secret, before) = (changed(secret), before.and_then(changed));
    (secret.is_some() || before.is_some())
        .then(|| (secret.unwrap_or_else(|| webhook.secret.clone()), before.or_else(|| webhook.previous.clone())))
}

/// The webhooks whose secret does not open with the master key, each as its tenant and its id, and the number of all webhooks.
///
/// # Errors
/// If the database fails.
pub(crate) async fn unopenable_webhooks(
    database: &Database,
    key: Option<&MasterKey>,
) -> anyhow::Result<(Vec<String>, usize)> {
    let cipher = webhook_cipher(key)?;
    let all = SqlWebhookSecrets::new(database.clone()).all().await.map_err(database_error)?;
    let is_closed =
        |stored: &&StoredWebhookSecrets| cipher.open(&stored.tenant, &stored.webhook, &stored.secret).is_err();
    let closed = all.iter().filter(is_closed).map(|stored| format!("{}/{}", stored.tenant, stored.webhook));
    Ok((closed.collect(), all.len()))
}

#[cfg(test)]
mod tests {
    use parlance_domain::{
        access::TenantId,
        webhook::{WebhookId, WebhookSecret},
    };

    use super::*;

    fn ciphers(current: u8, previous: Option<u8>) -> Ciphers {
        let cipher = |byte| webhook_cipher(Some(&MasterKey::from_bytes([byte; 32]))).unwrap();
        Ciphers { current: cipher(current), previous: previous.map(cipher) }
    }

    /// A webhook whose secret is encrypted under this master key.
    fn webhook(key: u8) -> StoredWebhookSecrets {
        let (tenant, webhook) = (TenantId::parse("acme").unwrap(), WebhookId::from_bits(1));
        let secret = WebhookSecret::from_bytes(vec![9; 32]).unwrap();
        let secret = ciphers(key, None).current.seal(&tenant, &webhook, &secret).unwrap();
        StoredWebhookSecrets { tenant, webhook, secret, previous: None }
    }

    #[test]
    fn a_secret_that_opens_with_the_replaced_key_is_encrypted_under_the_current_one() {
        let stored = webhook(1);
        let Opened::Reencrypted(sealed) = ciphers(2, Some(1)).open(&stored, &stored.secret).unwrap() else {
            panic!("the replaced key opens it")
        };
        assert_eq!(ciphers(2, None).open(&stored, &sealed).unwrap(), Opened::Current);
    }

    #[test]
    fn a_secret_that_opens_with_the_current_key_or_with_none_stays_as_it_is() {
        let (current, lost) = (webhook(2), webhook(3));
        let ciphers = ciphers(2, Some(1));
        let opened = |webhook: &StoredWebhookSecrets| ciphers.open(webhook, &webhook.secret).unwrap();
        assert_eq!((opened(&current), opened(&lost)), (Opened::Current, Opened::Neither));
        assert_eq!(replacement(&lost, opened(&lost), Some(Opened::Current)), None);
    }

    #[test]
    fn both_secrets_are_replaced_apart_from_each_other() {
        let stored = StoredWebhookSecrets { previous: Some(SealedSecret(vec![4])), ..webhook(1) };
        let new = || SealedSecret(vec![5]);
        let with_previous = || Opened::Reencrypted(new());
        let (secret, before) = (stored.secret.clone(), stored.previous.clone());
        assert_eq!(replacement(&stored, with_previous(), Some(Opened::Neither)), Some((new(), before)));
        let replaced = replacement(&stored, Opened::Current, Some(with_previous()));
        assert_eq!(replaced, Some((secret, Some(new()))));
    }
}
