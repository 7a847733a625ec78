//! The port that erases conversations.

use std::collections::BTreeSet;

use async_trait::async_trait;

use super::{ErasedConversation, Erasure, ErasureCount, ErasurePageLimit};
use crate::{access::TenantId, audit::AuditEntry, error::StoreError, id::ConversationId, message::MessagePosition};

/// The outcome of an erasure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "the erasure removes nothing if there is no such conversation, or if it is held"]
pub enum ErasureOutcome {
    /// The conversation is erased durably.
    Erased(ErasureCount),
    /// There is no conversation with this id.
    NoConversation,
    /// A hold protects the conversation.
    Held,
}

/// Erases conversations, and records which ones were erased. Every method accesses the data of one tenant only.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ErasureStore: Send + Sync {
    /// Removes a conversation with its messages and everything that the store derived from them, and records the
    /// erasure, the event `conversation.erased` and the audit entry, all in one step. The entry is appended only if the
    /// conversation exists and is not held.
    ///
    /// A conversation that a [hold](super::HoldStore::place) protects, by the conversation's id or by its current customer,
    /// MUST NOT be erased, even if the hold is placed during the call.
    ///
    /// From then on an upsert with the digest of the erasure MUST NOT create a conversation, and a message for the
    /// conversation MUST NOT be stored, even if it began before the erasure. The periods of feeds that held the conversation or
    /// its messages MUST count as changed.
    async fn erase(
        &self,
        tenant: &TenantId,
        erasure: &Erasure,
        entry: AuditEntry,
    ) -> Result<ErasureOutcome, StoreError>;

    /// Whether the conversation with this id was erased.
    async fn is_erased(&self, tenant: &TenantId, conversation: &ConversationId) -> Result<bool, StoreError>;

    /// The positions of the messages that were erased from this conversation, while it stayed.
    async fn erased_messages(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
    ) -> Result<BTreeSet<MessagePosition>, StoreError>;

    /// The erased conversations whose numbers are greater than `after`, in the order of their numbers. Numbers
    /// have gaps. A caller that passes the last number of a page as the next `after` receives each erasure exactly once: a
    /// smaller number MUST NOT become visible after a greater one.
    async fn list(
        &self,
        tenant: &TenantId,
        after: u64,
        limit: ErasurePageLimit,
    ) -> Result<Vec<ErasedConversation>, StoreError>;
}
