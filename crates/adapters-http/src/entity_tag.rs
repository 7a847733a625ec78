//! Tags of answers that change seldom, so that a caller that has one is not sent it again.

use actix_web::{HttpRequest, http::header};

/// The tag of these bytes: the same on every replica.
pub(crate) fn of(bytes: &[u8]) -> String {
    format!("\"{:032x}\"", digest(bytes))
}

/// Whether the request says that its caller has what has this tag.
pub(crate) fn is_known(request: &HttpRequest, tag: &str) -> bool {
    let mut known = request.headers().get_all(header::IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    known.any(|tags| tags.split(',').map(str::trim).any(|one| one == "*" || one.trim_start_matches("W/") == tag))
}

/// FNV-1a of 128 bits. What is tagged is the caller's own or public, so there is nothing to forge.
fn digest(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |digest, byte| (digest ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_its_definition() {
        assert_eq!(digest(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(digest(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
