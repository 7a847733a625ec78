//! Credentials: a public identifier and a secret. Only the digest of the secret is stored.

use std::fmt;

use subtle::ConstantTimeEq;
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::{Permissions, TenantId};
use crate::{
    id::{ULID_CHARACTERS, ulid_text},
    limits::CREDENTIAL_NAME_MAX_CHARACTERS,
    text::{Violation, check_identifier},
    time::Timestamp,
};

/// The public identifier of a credential: its tenant, a dot, and a ULID.
///
/// The identifier contains the tenant, so the tenant can be the first part of the storage key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ApiId {
    text: Box<str>,
    tenant: TenantId,
}

/// The text is not a valid API identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an API identifier: a tenant, a dot, and 26 letters and digits")]
pub struct InvalidApiId;

impl ApiId {
    /// The identifier of a credential of this tenant.
    #[must_use]
    pub fn new(tenant: TenantId, ulid_bits: u128) -> Self {
        Self { text: format!("{tenant}.{}", ulid_text(ulid_bits)).into(), tenant }
    }

    /// Parses an identifier.
    ///
    /// # Errors
    /// [`InvalidApiId`] if the text does not have the form described at [`ApiId`].
    pub fn parse(text: &str) -> Result<Self, InvalidApiId> {
        let (tenant, ulid) = text.split_once('.').ok_or(InvalidApiId)?;
        let tenant = TenantId::parse(tenant).map_err(|_| InvalidApiId)?;
        let valid = ulid.len() == ULID_CHARACTERS && ulid.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if valid { Ok(Self { text: text.into(), tenant }) } else { Err(InvalidApiId) }
    }

    /// The identifier as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The tenant that the identifier names.
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

/// A secret as the caller presents it. `Debug` does not print the secret, and its memory is overwritten on drop.
#[derive(Clone)]
pub struct ApiSecret(Zeroizing<String>);

impl ApiSecret {
    /// Wraps a secret that a caller presented, whether it is correct or not.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(Zeroizing::new(text.into()))
    }

    /// The plain secret, to digest it or to print it once when it is issued.
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

/// The SHA-256 digest of a secret. Stores keep the digest instead of the secret.
///
/// Digests are compared in constant time, and the memory is overwritten on drop.
#[derive(Clone)]
pub struct SecretDigest(Zeroizing<[u8; 32]>);

impl ZeroizeOnDrop for SecretDigest {}

impl SecretDigest {
    /// Wraps a digest that was computed or read from a store.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// The bytes, for storage.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether two digests are equal. The comparison takes the same time wherever they differ.
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

/// The operator's name for a credential: 1 to 128 characters, no control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CredentialName(String);

impl CredentialName {
    /// Parses a name.
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
    /// The public identifier, which names the tenant.
    pub id: ApiId,
    /// The operator's name for the credential.
    pub name: CredentialName,
    /// The permissions.
    pub permissions: Permissions,
    /// The digest of the current secret.
    pub digest: SecretDigest,
    /// The digest of the secret before the last rotation, and the end of its grace period.
    pub previous: Option<(SecretDigest, Timestamp)>,
    /// The time of creation.
    pub created_at: Timestamp,
    /// The time of revocation. A revoked credential is refused from then on.
    pub revoked_at: Option<Timestamp>,
}

impl Credential {
    /// Whether a secret with this digest is accepted at this time.
    ///
    /// Both digests are always compared, so the time taken does not reveal whether there is a previous secret.
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
    fn a_malformed_api_id_is_refused() {
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
    fn the_previous_secret_is_accepted_until_its_grace_period_ends() {
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
    fn a_wrong_secret_is_refused() {
        assert!(!credential().accepts(&SecretDigest::new([3; 32]), at(1)));
    }

    #[test]
    fn a_secret_is_overwritten_when_it_is_dropped() {
        fn is_overwritten<T: ZeroizeOnDrop>() {}
        is_overwritten::<ApiSecret>();
        is_overwritten::<SecretDigest>();
    }

    #[test]
    fn debug_output_hides_secrets_and_digests() {
        assert_eq!(
            format!("{:?} {:?}", ApiSecret::new("hush"), SecretDigest::new([7; 32])),
            "ApiSecret(***) SecretDigest(***)"
        );
    }
}
