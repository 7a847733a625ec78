//! The model of a conversation.

use super::Metadata;
use crate::{
    id::ConversationId,
    text::{DisplayName, ExternalId},
    time::Timestamp,
};

/// A participant of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// The identifier of the participant in the caller's system.
    pub external_id: ExternalId,
    /// The display name.
    pub name: Option<DisplayName>,
}

/// A conversation between a customer and, where one is assigned, an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// The identifier that the service generated.
    pub id: ConversationId,
    /// The caller's identifier. It is unique within the tenant and never changes.
    pub external_id: ExternalId,
    /// The agent who serves the customer.
    pub agent: Option<Participant>,
    /// The customer.
    pub customer: Participant,
    /// The caller's key-value pairs.
    pub metadata: Option<Metadata>,
    /// The creation time in the caller's system. It is set once.
    pub started_at: Timestamp,
}
