//! The upsert rule: what a create-or-update request does to what there is (spec §3).

use super::{Conversation, Metadata, Participant};
use crate::{id::ConversationId, text::ExternalId, time::Timestamp};

/// What a request says of an optional part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change<T> {
    /// Nothing: it stays as it is.
    Keep,
    /// It is taken away.
    Clear,
    /// It becomes this, wholly.
    Set(T),
}

impl<T> Change<T> {
    /// What a new thing has, for which there is nothing to keep.
    fn into_initial(self) -> Option<T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }
}

/// A request to create a conversation or to update the one with this external identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpsertRequest {
    /// The id that the caller believes the conversation to have.
    pub id: Option<ConversationId>,
    /// The caller's identifier of the conversation.
    pub external_id: ExternalId,
    /// Replaces the agent.
    pub agent: Change<Participant>,
    /// Replaces the customer.
    pub customer: Participant,
    /// Replaces all metadata.
    pub metadata: Change<Metadata>,
    /// When the conversation was created; of an existing conversation it changes nothing.
    pub started_at: Timestamp,
}

/// What is stored that bears on a request.
#[derive(Debug, Clone, Default)]
pub struct Existing {
    /// The conversation with the request's external identifier.
    pub by_external_id: Option<Conversation>,
    /// The conversation with the request's id. Need only be looked up where the other is absent.
    pub by_id: Option<Conversation>,
}

/// What to write. Each variant says what must still hold when it lands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConversationWrite {
    /// Add this conversation. Presumes that its external identifier is not taken.
    Create(Conversation),
    /// Change the conversation with this id. Presumes that it exists, which it does for good.
    Update {
        /// The conversation to change.
        id: ConversationId,
        /// What becomes of it.
        changes: Changes,
    },
}

impl ConversationWrite {
    /// The id of the conversation that is written.
    #[must_use]
    pub fn id(&self) -> &ConversationId {
        match self {
            Self::Create(conversation) => &conversation.id,
            Self::Update { id, .. } => id,
        }
    }
}

/// What an update does to a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The agent from now on.
    pub agent: Change<Participant>,
    /// The customer from now on.
    pub customer: Participant,
    /// The metadata from now on.
    pub metadata: Change<Metadata>,
}

/// Why a request that gives an id is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpsertRefusal {
    /// No conversation has the given id, nor the external identifier: an id is never the caller's to choose.
    UnknownId,
    /// The given id is that of a conversation with another external identifier.
    IdBelongsElsewhere,
    /// The conversation with the external identifier has another id.
    OtherId,
}

/// Decides what a request writes. `fresh_id` makes the id of a new conversation.
///
/// # Errors
/// [`UpsertRefusal`] where the request gives an id that is not the conversation's.
pub fn decide(
    request: UpsertRequest,
    existing: &Existing,
    fresh_id: impl FnOnce() -> ConversationId,
) -> Result<ConversationWrite, UpsertRefusal> {
    let UpsertRequest { id: given, external_id, agent, customer, metadata, started_at } = request;
    match (&existing.by_external_id, given) {
        (Some(found), Some(given)) if found.id != given => Err(UpsertRefusal::OtherId),
        (Some(found), _) => {
            Ok(ConversationWrite::Update { id: found.id.clone(), changes: Changes { agent, customer, metadata } })
        }
        (None, Some(_)) if existing.by_id.is_some() => Err(UpsertRefusal::IdBelongsElsewhere),
        (None, Some(_)) => Err(UpsertRefusal::UnknownId),
        (None, None) => Ok(ConversationWrite::Create(Conversation {
            id: fresh_id(),
            external_id,
            agent: agent.into_initial(),
            customer,
            metadata: metadata.into_initial(),
            started_at,
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> ConversationId {
        ConversationId::parse(text).unwrap()
    }

    fn person(external_id: &str) -> Participant {
        Participant { external_id: ExternalId::parse(external_id).unwrap(), name: None }
    }

    fn request(given: Option<&str>) -> UpsertRequest {
        UpsertRequest {
            id: given.map(id),
            external_id: ExternalId::parse("call-1").unwrap(),
            agent: Change::Set(person("agent-2")),
            customer: person("customer-2"),
            metadata: Change::Keep,
            started_at: Timestamp::from_micros(0).unwrap(),
        }
    }

    fn stored(stored_id: &str, external_id: &str) -> Conversation {
        Conversation {
            id: id(stored_id),
            external_id: ExternalId::parse(external_id).unwrap(),
            agent: None,
            customer: person("customer-1"),
            metadata: None,
            started_at: Timestamp::from_micros(7).unwrap(),
        }
    }

    fn decided(given: Option<&str>, existing: &Existing) -> Result<ConversationWrite, UpsertRefusal> {
        decide(request(given), existing, || id("NEW"))
    }

    #[test]
    fn an_unknown_external_id_creates_a_conversation_under_a_fresh_id() {
        let write = decided(None, &Existing::default()).unwrap();
        let ConversationWrite::Create(created) = write else { panic!("expected a creation") };
        assert_eq!((created.id, created.agent), (id("NEW"), Some(person("agent-2"))));
    }

    #[test]
    fn a_known_external_id_updates_its_conversation() {
        let existing = Existing { by_external_id: Some(stored("A", "call-1")), by_id: None };
        let changes =
            Changes { agent: Change::Set(person("agent-2")), customer: person("customer-2"), metadata: Change::Keep };
        assert_eq!(decided(None, &existing), Ok(ConversationWrite::Update { id: id("A"), changes: changes.clone() }));
        assert_eq!(decided(Some("A"), &existing), Ok(ConversationWrite::Update { id: id("A"), changes }));
    }

    #[test]
    fn an_id_that_nothing_has_is_unknown() {
        assert_eq!(decided(Some("B"), &Existing::default()), Err(UpsertRefusal::UnknownId));
    }

    #[test]
    fn an_id_of_another_external_id_is_refused() {
        let existing = Existing { by_external_id: None, by_id: Some(stored("B", "call-2")) };
        assert_eq!(decided(Some("B"), &existing), Err(UpsertRefusal::IdBelongsElsewhere));
    }

    #[test]
    fn an_external_id_that_has_another_id_is_refused() {
        let existing = Existing { by_external_id: Some(stored("A", "call-1")), by_id: None };
        assert_eq!(decided(Some("B"), &existing), Err(UpsertRefusal::OtherId));
    }
}
