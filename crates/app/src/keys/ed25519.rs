//! Ed25519 signatures (RFC 8032).

use anyhow::anyhow;
use parlance_domain::signing::{KeyFingerprint, PublicKey, Signature, Signer, Verifier};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use super::key_size::KEY_BYTES;

/// Bytes of a signature.
const SIGNATURE_BYTES: usize = 64;

/// Signs and verifies with an Ed25519 key pair.
#[derive(Debug)]
pub struct Ed25519Signer(Ed25519KeyPair);

impl Ed25519Signer {
    /// Creates the key pair of a secret key.
    ///
    /// # Errors
    /// In practice never: the library rejects only seeds of another length.
    pub fn new(seed: &[u8; KEY_BYTES]) -> anyhow::Result<Self> {
        Ed25519KeyPair::from_seed_unchecked(seed).map(Self).map_err(|_| anyhow!("cannot be created"))
    }
}

impl Verifier for Ed25519Signer {
    fn verifies(&self, message: &[u8], signature: &Signature) -> bool {
        Ed25519Verifier(self.public_key()).verifies(message, signature)
    }

    fn fingerprint(&self) -> KeyFingerprint {
        self.public_key().fingerprint()
    }
}

impl Signer for Ed25519Signer {
    fn sign(&self, message: &[u8]) -> Signature {
        let mut bytes = [0; SIGNATURE_BYTES];
        // Both sides have 64 bytes, the length of every Ed25519 signature.
        bytes.iter_mut().zip(self.0.sign(message).as_ref()).for_each(|(target, source)| *target = *source);
        Signature(bytes)
    }

    fn public_key(&self) -> PublicKey {
        let mut bytes = [0; KEY_BYTES];
        // Both sides have 32 bytes, the length of every Ed25519 public key.
        bytes.iter_mut().zip(self.0.public_key().as_ref()).for_each(|(target, source)| *target = *source);
        PublicKey(bytes)
    }
}

/// Verifies with the public part of an Ed25519 key alone.
#[derive(Debug, Clone, Copy)]
pub struct Ed25519Verifier(pub PublicKey);

impl Verifier for Ed25519Verifier {
    fn verifies(&self, message: &[u8], signature: &Signature) -> bool {
        UnparsedPublicKey::new(&ED25519, self.0.0).verify(message, &signature.0).is_ok()
    }

    fn fingerprint(&self) -> KeyFingerprint {
        self.0.fingerprint()
    }
}
