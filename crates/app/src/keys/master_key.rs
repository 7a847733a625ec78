//! The master key, and the derivation of other keys from it.

use anyhow::{Context, anyhow};
use ring::hkdf;

use super::{ed25519::Ed25519Signer, key_size::KEY_BYTES};

/// Separates these keys from those that other programs derive from the same bytes.
const SALT: &[u8] = b"parlance master key";

/// The purpose of a derived key. Each purpose has another key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPurpose {
    /// Signs the heads of the audit log and its anchors.
    AuditHeads,
    /// Encrypts the secrets of webhooks.
    WebhookSecrets,
    /// Makes digests of the identifiers of erased conversations.
    IdentifierDigests,
    /// Encrypts the key of the digests, once it is no longer derived from the master key.
    DigestKeyEncryption,
    /// Proves previews of retention rules.
    RetentionPreviews,
    /// Authenticates objects of the ledger of erasures. It is derived from the key of the digests, which outlives the master key
    /// as the ledger does.
    LedgerCodes,
}

impl KeyPurpose {
    /// The label of the derivation. A released label never changes.
    fn label(self) -> &'static [u8] {
        match self {
            Self::AuditHeads => b"audit heads v1",
            Self::WebhookSecrets => b"webhook secrets v1",
            Self::IdentifierDigests => b"identifier digests v1",
            Self::DigestKeyEncryption => b"digest key encryption v1",
            Self::RetentionPreviews => b"retention previews v1",
            Self::LedgerCodes => b"ledger codes v1",
        }
    }
}

/// The key from which all other keys are derived.
#[derive(Clone)]
pub struct MasterKey(pub(super) [u8; KEY_BYTES]);

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey(***)")
    }
}

impl MasterKey {
    /// Creates a key from these bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; KEY_BYTES]) -> Self {
        Self(bytes)
    }

    /// Creates a key from random bytes.
    ///
    /// # Errors
    /// If the system returns no random bytes.
    pub fn random() -> anyhow::Result<Self> {
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes).map_err(|_| anyhow!("the system returned no random bytes"))?;
        Ok(Self(bytes))
    }

    /// Derives the secret key for one purpose.
    ///
    /// # Errors
    /// In practice never: the library rejects only lengths that it cannot derive, and it can derive 32 bytes.
    pub fn derive(&self, purpose: KeyPurpose) -> anyhow::Result<[u8; KEY_BYTES]> {
        let mut derived = [0; KEY_BYTES];
        let extracted = hkdf::Salt::new(hkdf::HKDF_SHA256, SALT).extract(&self.0);
        let label = [purpose.label()];
        let expanded = extracted.expand(&label, hkdf::HKDF_SHA256);
        expanded.and_then(|key| key.fill(&mut derived)).map_err(|_| anyhow!("a key cannot be derived"))?;
        Ok(derived)
    }

    /// Derives the signing key for one purpose.
    ///
    /// # Errors
    /// Those of [`derive`](Self::derive).
    pub fn signer(&self, purpose: KeyPurpose) -> anyhow::Result<Ed25519Signer> {
        Ed25519Signer::new(&self.derive(purpose)?).context("the signing key")
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::signing::{Signer, Verifier};

    use super::*;

    #[test]
    fn a_derived_key_differs_from_its_master_key_and_from_keys_of_other_master_keys() {
        let derived = |byte| MasterKey::from_bytes([byte; 32]).derive(KeyPurpose::AuditHeads).unwrap();
        assert_eq!(derived(1), derived(1));
        assert!(derived(1) != [1; 32] && derived(1) != derived(2));
    }

    #[test]
    fn a_derived_key_stays_the_same_in_all_versions() {
        let fingerprint = MasterKey::from_bytes([7; 32]).signer(KeyPurpose::AuditHeads).unwrap().fingerprint();
        assert_eq!(fingerprint.to_string(), "c50a1a7c5772d7c5882fc8a59b15e24a9cf705c9065569822fef41c9a7f3aebb");
    }

    #[test]
    fn only_the_key_that_made_a_signature_verifies_it() {
        let signer = |byte| MasterKey::from_bytes([byte; 32]).signer(KeyPurpose::AuditHeads).unwrap();
        let signature = signer(1).sign(b"text");
        assert!(signer(1).verifies(b"text", &signature));
        assert!(!signer(1).verifies(b"other", &signature) && !signer(2).verifies(b"text", &signature));
        assert_ne!(signer(1).fingerprint(), signer(2).fingerprint());
    }

    #[test]
    fn the_debug_text_of_a_key_is_masked() {
        assert_eq!(format!("{:?}", MasterKey::from_bytes([7; 32])), "MasterKey(***)");
    }
}
