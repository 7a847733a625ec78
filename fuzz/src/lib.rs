//! What the redaction engine promises for every text, as properties a fuzzer can try to break.
//!
//! An input is a [`Call`]: a set of entities, a text, and the messages before it. [`kept`] makes the call and says
//! which promise it breaks, if any.

#![forbid(unsafe_code)]

mod call;
mod promise;

pub use call::Call;
pub use promise::{Broken, kept};
