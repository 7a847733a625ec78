//! The entries of the ledger of erasures. They hold no content.

use super::{Erasure, IdentifierDigest};
use crate::{
    access::TenantId,
    event::MessageReference,
    id::{ConversationId, Id, MessageId},
    time::Timestamp,
};

/// Marks identifiers of objects of the ledger.
#[derive(Debug)]
pub enum LedgerObjectKind {}

/// Identifies an object of the ledger. Objects of one process order by the time of their writing.
pub type LedgerObjectId = Id<LedgerObjectKind>;

/// One erasure in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The tenant whose data was erased.
    pub tenant: TenantId,
    /// What was erased of the tenant.
    pub erased: ErasedPart,
    /// The time of the erasure, by the service's clock.
    pub at: Timestamp,
}

/// What an erasure removed of a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErasedPart {
    /// A conversation with all its messages. The digest is that of its external identifier.
    Conversation(ConversationId, IdentifierDigest),
    /// One message of a conversation.
    Message(ConversationId, MessageId),
    /// Everything.
    Tenant,
}

impl LedgerEntry {
    /// The entry of the erasure of a conversation.
    #[must_use]
    pub fn of_conversation(tenant: &TenantId, erasure: &Erasure) -> Self {
        let Erasure { conversation, digest, at, request: _ } = erasure.clone();
        Self { tenant: tenant.clone(), erased: ErasedPart::Conversation(conversation, digest), at }
    }

    /// The entry of the erasure of a single message.
    #[must_use]
    pub fn of_message(tenant: &TenantId, message: &MessageReference, at: Timestamp) -> Self {
        let (conversation, id) = (message.conversation.clone(), message.position.id.clone());
        Self { tenant: tenant.clone(), erased: ErasedPart::Message(conversation, id), at }
    }

    /// The entry of the erasure of a whole tenant, which began at this time.
    #[must_use]
    pub fn of_tenant(tenant: &TenantId, at: Timestamp) -> Self {
        Self { tenant: tenant.clone(), erased: ErasedPart::Tenant, at }
    }
}
