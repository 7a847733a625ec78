//! Encryption of secrets that the database holds: ChaCha20-Poly1305 (RFC 8439) with a key that is not in the database.

use anyhow::anyhow;
use parlance_domain::error::{StoreError, StoreErrorKind};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use super::key_size::KEY_BYTES;

/// Encrypts secrets under one key. The sealed form is a random nonce, then the encrypted secret with its tag.
pub(super) struct SealingKey(LessSafeKey);

impl SealingKey {
    /// A cipher with this key.
    ///
    /// # Errors
    /// In practice never: the library rejects only keys of another length.
    pub(super) fn new(key: &[u8; KEY_BYTES]) -> anyhow::Result<Self> {
        let key = UnboundKey::new(&CHACHA20_POLY1305, key).map_err(|_| anyhow!("the cipher cannot be created"))?;
        Ok(Self(LessSafeKey::new(key)))
    }

    /// Encrypts a secret. The sealed form opens only with the same owner.
    ///
    /// # Errors
    /// [`StoreErrorKind::Unavailable`] if the system returned no random bytes.
    pub(super) fn seal(&self, owner: &str, secret: &[u8]) -> Result<Vec<u8>, StoreError> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce)
            .map_err(|_| StoreError::new(StoreErrorKind::Unavailable, "the system returned no random bytes"))?;
        let mut sealed = secret.to_vec();
        let unique = Nonce::assume_unique_for_key(nonce);
        let encrypted = self.0.seal_in_place_append_tag(unique, Aad::from(owner.as_bytes()), &mut sealed);
        encrypted.map_err(|_| StoreError::new(StoreErrorKind::Unexpected, "a secret cannot be encrypted"))?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// Decrypts a secret. Returns `None` if it was encrypted with another key or for another owner, or altered.
    pub(super) fn open(&self, owner: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, encrypted) = sealed.split_first_chunk::<NONCE_LEN>()?;
        let mut encrypted = encrypted.to_vec();
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let opened = self.0.open_in_place(nonce, Aad::from(owner.as_bytes()), &mut encrypted).ok()?;
        Some(opened.to_vec())
    }
}
