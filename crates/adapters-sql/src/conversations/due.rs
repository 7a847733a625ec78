//! A write of a conversation that is due, and its parts as columns.

use parlance_domain::{
    access::TenantId,
    conversation::{Change, ConversationWrite, Metadata, Participant},
    retry::Receipt,
    text::DisplayName,
    time::Timestamp,
};

/// A write of a tenant's conversation.
pub(crate) struct DueWrite {
    pub(super) tenant: TenantId,
    pub(super) write: ConversationWrite,
    pub(super) at: Timestamp,
    pub(super) receipt: Option<Receipt>,
}

impl DueWrite {
    pub(super) fn key(&self) -> (&str, &str) {
        (self.tenant.as_str(), self.write.id().as_str())
    }
}

/// The identifier and the name of who takes part.
pub(super) fn columns(participant: &Participant) -> (&str, Option<&str>) {
    (participant.external_id.as_str(), participant.name.as_ref().map(DisplayName::as_str))
}

/// The same of someone there may not be.
pub(super) fn optional_columns(participant: Option<&Participant>) -> (Option<&str>, Option<&str>) {
    participant.map(columns).map_or((None, None), |(external_id, name)| (Some(external_id), name))
}

/// Whether a part is changed, and what it becomes.
pub(super) fn changed<T>(change: &Change<T>) -> (bool, Option<&T>) {
    match change {
        Change::Keep => (false, None),
        Change::Clear => (true, None),
        Change::Set(value) => (true, Some(value)),
    }
}

pub(super) fn metadata_text(metadata: &Metadata) -> String {
    // A map of strings to strings always has a JSON form.
    serde_json::to_string(metadata.pairs()).unwrap_or_default()
}
