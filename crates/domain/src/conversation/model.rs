//! What a conversation is.

use super::Metadata;
use crate::{
    id::ConversationId,
    text::{DisplayName, ExternalId},
    time::Timestamp,
};

/// Someone who takes part in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// The identifier in the caller's system.
    pub external_id: ExternalId,
    /// The name to show.
    pub name: Option<DisplayName>,
}

/// A conversation between a customer and, where one is assigned, an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// The identifier that the service made.
    pub id: ConversationId,
    /// The caller's identifier: unique within the tenant, and never changed.
    pub external_id: ExternalId,
    /// Who serves the customer.
    pub agent: Option<Participant>,
    /// Who is served.
    pub customer: Participant,
    /// The caller's key-value pairs.
    pub metadata: Option<Metadata>,
    /// When the conversation was created in the caller's system; set once.
    pub started_at: Timestamp,
}
