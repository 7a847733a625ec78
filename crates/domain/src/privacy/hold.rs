//! The model of a hold.

use super::PrivacyReference;
use crate::{
    id::{ConversationId, Id},
    text::ExternalId,
    time::Timestamp,
    vocabulary::{Cursor, ListPage, Listed},
};

/// Marks identifiers of holds.
#[derive(Debug)]
pub enum HoldKind {}

/// Identifies a hold within its tenant. Holds order by arrival.
pub type HoldId = Id<HoldKind>;

/// What a hold protects from erasure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HoldSubject {
    /// Every conversation whose current customer has this external identifier, also those that come later.
    Customer(ExternalId),
    /// One conversation.
    Conversation(ConversationId),
}

/// A hold: while it is placed, nothing erases what it protects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// The identifier.
    pub id: HoldId,
    /// What it protects.
    pub subject: HoldSubject,
    /// The operator's reference.
    pub reference: PrivacyReference,
    /// The time at which it was placed, by the service's clock.
    pub created_at: Timestamp,
}

impl Listed for Hold {
    type Id = HoldId;

    fn id(&self) -> &HoldId {
        &self.id
    }
}

/// The position of a page of holds.
pub type HoldCursor = Cursor<HoldId>;

/// A page of holds, oldest first.
pub type HoldPage = ListPage<Hold>;
