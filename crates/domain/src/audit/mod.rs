//! The audit log: it records every change of credentials and redaction entities. Each record contains the hash of its
//! predecessor, so an altered, inserted or removed record is detected.
//!
//! Each tenant has its own chain. A key outside the database signs the head of the chain, so write access to the
//! database is not enough to forge a new chain. An [`Anchor`] that is stored elsewhere reveals a database that was
//! replaced by an older copy. Verification also compares the records with the stored data, which reveals a change
//! without a record.
//!
//! A new kind of record needs an [`AuditAction`] and an [`AuditEntry`] that its store adds. Verification covers the
//! record without more code. If the record describes stored data, `recorded_state.rs` must compare that data.

mod anchor;
mod chain;
mod entry;
mod erasure_entries;
mod fault;
mod head;
mod hold_entries;
mod recorded_state;
mod retention_entries;
mod service;
mod store;
mod stored_head;
mod tenant_entries;
mod verification;
mod webhook_entries;

pub use anchor::Anchor;
pub use chain::AuditRecord;
pub use entry::{AuditAction, AuditEntry, Operator};
pub use fault::{ChainBreak, ChainFault, CredentialFault, Finding, HeadFault, SwitchFault};
pub use head::{ChainHead, InvalidHead};
pub use hold_entries::HeldSubject;
pub use recorded_state::StoredState;
pub use service::{Audit, UnsignedHeads, VerificationScope};
pub use store::AuditStore;
pub use stored_head::{HeadSignature, MissingSigningKey, StoredHead};
pub use verification::{ChainSnapshot, Period, SignatureCheck, Verification};

#[cfg(feature = "mocks")]
pub use store::MockAuditStore;
