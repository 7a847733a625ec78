//! The audit entries of holds. They name no external identifier.

use super::{AuditAction, AuditEntry, entry::by};
use crate::{
    access::ApiId,
    hex,
    id::ConversationId,
    privacy::{HoldId, IdentifierDigest},
    time::Timestamp,
};

/// What a hold protects, as the audit log names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeldSubject {
    /// A customer, by the keyed digest of the external identifier.
    Customer(IdentifierDigest),
    /// A conversation.
    Conversation(ConversationId),
}

impl AuditEntry {
    /// A hold was placed.
    #[must_use]
    pub fn hold_placed(id: &HoldId, on_hold: &HeldSubject, credential: Option<&ApiId>, at: Timestamp) -> Self {
        let on_hold = match on_hold {
            HeldSubject::Customer(digest) => format!("on the customer with the digest {}", hex::encode(&digest.0)),
            HeldSubject::Conversation(conversation) => format!("on the conversation {conversation}"),
        };
        Self::for_hold(AuditAction::HoldPlaced, id, format!("{on_hold}, {}", by(credential)), at)
    }

    /// A hold was released.
    #[must_use]
    pub fn hold_released(id: &HoldId, credential: Option<&ApiId>, at: Timestamp) -> Self {
        Self::for_hold(AuditAction::HoldReleased, id, by(credential), at)
    }

    fn for_hold(action: AuditAction, id: &HoldId, details: String, at: Timestamp) -> Self {
        Self { at, action, subject: id.as_str().to_owned(), details }
    }
}
