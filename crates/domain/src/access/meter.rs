//! The port that counts failed authentications by reason.

use super::{Credential, SecretDigest};

/// The reason why an authentication fails. Callers never see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AuthenticationFailure {
    /// The request has no credential, or one that is malformed.
    Missing,
    /// No credential has the identifier.
    UnknownCredential,
    /// The credential is revoked.
    Revoked,
    /// A rotation replaced the secret, and its grace period is over.
    ExpiredSecret,
    /// The secret does not belong to the credential.
    WrongSecret,
    /// The address is throttled after too many failed authentications.
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
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::UnknownCredential => "unknown_credential",
            Self::Revoked => "revoked",
            Self::ExpiredSecret => "expired_secret",
            Self::WrongSecret => "wrong_secret",
            Self::AddressThrottled => "address_throttled",
        }
    }

    /// The reason why this credential, if one was found, rejects a secret with this digest.
    pub(super) fn classify(found: Option<&Credential>, digest: &SecretDigest) -> Self {
        let none = SecretDigest::new([0; 32]);
        let previous =
            found.and_then(|credential| credential.previous.as_ref()).map_or(none, |(previous, _)| previous.clone());
        // Compared in all cases, so the time taken does not reveal whether the credential exists.
        let is_replaced = previous.matches(digest);
        match found {
            None => Self::UnknownCredential,
            Some(credential) if credential.revoked_at.is_some() => Self::Revoked,
            Some(_) if is_replaced => Self::ExpiredSecret,
            Some(_) => Self::WrongSecret,
        }
    }
}

/// Counts failed authentications. It receives no identifier, secret or address.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait AuthenticationMeter: Send + Sync {
    /// Counts one failed authentication. MUST NOT block: it is called during the request.
    fn record_failure(&self, reason: AuthenticationFailure);
}
