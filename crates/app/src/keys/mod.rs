//! The master key, and the keys that are derived from it.
//!
//! Each purpose has a key of its own, derived from the master key of 32 bytes by HKDF-SHA256 (RFC 5869). Only the key of the digests
//! can be older: see `digest_key`. The master key
//! is in a file, never in the database or in a copy of it.

mod content_authenticator;
mod digest_key;
mod ed25519;
mod file;
mod head_signing;
mod identifier_digester;
mod key_size;
mod location;
mod master_key;
mod sealing_key;
mod secret_cipher;
mod webhook_secrets;

pub(crate) use content_authenticator::preview_authenticator;
pub(crate) use digest_key::DigestKey;
pub use ed25519::{Ed25519Signer, Ed25519Verifier};
pub(crate) use head_signing::{check_key, is_missing_key, sign_existing_heads};
pub use identifier_digester::KeyedDigester;
pub(crate) use identifier_digester::{UnusableDigester, check_keys, open_digest_key};
pub use key_size::KEY_BYTES;
pub(crate) use location::KeyLocation;
pub use master_key::{KeyPurpose, MasterKey};
pub use secret_cipher::WebhookSecretCipher;
pub(crate) use secret_cipher::webhook_cipher;
pub(crate) use webhook_secrets::{ReencryptedSecrets, reencrypt_webhook_secrets, unopenable_webhooks};
