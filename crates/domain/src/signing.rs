//! The ports for signatures. The domain decides which data is signed. The adapter decides on the algorithm and the
//! source of the key.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::hex;

/// A signature of 64 bytes, as produced by Ed25519 (RFC 8032).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature(pub [u8; 64]);

impl Signature {
    /// Parses 128 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        hex::decode(text).map(Self)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

/// The public part of a key: 32 bytes, as encoded by Ed25519 (RFC 8032).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(pub [u8; 32]);

impl PublicKey {
    /// Parses 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        hex::decode(text).map(Self)
    }

    /// The fingerprint of the key.
    #[must_use]
    pub fn fingerprint(&self) -> KeyFingerprint {
        KeyFingerprint(Sha256::digest(self.0).into())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

/// Identifies a key by the SHA-256 digest of its public part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyFingerprint(pub [u8; 32]);

impl KeyFingerprint {
    /// Parses 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        hex::decode(text).map(Self)
    }
}

impl fmt::Display for KeyFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

/// Verifies the signatures of one key.
pub trait Verifier: Send + Sync {
    /// Whether the key made this signature of this message.
    fn verifies(&self, message: &[u8], signature: &Signature) -> bool;

    /// The fingerprint of the key.
    fn fingerprint(&self) -> KeyFingerprint;
}

/// Signs with one key. Equal messages MUST get equal signatures.
pub trait Signer: Verifier {
    /// The signature of a message.
    fn sign(&self, message: &[u8]) -> Signature;

    /// The public part of the key, with which anyone can verify its signatures.
    fn public_key(&self) -> PublicKey;
}

#[cfg(feature = "mocks")]
mockall::mock! {
    /// A mock verifier.
    pub Verifier {}

    impl Verifier for Verifier {
        fn verifies(&self, message: &[u8], signature: &Signature) -> bool;
        fn fingerprint(&self) -> KeyFingerprint;
    }
}

#[cfg(feature = "mocks")]
mockall::mock! {
    /// A mock signer.
    pub Signer {}

    impl Verifier for Signer {
        fn verifies(&self, message: &[u8], signature: &Signature) -> bool;
        fn fingerprint(&self) -> KeyFingerprint;
    }

    impl Signer for Signer {
        fn sign(&self, message: &[u8]) -> Signature;
        fn public_key(&self) -> PublicKey;
    }
}

#[cfg(test)]
pub(crate) mod test_key {
    use sha2::{Digest, Sha256};

    use super::{KeyFingerprint, PublicKey, Signature, Signer, Verifier};

    /// A test key. Its signatures depend on the key and the message, but anyone can compute them.
    pub(crate) struct TestKey(pub(crate) u8);

    impl Verifier for TestKey {
        fn verifies(&self, message: &[u8], signature: &Signature) -> bool {
            self.sign(message) == *signature
        }

        fn fingerprint(&self) -> KeyFingerprint {
            self.public_key().fingerprint()
        }
    }

    impl Signer for TestKey {
        fn sign(&self, message: &[u8]) -> Signature {
            let mut signature = [self.0; 64];
            let digest = Sha256::new().chain_update([self.0]).chain_update(message).finalize();
            signature.iter_mut().zip(digest).for_each(|(byte, digest_byte)| *byte = digest_byte);
            Signature(signature)
        }

        fn public_key(&self) -> PublicKey {
            PublicKey([self.0; 32])
        }
    }
}
