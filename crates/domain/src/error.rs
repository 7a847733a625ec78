//! The failure of a store, which every use case can report.
//!
//! The error of a use case is beside its service: `error.rs` in the folder of the feature. It names only what can
//! happen in that use case. No error contains a caller's input or a secret, so its text is safe to show to the caller.

use std::{error::Error as StdError, fmt};

/// The kind of a store failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreErrorKind {
    /// The store is unreachable, overloaded or too slow. The same call may succeed later.
    Unavailable,
    /// Stored data breaks a rule of the domain and cannot be returned.
    Corrupt,
    /// The tenant is erased, or is being erased, so nothing is stored for it any more.
    TenantErased,
    /// The store returned something that its adapter does not expect. This is a defect.
    Unexpected,
}

/// A store failure: its kind, and its cause for the log. `Display` prints the kind only.
#[derive(Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    source: Box<dyn StdError + Send + Sync>,
}

impl StoreError {
    /// A failure of this kind with this cause.
    pub fn new(kind: StoreErrorKind, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { kind, source: source.into() }
    }

    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// The failure and its causes in one line, outermost first. For logs and operators only, never for a caller.
    #[must_use]
    pub fn cause_chain(&self) -> String {
        let causes = std::iter::successors(Some(self as &dyn StdError), |error: &&dyn StdError| (*error).source());
        causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            StoreErrorKind::Unavailable => "the store is out of reach",
            StoreErrorKind::Corrupt => "stored data is invalid",
            StoreErrorKind::TenantErased => "the tenant is erased, or is being erased",
            StoreErrorKind::Unexpected => "the store failed",
        })
    }
}

impl StdError for StoreError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_error_displays_its_kind_and_keeps_its_cause_for_the_log() {
        let error = StoreError::new(StoreErrorKind::Unavailable, "postgres://user:secret@host is down");
        assert_eq!(error.to_string(), "the store is out of reach");
        assert!(error.source().is_some());
    }
}
