//! An upsert that is due, and its parts as columns.

use parlance_domain::{
    access::TenantId,
    conversation::{Change, Metadata, Participant, Upsert},
    retry::{Claim, Receipt},
    text::DisplayName,
    time::Timestamp,
};

/// An upsert of a tenant's conversation.
pub(crate) struct DueUpsert {
    pub(super) tenant: TenantId,
    pub(super) upsert: Upsert,
    pub(super) at: Timestamp,
    pub(super) claim: Option<Claim>,
}

/// Which optional parts an upsert changes: the agent, the metadata.
pub(crate) type Parts = (bool, bool);

impl DueUpsert {
    /// Which conversation it is for.
    pub(crate) fn key(&self) -> (&str, &str) {
        (self.tenant.as_str(), self.upsert.external_id.as_str())
    }

    pub(crate) fn parts(&self) -> Parts {
        (!matches!(self.upsert.agent, Change::Keep), !matches!(self.upsert.metadata, Change::Keep))
    }

    /// The identifier and the name of the agent that it sets.
    pub(super) fn agent(&self) -> (Option<&str>, Option<&str>) {
        set(&self.upsert.agent).map(columns).map_or((None, None), |(external_id, name)| (Some(external_id), name))
    }

    /// The identifier and the name of the customer.
    pub(super) fn customer(&self) -> (&str, Option<&str>) {
        columns(&self.upsert.customer)
    }

    /// The metadata that it sets.
    pub(super) fn metadata(&self) -> Option<String> {
        // A map of strings to strings always has a JSON form.
        set(&self.upsert.metadata).map(|metadata| serde_json::to_string(metadata.pairs()).unwrap_or_default())
    }

    /// The receipt that is stored with the conversation, which has this id.
    pub(super) fn receipt(&self, id: &str) -> Option<Receipt> {
        self.claim.map(|claim| claim.receipt(vec![id.to_owned()]))
    }
}

/// About how many bytes an upsert is to a server.
pub(super) fn bytes(due: &DueUpsert) -> usize {
    // Beside its own words: identifiers, times, and what separates one from the other.
    const ROW_BYTES: usize = 300;
    let words = |participant: &Participant| {
        let (external_id, name) = columns(participant);
        external_id.len() + name.map_or(0, str::len)
    };
    let pairs = set(&due.upsert.metadata).into_iter().flat_map(Metadata::pairs);
    ROW_BYTES
        + words(&due.upsert.customer)
        + set(&due.upsert.agent).map_or(0, words)
        + pairs.map(|(name, value)| name.len() + value.len() + 6).sum::<usize>()
}

/// What a part becomes, where it becomes something.
fn set<T>(change: &Change<T>) -> Option<&T> {
    match change {
        Change::Set(value) => Some(value),
        Change::Keep | Change::Clear => None,
    }
}

fn columns(participant: &Participant) -> (&str, Option<&str>) {
    (participant.external_id.as_str(), participant.name.as_ref().map(DisplayName::as_str))
}
