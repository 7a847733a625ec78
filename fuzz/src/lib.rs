//! Invariants of the redaction engine, for fuzz tests.
//!
//! An input is a [`Call`]: a set of entities, a text and the earlier messages. [`check_invariants`] makes the call and
//! returns the first violated invariant.

#![forbid(unsafe_code)]

mod call;
mod dictation;
mod invariant;

pub use call::Call;
pub use invariant::{InvariantViolation, check_invariants};
