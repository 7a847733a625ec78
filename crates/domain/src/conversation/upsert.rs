//! The upsert rule: what a create-or-update request does to what there is (spec §3).

use super::{Conversation, Metadata, Participant};
use crate::{
    id::ConversationId,
    retry::{Canonical, CanonicalForm},
    text::ExternalId,
    time::Timestamp,
};

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

impl<T: Clone> Change<T> {
    /// What a new thing has, for which there is nothing to keep.
    fn initial(&self) -> Option<T> {
        match self {
            Self::Set(value) => Some(value.clone()),
            Self::Keep | Self::Clear => None,
        }
    }

    fn apply(&self, kept: &mut Option<T>) {
        if !matches!(self, Self::Keep) {
            *kept = self.initial();
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

impl Canonical for UpsertRequest {
    fn add_to(&self, form: &mut CanonicalForm) {
        let Self { id, external_id, agent, customer, metadata, started_at } = self;
        form.optional(id.as_ref(), |form, id| form.text(id.as_str()));
        form.text(external_id.as_str());
        add_change(form, agent);
        customer.add_to(form);
        add_change(form, metadata);
        form.time(*started_at);
    }
}

fn add_change<T: Canonical>(form: &mut CanonicalForm, change: &Change<T>) {
    match change {
        Change::Keep => form.kind(0),
        Change::Clear => form.kind(1),
        Change::Set(value) => {
            form.kind(2);
            value.add_to(form);
        }
    }
}

impl Canonical for Participant {
    fn add_to(&self, form: &mut CanonicalForm) {
        let Self { external_id, name } = self;
        form.text(external_id.as_str());
        form.optional(name.as_ref(), |form, name| form.text(name.as_str()));
    }
}

impl Canonical for Metadata {
    fn add_to(&self, form: &mut CanonicalForm) {
        form.count(self.pairs().len());
        for (key, value) in self.pairs() {
            form.text(key);
            form.text(value);
        }
    }
}

/// What is stored that bears on a request. Need only be looked up where the request gives an id.
#[derive(Debug, Clone, Default)]
pub struct Existing {
    /// The conversation with the request's external identifier.
    pub by_external_id: Option<Conversation>,
    /// The conversation with the request's id. Need only be looked up where the other is absent.
    pub by_id: Option<Conversation>,
}

/// What becomes of the conversation with an external identifier. It presumes nothing: it creates the conversation where
/// there is none, and else changes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upsert {
    /// The id of the conversation where it is created.
    pub fresh_id: ConversationId,
    /// The caller's identifier of the conversation.
    pub external_id: ExternalId,
    /// The agent from now on.
    pub agent: Change<Participant>,
    /// The customer from now on.
    pub customer: Participant,
    /// The metadata from now on.
    pub metadata: Change<Metadata>,
    /// When the conversation began, where it is created.
    pub started_at: Timestamp,
}

impl Upsert {
    /// The conversation where there was none.
    #[must_use]
    pub fn creation(&self) -> Conversation {
        Conversation {
            id: self.fresh_id.clone(),
            external_id: self.external_id.clone(),
            agent: self.agent.initial(),
            customer: self.customer.clone(),
            metadata: self.metadata.initial(),
            started_at: self.started_at,
        }
    }

    /// Makes of a conversation that was there what it is from now on.
    pub fn change(&self, conversation: &mut Conversation) {
        self.agent.apply(&mut conversation.agent);
        conversation.customer = self.customer.clone();
        self.metadata.apply(&mut conversation.metadata);
    }
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

/// Decides what a request writes. Conversations are there for good, so what was decided still holds when it is written.
///
/// # Errors
/// [`UpsertRefusal`] where the request gives an id that is not the conversation's.
pub fn decide(request: UpsertRequest, existing: &Existing, fresh_id: ConversationId) -> Result<Upsert, UpsertRefusal> {
    let UpsertRequest { id: given, external_id, agent, customer, metadata, started_at } = request;
    let refusal = match (given, &existing.by_external_id) {
        (None, _) => None,
        (Some(given), Some(found)) => (found.id != given).then_some(UpsertRefusal::OtherId),
        (Some(_), None) if existing.by_id.is_some() => Some(UpsertRefusal::IdBelongsElsewhere),
        (Some(_), None) => Some(UpsertRefusal::UnknownId),
    };
    refusal.map_or(Ok(Upsert { fresh_id, external_id, agent, customer, metadata, started_at }), Err)
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

    fn decided(given: Option<&str>, existing: &Existing) -> Result<Upsert, UpsertRefusal> {
        decide(request(given), existing, id("NEW"))
    }

    fn upsert(agent: Change<Participant>) -> Upsert {
        let UpsertRequest { external_id, customer, started_at, .. } = request(None);
        Upsert { fresh_id: id("NEW"), external_id, agent, customer, metadata: Change::Keep, started_at }
    }

    #[test]
    fn a_request_without_an_id_is_written_whatever_there_is() {
        let existing = Existing { by_external_id: Some(stored("A", "call-1")), by_id: None };
        for existing in [Existing::default(), existing] {
            assert_eq!(decided(None, &existing), Ok(upsert(Change::Set(person("agent-2")))));
        }
    }

    #[test]
    fn an_id_that_is_the_conversations_changes_nothing_of_what_is_written() {
        let existing = Existing { by_external_id: Some(stored("A", "call-1")), by_id: None };
        assert_eq!(decided(Some("A"), &existing), decided(None, &existing));
    }

    #[test]
    fn a_new_conversation_has_the_fresh_id_and_what_is_set() {
        let created = upsert(Change::Set(person("agent-2"))).creation();
        assert_eq!((created.id, created.agent, created.metadata), (id("NEW"), Some(person("agent-2")), None));
        assert_eq!(upsert(Change::Clear).creation().agent, None);
    }

    #[test]
    fn a_known_conversation_keeps_its_id_its_start_and_what_is_not_named() {
        let mut known = Conversation { agent: Some(person("agent-1")), ..stored("A", "call-1") };
        let before = known.clone();
        upsert(Change::Keep).change(&mut known);
        assert_eq!(known, Conversation { customer: person("customer-2"), ..before });
    }

    #[test]
    fn what_is_cleared_is_taken_from_a_known_conversation() {
        let mut known = Conversation { agent: Some(person("agent-1")), ..stored("A", "call-1") };
        upsert(Change::Clear).change(&mut known);
        assert_eq!(known.agent, None);
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
