//! Idempotency: repeats of a create request are recognised by a key of the caller's choice and get the first response.
//!
//! A caller without a response does not know whether its request was executed. It sends the same request with the same
//! key again, and the service does not create the objects twice (the IETF's `Idempotency-Key` header,
//! draft-ietf-httpapi-idempotency-key-header). The [`IdempotencyRecord`] of a request is stored in the same transaction
//! as the created objects, so neither exists without the other.

mod canonical;
mod error;
mod execute;
mod in_flight;
mod record;
mod store;

pub use canonical::{CanonicalForm, Canonicalize};
pub use error::{IdempotentError, KeyRefusal};
pub use execute::Idempotency;
pub use record::{
    Claim, IdempotencyRecord, IdempotentRequest, IdempotentResponse, KeyDigest, Operation, OperationRequest,
    RequestDigest,
};
pub use store::IdempotencyStore;

#[cfg(feature = "mocks")]
pub use store::MockIdempotencyStore;
