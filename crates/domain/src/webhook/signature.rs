//! Signatures of requests: Standard Webhooks 1.0, with HMAC-SHA256.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::WebhookDeliveryId;
use crate::{
    access::ApiSecret,
    time::{MICROS_PER_SECOND, Timestamp},
};

/// The start of a secret as text.
const PREFIX: &str = "whsec_";

/// A secret that signs requests: 24 to 64 bytes. `Debug` does not print the secret, and its memory is overwritten on drop.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(Zeroizing<Vec<u8>>);

/// The text or the bytes are no secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be whsec_ and the base64 form of 24 to 64 bytes")]
pub struct InvalidSecret;

impl WebhookSecret {
    /// The secret with these bytes.
    ///
    /// # Errors
    /// [`InvalidSecret`] if there are fewer than 24 or more than 64 bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, InvalidSecret> {
        let bytes = Zeroizing::new(bytes);
        if (24..=64).contains(&bytes.len()) { Ok(Self(bytes)) } else { Err(InvalidSecret) }
    }

    /// Parses the text form.
    ///
    /// # Errors
    /// [`InvalidSecret`].
    pub fn parse(text: &str) -> Result<Self, InvalidSecret> {
        let encoded = text.strip_prefix(PREFIX).ok_or(InvalidSecret)?;
        Self::from_bytes(STANDARD.decode(encoded).map_err(|_| InvalidSecret)?)
    }

    /// A secret of 32 bytes that are derived from a random one.
    #[must_use]
    pub fn derive(random: &ApiSecret) -> Self {
        Self(Zeroizing::new(Sha256::digest(random.reveal().as_bytes()).to_vec()))
    }

    /// The bytes, to encrypt them.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text form, to show it once.
    #[must_use]
    pub fn reveal(&self) -> Zeroizing<String> {
        // The full length is reserved first: a reallocation would leave part of the secret in freed memory.
        let mut text = Zeroizing::new(String::with_capacity(PREFIX.len() + 4 * self.0.len().div_ceil(3)));
        text.push_str(PREFIX);
        STANDARD.encode_string(&*self.0, &mut text);
        text
    }
}

impl ZeroizeOnDrop for WebhookSecret {}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(***)")
    }
}

/// The seconds since 1970 in the header `webhook-timestamp`.
pub(super) fn unix_seconds(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(MICROS_PER_SECOND)
}

/// The value of the header `webhook-signature`: one signature for each secret.
#[must_use]
pub fn sign(secrets: &[WebhookSecret], id: &WebhookDeliveryId, at: Timestamp, body: &[u8]) -> String {
    let signatures = secrets.iter().filter_map(|secret| {
        // HMAC accepts keys of any length.
        let mut mac = Hmac::<Sha256>::new_from_slice(&secret.0).ok()?;
        mac.update(format!("{id}.{}.", unix_seconds(at)).as_bytes());
        mac.update(body);
        Some(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
    });
    signatures.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_parsed_from_its_text() {
        let secret = WebhookSecret::from_bytes(vec![7; 32]).unwrap();
        assert_eq!(WebhookSecret::parse(&secret.reveal()), Ok(secret.clone()));
        assert_eq!(format!("{secret:?}"), "WebhookSecret(***)");
        for text in ["", "whsec_", "whsec_AAAA", "whsec_!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
            assert_eq!(WebhookSecret::parse(text), Err(InvalidSecret), "{text}");
        }
        assert!(WebhookSecret::from_bytes(vec![7; 23]).is_err() && WebhookSecret::from_bytes(vec![7; 65]).is_err());
    }

    #[test]
    fn the_signature_is_that_of_another_implementation() {
        // Computed with the Python modules hmac and base64.
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let at = Timestamp::from_micros(1_614_265_330_999_999).unwrap();
        let signature = sign(&[secret], &WebhookDeliveryId::parse("MSG1").unwrap(), at, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,J7C5y43//DSYsbmVzdY1V/nANSCJ0KBSccVsS1vj/I8=");
    }

    #[test]
    fn two_secrets_give_two_signatures() {
        let secrets = [1, 2].map(|byte| WebhookSecret::from_bytes(vec![byte; 32]).unwrap());
        let id = WebhookDeliveryId::parse("A").unwrap();
        let both = sign(&secrets, &id, Timestamp::EPOCH, b"{}");
        let single = secrets.map(|secret| sign(&[secret], &id, Timestamp::EPOCH, b"{}"));
        assert_eq!(both, single.join(" "));
    }
}
