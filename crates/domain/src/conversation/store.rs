//! The port that stores conversations.

use async_trait::async_trait;

use super::{Conversation, ConversationPage, ConversationQuery, Upsert};
use crate::{
    access::TenantId, error::StoreError, id::ConversationId, idempotency::Claim, text::ExternalId, time::Timestamp,
};

/// The outcome of an upsert.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "the upsert writes nothing if its key is taken"]
pub enum UpsertOutcome {
    /// The conversation is stored durably, and has this id.
    Stored(ConversationId),
    /// An idempotency record with this key already exists, and nothing was written.
    KeyTaken,
    /// A conversation with this external identifier was [erased](crate::privacy::ErasureStore::erase), and nothing was
    /// written.
    Erased,
}

/// Stores conversations. Every method accesses the conversations of one tenant only.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ConversationStore: Send + Sync {
    /// The conversation with this id.
    async fn find(&self, tenant: &TenantId, id: &ConversationId) -> Result<Option<Conversation>, StoreError>;

    /// The conversations with these ids, in any order. An id without a conversation is left out.
    async fn find_all(&self, tenant: &TenantId, ids: &[ConversationId]) -> Result<Vec<Conversation>, StoreError>;

    /// The conversation with this external identifier.
    async fn find_by_external_id(
        &self,
        tenant: &TenantId,
        external_id: &ExternalId,
    ) -> Result<Option<Conversation>, StoreError>;

    /// One page of the conversations that [meet the criteria](super::ConversationCriteria::matches) of a query, in the
    /// order of their [positions](super::ConversationPosition), bounded as [`ConversationPage::from_found`] defines. The
    /// criteria are tested on the stored values. Whoever follows `next` to the last page MUST receive each conversation
    /// exactly once that meets the criteria all the time, and no conversation twice. A store MUST NOT read more rows and
    /// index entries than the query allows.
    async fn page(&self, tenant: &TenantId, query: &ConversationQuery) -> Result<ConversationPage, StoreError>;

    /// Creates the conversation, or changes the one with its external identifier, as [`Upsert`] defines. Of any number
    /// of concurrent calls for one external identifier exactly one MUST create the conversation, and all MUST return
    /// its id. A stored conversation MUST survive a loss of power. If there is a digest, an erased conversation with this
    /// digest refuses the upsert.
    ///
    /// If there is a claim, the store also writes its idempotency record, with the id of the conversation, in the same
    /// step. The precondition is that no record with this key exists, or that it has
    /// [expired](crate::idempotency::IdempotencyRecord::expiry_cutoff).
    async fn upsert(
        &self,
        tenant: &TenantId,
        upsert: &Upsert,
        at: Timestamp,
        claim: Option<Claim>,
    ) -> Result<UpsertOutcome, StoreError>;
}
