//! The ports for signatures. The domain decides which data is signed. The adapter decides on the algorithm and the
//! source of the key.

use std::fmt;

/// A signature of 64 bytes, as produced by Ed25519 (RFC 8032).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature(pub [u8; 64]);

impl Signature {
    /// Parses 128 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        decode_hex(text).map(Self)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&encode_hex(&self.0))
    }
}

/// Identifies a key by the SHA-256 digest of its public part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyFingerprint(pub [u8; 32]);

impl KeyFingerprint {
    /// Parses 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        decode_hex(text).map(Self)
    }
}

impl fmt::Display for KeyFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&encode_hex(&self.0))
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
    }
}

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn encode_hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Parses exactly `BYTES` bytes from hexadecimal digits of either case.
#[must_use]
pub fn decode_hex<const BYTES: usize>(text: &str) -> Option<[u8; BYTES]> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let mut bytes = [0; BYTES];
    if text.len() != 2 * BYTES {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let [high, low] = pair else { return None };
        *byte = digit(high)? << 4 | digit(low)?;
    }
    Some(bytes)
}

#[cfg(test)]
pub(crate) mod test_key {
    use sha2::{Digest, Sha256};

    use super::{KeyFingerprint, Signature, Signer, Verifier};

    /// A test key. Its signatures depend on the key and the message, but anyone can compute them.
    pub(crate) struct TestKey(pub(crate) u8);

    impl Verifier for TestKey {
        fn verifies(&self, message: &[u8], signature: &Signature) -> bool {
            self.sign(message) == *signature
        }

        fn fingerprint(&self) -> KeyFingerprint {
            KeyFingerprint([self.0; 32])
        }
    }

    impl Signer for TestKey {
        fn sign(&self, message: &[u8]) -> Signature {
            let mut signature = [self.0; 64];
            let digest = Sha256::new().chain_update([self.0]).chain_update(message).finalize();
            signature.iter_mut().zip(digest).for_each(|(byte, digest_byte)| *byte = digest_byte);
            Signature(signature)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_a_round_trip_through_hex() {
        let bytes = [0x00, 0x9a, 0xff];
        assert_eq!(encode_hex(&bytes), "009aff");
        assert_eq!((decode_hex("009aff"), decode_hex("009AFF")), (Some(bytes), Some(bytes)));
    }

    #[test]
    fn text_of_another_length_or_with_other_characters_is_refused() {
        for text in ["", "00", "009af", "009aff0", "009ag0", "+09aff", "é9aff"] {
            assert_eq!(decode_hex::<3>(text), None, "{text:?}");
        }
    }
}
