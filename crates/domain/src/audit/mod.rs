//! The audit log: every change of credentials and of redaction, each record holding the hash of the one before it, so
//! that no record can be altered, inserted or taken out unseen.
//!
//! Each tenant has a chain of its own. Its head is signed by a key that the database does not hold, so whoever can write
//! the whole database cannot write a whole new chain. Whoever puts an older copy of the database in its place is found
//! out by an [`Anchor`] that was filed elsewhere. What is recorded is compared with what is stored, so that a change past
//! the record shows too.
//!
//! A new kind of record is an [`Action`] with an [`Entry`] that its store adds. Verification covers it as it is; where it
//! is the record of something stored, `recorded.rs` compares that.

mod anchor;
mod chain;
mod entry;
mod fault;
mod head;
mod reading;
mod recorded;
mod store;
mod verification;

pub use anchor::Anchor;
pub use chain::Record;
pub use entry::{Action, Entry, Operator};
pub use fault::{Break, CredentialFault, Fault, Finding, HeadFault, SwitchFault};
pub use head::{Head, HeadSignature, InvalidHead, KeptHead, KeyNeeded};
pub use reading::{Audit, Scope, UnsignedHeads};
pub use recorded::Stored;
pub use store::AuditStore;
pub use verification::{Period, Signed, Snapshot, Verification};

#[cfg(feature = "mocks")]
pub use store::MockAuditStore;
