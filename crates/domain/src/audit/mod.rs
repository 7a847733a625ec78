//! The audit log: every change of credentials and of redaction, each record holding the hash of the one before it, so
//! that no record can be altered, inserted or taken out unseen.
//!
//! Each tenant has a chain of its own. Whoever can write the whole database can write a whole new chain; that is seen by
//! comparing with a [`Head`] that was filed elsewhere.

mod chain;
mod entry;
mod reading;
mod store;

pub use chain::{Break, Fault, Head, InvalidHead, Record};
pub use entry::{Action, Entry, UnknownAction};
pub use reading::{Audit, Verdict};
pub use store::AuditStore;

#[cfg(feature = "mocks")]
pub use store::MockAuditStore;
