//! The signature of a document, by which the receiver verifies the sender and the time of sending.

use hmac::{Hmac, KeyInit, Mac};
use parlance_domain::{
    hex,
    time::{MICROS_PER_SECOND, Timestamp},
};
use sha2::Sha256;

/// The header with the time of sending: seconds since 1970, in decimal digits.
pub const TIMESTAMP_HEADER: &str = "parlance-timestamp";

/// The header with the signature: `v1=` and 64 hexadecimal digits.
pub const SIGNATURE_HEADER: &str = "parlance-signature";

/// The values of both headers of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureHeaders {
    /// The value of [`TIMESTAMP_HEADER`].
    pub timestamp: String,
    /// The value of [`SIGNATURE_HEADER`].
    pub signature: String,
}

/// The values of both headers for a body that is sent at this time. The signature is an HMAC-SHA256 (RFC 2104,
/// FIPS 180-4) with the key, over the digits of the timestamp, a full stop, and the body.
#[must_use]
pub fn signature_headers(key: &[u8], sent_at: Timestamp, body: &[u8]) -> SignatureHeaders {
    let timestamp = sent_at.as_micros().div_euclid(MICROS_PER_SECOND).to_string();
    let mut signature = String::from("v1=");
    // HMAC accepts keys of any length.
    if let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) {
        mac.update(timestamp.as_bytes());
        mac.update(b".");
        mac.update(body);
        signature.push_str(&hex::encode(&mac.finalize().into_bytes()));
    }
    SignatureHeaders { timestamp, signature }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected value comes from `printf '1700000000.{"version":7}' | openssl dgst -sha256 -hmac a-key-of-sixteen`.
    #[test]
    fn the_signature_covers_the_timestamp_and_the_body() {
        let sent_at = Timestamp::from_micros(1_700_000_000_999_999).unwrap();
        let SignatureHeaders { timestamp, signature } =
            signature_headers(b"a-key-of-sixteen", sent_at, br#"{"version":7}"#);
        assert_eq!(timestamp, "1700000000");
        assert_eq!(signature, "v1=2e9b099a0d0c66045cc2a067d280d961049dee0fcc16e6201dfe9f8d6c9e0912");
    }
}
