//! The master key, and the keys that are derived from it.
//!
//! Every key that the service holds is derived from one of 32 bytes, each for a purpose of its own (HKDF-SHA256, RFC
//! 5869). The master key is in a file beside the database and never in it, nor in a copy of it.

mod ed25519;
mod file;
mod finding;
mod signing;

pub use ed25519::Ed25519Signer;
pub(crate) use finding::KeyPlace;
pub(crate) use signing::{check_key, sign_existing_heads};

use anyhow::{Context, anyhow};
use ring::hkdf;

/// Bytes of the master key, and of every key that is derived from it.
pub const KEY_BYTES: usize = 32;

/// Separates these keys from those that another program derives from the same bytes.
const SALT: &[u8] = b"parlance master key";

/// What a derived key is for. A purpose never gets the key of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Signs the heads of the audit log, and what is filed of them.
    AuditHeads,
}

impl Purpose {
    /// The label of the derivation. One that was released never changes.
    fn label(self) -> &'static [u8] {
        match self {
            Self::AuditHeads => b"audit heads v1",
        }
    }
}

/// The key that all others are derived from.
#[derive(Clone)]
pub struct MasterKey([u8; KEY_BYTES]);

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey(***)")
    }
}

impl MasterKey {
    /// The key of these bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; KEY_BYTES]) -> Self {
        Self(bytes)
    }

    /// A new key of random bytes.
    ///
    /// # Errors
    /// Where the system has no randomness to give.
    pub fn random() -> anyhow::Result<Self> {
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes).map_err(|_| anyhow!("the system has no randomness to give"))?;
        Ok(Self(bytes))
    }

    /// The secret key for one purpose.
    ///
    /// # Errors
    /// None that is known: the library reports lengths that cannot be derived, and 32 bytes can.
    pub fn derive(&self, purpose: Purpose) -> anyhow::Result<[u8; KEY_BYTES]> {
        let mut derived = [0; KEY_BYTES];
        let extracted = hkdf::Salt::new(hkdf::HKDF_SHA256, SALT).extract(&self.0);
        let label = [purpose.label()];
        let expanded = extracted.expand(&label, hkdf::HKDF_SHA256);
        expanded.and_then(|key| key.fill(&mut derived)).map_err(|_| anyhow!("a key cannot be derived"))?;
        Ok(derived)
    }

    /// The signing key for one purpose.
    ///
    /// # Errors
    /// Those of [`derive`](Self::derive).
    pub fn signer(&self, purpose: Purpose) -> anyhow::Result<Ed25519Signer> {
        Ed25519Signer::new(&self.derive(purpose)?).context("the signing key")
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::signing::{Signer, Verifier};

    use super::*;

    #[test]
    fn a_derived_key_is_neither_the_master_key_nor_that_of_another_master_key() {
        let derived = |byte| MasterKey::from_bytes([byte; 32]).derive(Purpose::AuditHeads).unwrap();
        assert_eq!(derived(1), derived(1));
        assert!(derived(1) != [1; 32] && derived(1) != derived(2));
    }

    #[test]
    fn a_derived_key_stays_the_same_in_all_versions() {
        let fingerprint = MasterKey::from_bytes([7; 32]).signer(Purpose::AuditHeads).unwrap().fingerprint();
        assert_eq!(fingerprint.to_string(), "c50a1a7c5772d7c5882fc8a59b15e24a9cf705c9065569822fef41c9a7f3aebb");
    }

    #[test]
    fn a_signature_is_verified_by_the_key_that_made_it_only() {
        let signer = |byte| MasterKey::from_bytes([byte; 32]).signer(Purpose::AuditHeads).unwrap();
        let signature = signer(1).sign(b"text");
        assert!(signer(1).verifies(b"text", &signature));
        assert!(!signer(1).verifies(b"other", &signature) && !signer(2).verifies(b"text", &signature));
        assert_ne!(signer(1).fingerprint(), signer(2).fingerprint());
    }

    #[test]
    fn a_key_is_not_shown() {
        assert_eq!(format!("{:?}", MasterKey::from_bytes([7; 32])), "MasterKey(***)");
    }
}
