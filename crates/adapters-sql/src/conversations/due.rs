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

/// About how many bytes a write is to a server.
pub(super) fn bytes(due: &DueWrite) -> usize {
    // Beside its own words: identifiers, times, and what separates one from the other.
    const ROW_BYTES: usize = 300;
    let (agent, customer, metadata) = match &due.write {
        ConversationWrite::Create(new) => (new.agent.as_ref(), &new.customer, new.metadata.as_ref()),
        ConversationWrite::Update { changes, .. } => {
            (changed(&changes.agent).1, &changes.customer, changed(&changes.metadata).1)
        }
    };
    let words = |participant: &Participant| {
        let (external_id, name) = columns(participant);
        external_id.len() + name.map_or(0, str::len)
    };
    let pairs = metadata.into_iter().flat_map(Metadata::pairs);
    ROW_BYTES
        + words(customer)
        + agent.map_or(0, words)
        + pairs.map(|(name, value)| name.len() + value.len() + 6).sum::<usize>()
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
