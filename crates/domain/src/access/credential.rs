//! Credentials: a public identifier, and a secret of which only the digest is kept.

use std::fmt;

use subtle::ConstantTimeEq;
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::{Permissions, TenantId};
use crate::{
    id::ulid_text,
    limits::CREDENTIAL_NAME_MAX_CHARACTERS,
    text::{Violation, check_identifier},
    time::Timestamp,
};

/// The public identifier of a credential: its tenant, a dot, and a ULID.
///
/// It names the tenant so that the tenant can lead the key under which credentials are stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ApiId {
    text: Box<str>,
    tenant: TenantId,
}

/// A text that no credential can have as its identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an API identifier: a tenant, a dot, and 26 letters and digits")]
pub struct InvalidApiId;

impl ApiId {
    const ULID_CHARACTERS: usize = 26;

    /// The identifier of a tenant's credential.
    #[must_use]
    pub fn new(tenant: TenantId, ulid_bits: u128) -> Self {
        Self { text: format!("{tenant}.{}", ulid_text(ulid_bits)).into(), tenant }
    }

    /// Reads an identifier.
    ///
    /// # Errors
    /// [`InvalidApiId`] where the text is not of the form above.
    pub fn parse(text: &str) -> Result<Self, InvalidApiId> {
        let (tenant, ulid) = text.split_once('.').ok_or(InvalidApiId)?;
        let tenant = TenantId::parse(tenant).map_err(|_| InvalidApiId)?;
        let valid = ulid.len() == Self::ULID_CHARACTERS && ulid.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if valid { Ok(Self { text: text.into(), tenant }) } else { Err(InvalidApiId) }
    }

    /// The identifier as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The tenant that it names.
    #[must_use]
    pub fn tenant(&self) -> &TenantId {
        &self.tenant
    }
}

impl fmt::Display for ApiId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A secret as the caller presents it. It cannot be shown by accident, and is overwritten when it is dropped.
#[derive(Clone)]
pub struct ApiSecret(Zeroizing<String>);

impl ApiSecret {
    /// Takes a secret as it was presented, right or wrong.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(Zeroizing::new(text.into()))
    }

    /// The secret itself: to digest it, or to show it the one time that it is issued.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl ZeroizeOnDrop for ApiSecret {}

impl fmt::Debug for ApiSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiSecret(***)")
    }
}

/// The SHA-256 digest of a secret: what is stored of it. Compares in constant time, and is overwritten when it is dropped.
#[derive(Clone)]
pub struct SecretDigest(Zeroizing<[u8; 32]>);

impl ZeroizeOnDrop for SecretDigest {}

impl SecretDigest {
    /// A digest that was computed or read back.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// The bytes, to be stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether two digests are equal, in a time that does not tell where they differ.
    #[must_use]
    pub fn matches(&self, other: &Self) -> bool {
        self.0.ct_eq(&*other.0).into()
    }
}

impl fmt::Debug for SecretDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretDigest(***)")
    }
}

/// The name by which operators know a credential: 1 to 128 characters, no control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CredentialName(String);

impl CredentialName {
    /// Reads a name.
    ///
    /// # Errors
    /// The first rule that `text` breaks.
    pub fn parse(text: impl Into<String>) -> Result<Self, Violation> {
        let text = text.into();
        check_identifier(&text, CREDENTIAL_NAME_MAX_CHARACTERS)?;
        Ok(Self(text))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A credential as it is stored.
#[derive(Debug, Clone)]
pub struct Credential {
    /// Its public identifier, which names its tenant.
    pub id: ApiId,
    /// What operators call it.
    pub name: CredentialName,
    /// What it may do.
    pub permissions: Permissions,
    /// The digest of its secret.
    pub digest: SecretDigest,
    /// The digest of the secret before the last rotation, and until when that one is still accepted.
    pub previous: Option<(SecretDigest, Timestamp)>,
    /// When it was issued.
    pub created_at: Timestamp,
    /// When it was revoked; from then on it is refused.
    pub revoked_at: Option<Timestamp>,
}

impl Credential {
    /// Whether a secret with this digest is accepted at that time. Compares with both digests in any case, so that
    /// the time taken does not tell which of them exists.
    #[must_use]
    pub fn accepts(&self, digest: &SecretDigest, at: Timestamp) -> bool {
        let current = self.digest.matches(digest);
        let (previous, until) = self.previous.as_ref().map_or((&self.digest, None), |(old, until)| (old, Some(*until)));
        let previous = previous.matches(digest) & until.is_some_and(|until| at < until);
        (current | previous) & self.revoked_at.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn credential() -> Credential {
        Credential {
            id: ApiId::new(TenantId::parse("acme").unwrap(), 1),
            name: CredentialName::parse("telephony").unwrap(),
            permissions: Permissions::all(),
            digest: SecretDigest::new([2; 32]),
            previous: Some((SecretDigest::new([1; 32]), at(100))),
            created_at: at(0),
            revoked_at: None,
        }
    }

    #[test]
    fn an_api_id_names_its_tenant() {
        let id = ApiId::parse("acme_2.01JZX900000000000000000000").unwrap();
        assert_eq!(id.tenant().as_str(), "acme_2");
    }

    #[test]
    fn what_is_no_api_id_is_refused() {
        for text in ["", "acme", "acme.", ".01JZX900000000000000000000", "acme.short", "a.b.01JZX900000000000000000000"]
        {
            assert_eq!(ApiId::parse(text), Err(InvalidApiId), "{text:?}");
        }
    }

    #[test]
    fn the_current_secret_is_accepted() {
        assert!(credential().accepts(&SecretDigest::new([2; 32]), at(1_000)));
    }

    #[test]
    fn the_secret_before_a_rotation_is_accepted_until_its_time_is_up() {
        assert!(credential().accepts(&SecretDigest::new([1; 32]), at(99)));
        assert!(!credential().accepts(&SecretDigest::new([1; 32]), at(100)));
    }

    #[test]
    fn no_secret_of_a_revoked_credential_is_accepted() {
        let revoked = Credential { revoked_at: Some(at(1)), ..credential() };
        assert!(!revoked.accepts(&SecretDigest::new([2; 32]), at(2)));
        assert!(!revoked.accepts(&SecretDigest::new([1; 32]), at(2)));
    }

    #[test]
    fn another_secret_is_refused() {
        assert!(!credential().accepts(&SecretDigest::new([3; 32]), at(1)));
    }

    #[test]
    fn a_secret_is_overwritten_when_it_is_dropped() {
        fn is_overwritten<T: ZeroizeOnDrop>() {}
        is_overwritten::<ApiSecret>();
        is_overwritten::<SecretDigest>();
    }

    #[test]
    fn secrets_and_digests_are_not_shown() {
        assert_eq!(
            format!("{:?} {:?}", ApiSecret::new("hush"), SecretDigest::new([7; 32])),
            "ApiSecret(***) SecretDigest(***)"
        );
    }
}
