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
    /// Nothing.
    Nothing,
}

impl ImportWrite {
    /// Whether the write is made. An update that changes nothing is not made, so a repeated import adds no late change.
    pub(super) fn applies(self, upsert: &Upsert, existing: Option<&Conversation>) -> bool {
        match (self, existing) {
            (Self::Nothing, _) | (Self::CreateOnly, Some(_)) => false,
            (Self::Upsert | Self::CreateOnly, None) => true,
            (Self::Upsert, Some(existing)) => {
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
    /// Its id; `None` if it does not exist and nothing may be written.
    pub(crate) id: Option<ConversationId>,
    pub(crate) outcome: ImportedAs,
}
