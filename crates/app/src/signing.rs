//! Signs the addresses of files.

use hmac::{Hmac, KeyInit, Mac};
use parlance_domain::{
    access::SecretSource,
    error::{StoreError, StoreErrorKind},
    feed::AddressSigner,
};
use sha2::Sha256;

use crate::{settings::SigningKey, system::RandomSecrets};

/// HMAC-SHA256 (RFC 2104, FIPS 180-4).
#[derive(Clone)]
pub(crate) struct HmacSigner(Hmac<Sha256>);

impl HmacSigner {
    /// Signs with this key; without one, with a random key that only this process ever has.
    pub(crate) fn new(key: Option<&SigningKey>) -> Result<Self, StoreError> {
        let keyed = match key {
            Some(key) => Hmac::new_from_slice(key.reveal()),
            None => Hmac::new_from_slice(RandomSecrets.next()?.reveal().as_bytes()),
        };
        keyed.map(Self).map_err(|error| StoreError::new(StoreErrorKind::Unexpected, error))
    }
}

impl AddressSigner for HmacSigner {
    fn sign(&self, text: &str) -> [u8; 32] {
        self.0.clone().chain_update(text.as_bytes()).finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_rfc() {
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
