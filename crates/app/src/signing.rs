//! Signatures of file addresses.

use hmac::{Hmac, KeyInit, Mac};
use parlance_domain::{
    access::SecretSource,
    error::{StoreError, StoreErrorKind},
    feed::UrlSigner,
};
use sha2::Sha256;

use crate::{settings::FeedSigningKey, system::RandomSecrets};

/// Signs addresses by HMAC-SHA256 (RFC 2104, FIPS 180-4).
#[derive(Clone)]
pub(crate) struct HmacSigner(Hmac<Sha256>);

impl HmacSigner {
    /// Creates a signer with this key. Without a key, it uses a random key that no other process has.
    pub(crate) fn new(key: Option<&FeedSigningKey>) -> Result<Self, StoreError> {
        let mac = match key {
            Some(key) => Hmac::new_from_slice(key.reveal()),
            None => Hmac::new_from_slice(RandomSecrets.next()?.reveal().as_bytes()),
        };
        mac.map(Self).map_err(|error| StoreError::new(StoreErrorKind::Unexpected, error))
    }
}

impl UrlSigner for HmacSigner {
    fn sign(&self, text: &str) -> [u8; 32] {
        self.0.clone().chain_update(text.as_bytes()).finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_equals_the_example_of_the_rfc() {
        // RFC 4231, test case 2.
        let signer = HmacSigner(Hmac::new_from_slice(b"Jefe").unwrap());
        let signature = signer.sign("what do ya want for nothing?");
        assert_eq!(signature[..4], [0x5b, 0xdc, 0xc1, 0x46]);
    }

    #[test]
    fn two_processes_without_a_key_sign_differently() {
        let signature = || HmacSigner::new(None).unwrap().sign("text");
        assert_ne!(signature(), signature());
    }
}
