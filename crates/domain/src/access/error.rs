//! The errors of authentication and of managing credentials.

use std::time::Duration;

use crate::error::StoreError;

/// The error of an authentication.
#[derive(Debug, thiserror::Error)]
pub enum AuthenticationError {
    /// The credential is missing, unknown, wrong, expired or revoked. The error does not reveal which.
    #[error("the credential is missing or wrong")]
    Unauthenticated,
    /// The client address is throttled after too many failed authentications.
    #[error("too many failed authentications from this address")]
    Throttled {
        /// The time until the address may try again.
        retry_after: Duration,
    },
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of rotating or revoking a credential.
#[derive(Debug, thiserror::Error)]
pub enum CredentialError {
    /// The credential does not exist, or is revoked.
    #[error("there is no such credential")]
    NotFound,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
