//! The port that counts authentications that fail, by their reason.

use super::{Credential, SecretDigest};

/// Why an authentication fails. Callers are not told it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AuthenticationFailure {
    /// No credential is given, or none of the form of one.
    Missing,
    /// No credential has the identifier.
    UnknownCredential,
    /// The credential is revoked.
    Revoked,
    /// The secret was replaced by a rotation, and its grace period is over.
    ExpiredSecret,
    /// The secret is not the credential's.
    WrongSecret,
    /// Too many authentications failed from the address before.
    AddressThrottled,
}

impl AuthenticationFailure {
    /// Every reason.
    pub const ALL: [Self; 6] = [
        Self::Missing,
        Self::UnknownCredential,
        Self::Revoked,
        Self::ExpiredSecret,
        Self::WrongSecret,
        Self::AddressThrottled,
    ];

    /// The reason as a stable word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::UnknownCredential => "unknown_credential",
            Self::Revoked => "revoked",
            Self::ExpiredSecret => "expired_secret",
            Self::WrongSecret => "wrong_secret",
            Self::AddressThrottled => "address_throttled",
        }
    }

    /// Why the credential that was found, if any, does not accept a secret of this digest.
    pub(super) fn of(found: Option<&Credential>, digest: &SecretDigest) -> Self {
        let none = SecretDigest::new([0; 32]);
        let previous =
            found.and_then(|credential| credential.previous.as_ref()).map_or(none, |(previous, _)| previous.clone());
        // Compared in any case, so that the time taken does not tell whether the credential exists.
        let is_replaced = previous.matches(digest);
        match found {
            None => Self::UnknownCredential,
            Some(credential) if credential.revoked_at.is_some() => Self::Revoked,
            Some(_) if is_replaced => Self::ExpiredSecret,
            Some(_) => Self::WrongSecret,
        }
    }
}

/// Counts authentications that fail. It sees neither identifiers nor secrets nor addresses.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait AuthenticationMeter: Send + Sync {
    /// One more authentication failed for this reason. MUST NOT wait for anything: it is called within the request.
    fn failed(&self, reason: AuthenticationFailure);
}
