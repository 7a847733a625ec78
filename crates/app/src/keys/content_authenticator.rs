//! Authentication codes of previews of retention rules and of objects of the ledger of erasures: HMAC-SHA256 (RFC 2104) with a
//! key that callers do not have.

use std::sync::Arc;

use anyhow::Context;
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    privacy::{AuthenticationCode, ContentAuthenticator},
};
use ring::hmac;

use super::{
    digest_key::DigestKey,
    key_size::KEY_BYTES,
    master_key::{KeyPurpose, MasterKey},
};

const NO_PREVIEWS: &str = "retention needs a master key: set master_key_file";

const NO_LEDGER: &str = "the ledger of erasures needs the master key of its servers: set master_key_file";

/// Makes and checks authentication codes under one key.
struct HmacAuthenticator(hmac::Key);

impl HmacAuthenticator {
    fn new(key: &[u8; KEY_BYTES]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }
}

impl ContentAuthenticator for HmacAuthenticator {
    fn code(&self, content: &[u8]) -> Result<AuthenticationCode, StoreError> {
        let mut code = [0; 32];
        code.copy_from_slice(hmac::sign(&self.0, content).as_ref());
        Ok(code)
    }

    fn is_code_of(&self, content: &[u8], code: &AuthenticationCode) -> Result<bool, StoreError> {
        Ok(hmac::verify(&self.0, content, code).is_ok())
    }
}

/// The authenticator of a service without a key, for this reason.
struct MissingKeyAuthenticator(&'static str);

impl MissingKeyAuthenticator {
    fn error(&self) -> StoreError {
        StoreError::new(StoreErrorKind::Unavailable, self.0)
    }
}

impl ContentAuthenticator for MissingKeyAuthenticator {
    fn code(&self, _: &[u8]) -> Result<AuthenticationCode, StoreError> {
        Err(self.error())
    }

    fn is_code_of(&self, _: &[u8], _: &AuthenticationCode) -> Result<bool, StoreError> {
        Err(self.error())
    }
}

/// The authenticator of previews. Without a master key, no retention rule can be set.
pub(crate) fn preview_authenticator(key: Option<&MasterKey>) -> anyhow::Result<Arc<dyn ContentAuthenticator>> {
    let Some(key) = key else { return Ok(Arc::new(MissingKeyAuthenticator(NO_PREVIEWS))) };
    let derived = key.derive(KeyPurpose::RetentionPreviews).context("master_key_file")?;
    Ok(Arc::new(HmacAuthenticator::new(&derived)))
}

/// The authenticator of the ledger. Without a key, nothing is written to it, and no object with a code is applied.
pub(crate) fn ledger_authenticator(key: Option<&DigestKey>) -> anyhow::Result<Arc<dyn ContentAuthenticator>> {
    let Some(key) = key else { return Ok(Arc::new(MissingKeyAuthenticator(NO_LEDGER))) };
    Ok(Arc::new(HmacAuthenticator::new(&key.derive_ledger_key().context("master_key_file")?)))
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
