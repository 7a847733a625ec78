//! Authentication codes of previews: HMAC-SHA256 (RFC 2104) with a key that callers do not have.

use std::sync::Arc;

use anyhow::Context;
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    privacy::{PreviewAuthenticator, PreviewCode},
};
use ring::hmac;

use super::{
    key_size::KEY_BYTES,
    master_key::{KeyPurpose, MasterKey},
};

/// Makes and checks authentication codes under one key.
struct HmacAuthenticator(hmac::Key);

impl HmacAuthenticator {
    fn new(key: &[u8; KEY_BYTES]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }
}

impl PreviewAuthenticator for HmacAuthenticator {
    fn code(&self, content: &[u8]) -> Result<PreviewCode, StoreError> {
        let mut code = [0; 32];
        code.copy_from_slice(hmac::sign(&self.0, content).as_ref());
        Ok(code)
    }

    fn is_code_of(&self, content: &[u8], code: &PreviewCode) -> Result<bool, StoreError> {
        Ok(hmac::verify(&self.0, content, code).is_ok())
    }
}

/// The authenticator of a service without a master key: no retention rule can be set.
struct MissingKeyAuthenticator;

fn missing_key() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "retention needs a master key: set master_key_file")
}

impl PreviewAuthenticator for MissingKeyAuthenticator {
    fn code(&self, _: &[u8]) -> Result<PreviewCode, StoreError> {
        Err(missing_key())
    }

    fn is_code_of(&self, _: &[u8], _: &PreviewCode) -> Result<bool, StoreError> {
        Err(missing_key())
    }
}

/// The authenticator with the key that is derived from a master key.
pub(crate) fn preview_authenticator(key: Option<&MasterKey>) -> anyhow::Result<Arc<dyn PreviewAuthenticator>> {
    let Some(key) = key else { return Ok(Arc::new(MissingKeyAuthenticator)) };
    let derived = key.derive(KeyPurpose::RetentionPreviews).context("master_key_file")?;
    Ok(Arc::new(HmacAuthenticator::new(&derived)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_belongs_to_one_content_and_one_key() {
        let (one, other) = (HmacAuthenticator::new(&[1; KEY_BYTES]), HmacAuthenticator::new(&[2; KEY_BYTES]));
        let code = one.code(b"rules").unwrap();
        let accepted =
            [one.is_code_of(b"rules", &code), one.is_code_of(b"other", &code), other.is_code_of(b"rules", &code)];
        assert_eq!(accepted.map(Result::unwrap), [true, false, false]);
    }
}
