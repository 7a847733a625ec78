//! How an import writes a conversation.

use super::{Conversation, Upsert};
use crate::{
    id::ConversationId,
    redaction::{Entity, IdentifierField},
    time::Timestamp,
};

/// What an import writes of a conversation.
pub(crate) struct PreparedImport {
    pub(crate) upsert: Upsert,
    /// The stored conversation with the external identifier.
    pub(crate) existing: Option<Conversation>,
    pub(crate) at: Timestamp,
    /// The entities that were found in the fields, one for each masked span.
    pub(super) found: Vec<Entity>,
    /// The identifiers that contain card data.
    pub(super) sensitive: Vec<IdentifierField>,
}

/// What an import may write of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImportWrite {
    /// The conversation is created, or updated if that changes it.
    Upsert,
    /// The conversation is created. An existing one stays as it is.
    CreateOnly,
}

impl ImportWrite {
    /// Whether an existing conversation is written. An update that changes nothing is not made, so a repeated import adds no
    /// late change.
    pub(super) fn changes(self, upsert: &Upsert, existing: &Conversation) -> bool {
        match self {
            Self::CreateOnly => false,
            Self::Upsert => {
                let mut updated = existing.clone();
                upsert.apply_to(&mut updated);
                updated != *existing
            }
        }
    }
}

/// What became of an imported conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportedAs {
    /// It did not exist.
    Created,
    /// It existed with other fields.
    Updated,
    /// It existed, and nothing was written, or nothing may be written.
    Unchanged,
}

/// An imported conversation.
pub(crate) struct ImportedConversation {
    pub(crate) id: ConversationId,
    pub(crate) outcome: ImportedAs,
}
