//! Repeats of a request that creates something: recognised by a key that the caller chose, and answered as the first was.
//!
//! A caller that got no answer does not know whether the request was carried out. It sends the same request with the
//! same key again, and what the first one created is not created twice (the IETF's `Idempotency-Key` header,
//! draft-ietf-httpapi-idempotency-key-header). The [`Receipt`] of a request is stored in the same transaction as what it
//! created, so that there is never one without the other.

mod canonical;
mod receipt;
mod repeats;
mod running;
mod store;

pub use canonical::{Canonical, CanonicalForm};
pub use receipt::{Answer, Attempt, Claim, KeyDigest, Operation, Receipt, RequestDigest};
pub use repeats::Repeats;
pub use store::ReceiptStore;

#[cfg(feature = "mocks")]
pub use store::MockReceiptStore;
