//! The ports of the ledger of erasures: the ledger, and what the database knows of it.

use std::collections::BTreeSet;

use async_trait::async_trait;

use super::{Erasure, LedgerContent, LedgerEntry, LedgerError, LedgerObjectId};
use crate::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    id::{ConversationId, MessageId},
};

/// The ledger: objects with entries, apart from the database. An object is written once, and never changed or removed.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ErasureLedger: Send + Sync {
    /// Writes an object durably. A reader MUST find its whole content or no object.
    async fn write(&self, object: &LedgerObjectId, content: &LedgerContent) -> Result<(), StoreError>;

    /// All objects. A ledger that was never written to has none. A ledger that cannot be read MUST be an error, never
    /// an empty list.
    async fn objects(&self) -> Result<BTreeSet<LedgerObjectId>, StoreError>;

    /// The content of an object, with its entries in the order in which they were written. The caller checks the code.
    ///
    /// # Errors
    /// [`LedgerError::Malformed`] if a line is not an entry, [`LedgerError::Changed`] if lines were removed or changed since
    /// they were written, [`LedgerError::Ledger`] if the ledger fails or has no such
    /// object.
    async fn read(&self, object: &LedgerObjectId) -> Result<LedgerContent, LedgerError>;
}

/// What the database knows of the ledger: the queue of entries that are not written yet, and the objects that it has
/// written or applied. [`ErasureStore::erase`](super::ErasureStore::erase) appends to the queue, in its transaction,
/// whether or not there is a ledger.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait LedgerStore: Send + Sync {
    /// Up to `limit` entries of the queue, of all tenants.
    async fn queued(&self, limit: u16) -> Result<Vec<LedgerEntry>, StoreError>;

    /// Removes these entries from the queue and records the object, all in one step. Entries that are not queued and an
    /// object that is recorded already are no error.
    async fn record_object(&self, object: &LedgerObjectId, written: &[LedgerEntry]) -> Result<(), StoreError>;

    /// The objects that are recorded.
    async fn recorded_objects(&self) -> Result<BTreeSet<LedgerObjectId>, StoreError>;

    /// Queues an entry for every erasure that the database knows, except for messages that were removed by
    /// [`remove_message`](Self::remove_message), and forgets these objects, all in one step.
    async fn requeue(&self, missing: &BTreeSet<LedgerObjectId>) -> Result<(), StoreError>;

    /// Erases a conversation as [`ErasureStore::erase`](super::ErasureStore::erase) does, but records the erasure also
    /// if there is no such conversation, and queues no entry. Returns whether the erasure was new. If it is recorded
    /// already, nothing changes.
    async fn apply_erasure(&self, tenant: &TenantId, erasure: &Erasure, entry: AuditEntry) -> Result<bool, StoreError>;

    /// Removes one message. Returns whether there was such a message.
    async fn remove_message(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        message: &MessageId,
    ) -> Result<bool, StoreError>;
}
