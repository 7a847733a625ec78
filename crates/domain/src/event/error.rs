//! The errors of reading events.

use crate::{access::PermissionDenied, error::StoreError};

/// The error of reading events from the change log.
#[derive(Debug, thiserror::Error)]
pub enum PollError {
    /// An event after the position was dropped, because it was older than the retention time.
    #[error("has expired: events after it were dropped; read the resources anew and continue from `after=latest`")]
    Expired,
    /// The log has no entry at the position.
    #[error("is unknown here: read the resources anew and continue from `after=latest`")]
    Unknown,
    /// The caller may not read a type that it asked for.
    #[error(transparent)]
    Denied(#[from] PermissionDenied),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of issuing a streaming address.
#[derive(Debug, thiserror::Error)]
pub enum IssueAddressError {
    /// No conversation has the id.
    #[error("there is no such conversation")]
    UnknownConversation,
    /// No conversation has the caller's identifier.
    #[error("there is no such conversation")]
    UnknownExternalId,
    /// The caller may not read a type that it asked for.
    #[error(transparent)]
    Denied(#[from] PermissionDenied),
    /// The caller has no credential whose revocation would end the stream.
    #[error("only a caller with a credential can issue an address")]
    NoCredential,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of using a streaming address.
#[derive(Debug, thiserror::Error)]
pub enum SpendAddressError {
    /// The address is unknown, was used, or has expired.
    #[error("is unknown, was used, or is too old: ask for a new address")]
    NotFound,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
