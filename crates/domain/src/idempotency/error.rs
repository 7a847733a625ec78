//! Errors of idempotency keys.

use crate::error::StoreError;

/// The reason why an idempotency key is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyRefusal {
    /// A request with the same key is in progress.
    #[error("a request with this key is in progress; retry in a moment")]
    InProgress,
    /// A request with the same key was executed meanwhile.
    #[error("a request with this key was already executed")]
    Taken,
    /// The key was used with a different request.
    #[error("was used with a different request; use a new key")]
    Reused,
    /// What the request with this key created was erased.
    #[error("a request with this key was executed, and what it created was erased; use a new key")]
    Erased,
}

/// The error of a use case that [`Idempotency::execute`](super::Idempotency::execute) runs.
pub trait IdempotentError: From<KeyRefusal> + From<StoreError> {
    /// The reason why the key was refused, if this is the cause of the error.
    fn key_refusal(&self) -> Option<KeyRefusal>;
}
