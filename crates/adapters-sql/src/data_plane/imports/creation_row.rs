//! A conversation to create with its messages.

use parlance_domain::{access::TenantId, conversation::Upsert, message::Message, time::Timestamp};

use crate::data_plane::{conversations::UpsertRow, messages::AppendRow};

/// A conversation of a tenant to create with its messages, all or nothing.
pub(crate) struct CreationRow {
    pub(super) conversation: UpsertRow,
    pub(super) messages: AppendRow,
}

impl CreationRow {
    pub(super) fn new(tenant: &TenantId, upsert: &Upsert, at: Timestamp, messages: &[Message]) -> Self {
        Self {
            conversation: UpsertRow::new(tenant, upsert, at, None),
            messages: AppendRow::unconditional(tenant, &upsert.new_id, messages),
        }
    }

    /// The tenant and the external identifier of the conversation.
    pub(crate) fn conversation_key(&self) -> (&str, &str) {
        self.conversation.conversation_key()
    }
}
