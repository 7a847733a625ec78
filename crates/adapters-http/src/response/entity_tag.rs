//! Entity tags of responses that rarely change. A request with the current tag gets a 304 without a body.

use actix_web::{HttpRequest, http::header};
use parlance_domain::hex;

/// The entity tag of these bytes. Every replica computes the same tag.
pub(crate) fn compute(bytes: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&digest(bytes).to_be_bytes()))
}

/// Whether the header `If-None-Match` of the request has this tag, or `*`. The prefix `W/` is ignored.
pub(crate) fn matches_if_none_match(request: &HttpRequest, tag: &str) -> bool {
    let mut values = request.headers().get_all(header::IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    values.any(|tags| tags.split(',').map(str::trim).any(|item| item == "*" || item.trim_start_matches("W/") == tag))
}

/// FNV-1a of 128 bits. Tagged content is public or belongs to the caller, so a forged tag gains nothing.
fn digest(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |digest, byte| (digest ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_matches_fnv_1a_test_vectors() {
        assert_eq!(digest(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(digest(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
