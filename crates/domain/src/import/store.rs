//! The port that stores imported conversations together with their messages.

use async_trait::async_trait;

use crate::{access::TenantId, conversation::Upsert, error::StoreError, message::Message, time::Timestamp};

/// The outcome of a creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a creation writes nothing if the conversation exists or was erased"]
pub enum CreateOutcome {
    /// The conversation and its messages are stored durably.
    Created,
    /// A conversation with this external identifier exists already, and nothing was written.
    Exists,
    /// A conversation with this external identifier was [erased](crate::privacy::ErasureStore::erase), and nothing was
    /// written.
    Erased,
}

/// Stores imported conversations. Every method accesses the conversations of one tenant only.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ImportStore: Send + Sync {
    /// Creates a conversation with the id [`new_id`](Upsert::new_id) and these messages of it, all or nothing. Nobody sees
    /// the conversation without the messages, so nothing needs to be compared. There may be no messages. If the upsert has a
    /// digest, an erased conversation with this digest refuses the creation.
    ///
    /// Of any number of concurrent calls for one external identifier, upserts included, exactly one MUST create the
    /// conversation. What is stored MUST survive a loss of power.
    async fn create(
        &self,
        tenant: &TenantId,
        upsert: &Upsert,
        at: Timestamp,
        messages: &[Message],
    ) -> Result<CreateOutcome, StoreError>;
}
