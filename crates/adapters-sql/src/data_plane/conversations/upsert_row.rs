//! A conversation to upsert, as columns.

use parlance_domain::{
    access::TenantId,
    conversation::{Change, Metadata, Participant, Upsert},
    idempotency::{Claim, IdempotencyRecord},
    text::DisplayName,
    time::Timestamp,
};

/// An upsert of one conversation of a tenant.
pub(crate) struct UpsertRow {
    pub(super) tenant: TenantId,
    pub(super) upsert: Upsert,
    pub(super) written_at: Timestamp,
    pub(super) claim: Option<Claim>,
}

/// The outcome of an upsert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UpsertRowOutcome {
    /// The conversation is stored, and has this id.
    Stored(String),
    /// The idempotency key is taken.
    KeyTaken,
    /// The conversation was erased.
    Erased,
}

/// Which optional parts of a stored conversation an upsert changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct UpdateMask {
    pub(super) agent: bool,
    pub(super) metadata: bool,
}

/// The columns of a participant.
#[derive(Default)]
pub(super) struct ParticipantColumns<'row> {
    pub(super) external_id: Option<&'row str>,
    pub(super) name: Option<&'row str>,
}

impl UpsertRow {
    pub(crate) fn new(tenant: &TenantId, upsert: &Upsert, written_at: Timestamp, claim: Option<Claim>) -> Self {
        Self { tenant: tenant.clone(), upsert: upsert.clone(), written_at, claim }
    }

    /// The tenant and the external identifier of the conversation.
    pub(crate) fn conversation_key(&self) -> (&str, &str) {
        (self.tenant.as_str(), self.upsert.external_id.as_str())
    }

    pub(crate) fn update_mask(&self) -> UpdateMask {
        UpdateMask {
            agent: !matches!(self.upsert.agent, Change::Keep),
            metadata: !matches!(self.upsert.metadata, Change::Keep),
        }
    }

    /// The columns of the new agent, all empty if no agent is set.
    pub(super) fn agent(&self) -> ParticipantColumns<'_> {
        new_value(&self.upsert.agent).map(participant_columns).unwrap_or_default()
    }

    /// The columns of the customer.
    pub(super) fn customer(&self) -> ParticipantColumns<'_> {
        participant_columns(&self.upsert.customer)
    }

    /// The new metadata as JSON, if set.
    pub(super) fn metadata(&self) -> Option<String> {
        // A map of strings always serializes.
        new_value(&self.upsert.metadata).map(|metadata| serde_json::to_string(metadata.pairs()).unwrap_or_default())
    }

    /// The idempotency record to store with the conversation, if the request has a key. `id` is the id of the
    /// conversation.
    pub(super) fn idempotency_record(&self, id: &str) -> Option<IdempotencyRecord> {
        self.claim.map(|claim| claim.into_record(vec![id.to_owned()]))
    }
}

/// The approximate number of bytes that are sent to the server for this row.
pub(super) fn estimated_bytes(row: &UpsertRow) -> usize {
    // The identifiers, the times and the separators.
    const ROW_BYTES: usize = 300;
    let participant_bytes = |participant: &Participant| {
        let ParticipantColumns { external_id, name } = participant_columns(participant);
        external_id.map_or(0, str::len) + name.map_or(0, str::len)
    };
    let pairs = new_value(&row.upsert.metadata).into_iter().flat_map(Metadata::pairs);
    ROW_BYTES
        + participant_bytes(&row.upsert.customer)
        + new_value(&row.upsert.agent).map_or(0, participant_bytes)
        + pairs.map(|(name, value)| name.len() + value.len() + 6).sum::<usize>()
}

/// The new value, if set.
fn new_value<T>(change: &Change<T>) -> Option<&T> {
    match change {
        Change::Set(value) => Some(value),
        Change::Keep | Change::Clear => None,
    }
}

fn participant_columns(participant: &Participant) -> ParticipantColumns<'_> {
    ParticipantColumns {
        external_id: Some(participant.external_id.as_str()),
        name: participant.name.as_ref().map(DisplayName::as_str),
    }
}
