//! The key of the digests of identifiers.
//!
//! It is derived from the master key until that is replaced. `parlance audit sign --replace-key --previous-key` then stores it in the
//! database, encrypted under the new master key, so that old digests stay valid. Without the previous key, it is derived from the new
//! master key.

use anyhow::Context;

use super::{
    key_size::KEY_BYTES,
    master_key::{KeyPurpose, MasterKey},
    sealing_key::SealingKey,
};

/// What the sealed key belongs to.
const OWNER: &str = "identifier digests";

/// The key of the digests.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct DigestKey([u8; KEY_BYTES]);

impl DigestKey {
    /// The key of a database that holds this sealed key. If it holds none, the key is derived from the master key.
    /// Returns `None` if the sealed key does not open: it was encrypted under another master key, or altered.
    ///
    /// # Errors
    /// In practice never: the library rejects only keys of another length.
    pub(crate) fn open(master_key: &MasterKey, sealed: Option<&[u8]>) -> anyhow::Result<Option<Self>> {
        let Some(sealed) = sealed else {
            return Ok(Some(Self(master_key.derive(KeyPurpose::IdentifierDigests)?)));
        };
        let opened = sealing_key(master_key)?.open(OWNER, sealed);
        Ok(opened.and_then(|key| key.try_into().ok()).map(Self))
    }

    /// The key, encrypted under a master key.
    ///
    /// # Errors
    /// If the system returned no random bytes.
    pub(crate) fn seal(&self, master_key: &MasterKey) -> anyhow::Result<Vec<u8>> {
        sealing_key(master_key)?.seal(OWNER, &self.0).context("the key of digests cannot be encrypted")
    }

    /// Derives the key of the ledger of erasures, whose objects are valid under every later master key too.
    ///
    /// # Errors
    /// Those of [`MasterKey::derive`].
    pub(super) fn derive_ledger_key(&self) -> anyhow::Result<[u8; KEY_BYTES]> {
        MasterKey::from_bytes(self.0).derive(KeyPurpose::LedgerCodes)
    }

    pub(super) fn bytes(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }
}

fn sealing_key(master_key: &MasterKey) -> anyhow::Result<SealingKey> {
    SealingKey::new(&master_key.derive(KeyPurpose::DigestKeyEncryption)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn master_key(byte: u8) -> MasterKey {
        MasterKey::from_bytes([byte; KEY_BYTES])
    }

    #[test]
    fn the_key_stays_the_same_under_every_later_master_key() {
        let first = DigestKey::open(&master_key(1), None).unwrap().unwrap();
        let mut current = first.clone();
        for byte in 2..5 {
            let sealed = current.seal(&master_key(byte)).unwrap();
            assert!(DigestKey::open(&master_key(byte - 1), Some(&sealed)).unwrap().is_none());
            current = DigestKey::open(&master_key(byte), Some(&sealed)).unwrap().unwrap();
            assert!(current == first);
            assert_eq!(current.derive_ledger_key().unwrap(), first.derive_ledger_key().unwrap());
            assert_ne!(current.derive_ledger_key().unwrap(), first.0);
        }
    }
}
