//! The upsert rule: how a create-or-update request changes the stored conversation (spec §3).

use super::{Conversation, Metadata, Participant};
use crate::{
    access::WriteConversations,
    id::ConversationId,
    idempotency::{CanonicalForm, Canonicalize, Operation, OperationRequest},
    privacy::IdentifierDigest,
    text::ExternalId,
    time::Timestamp,
};

/// The change of an optional field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change<T> {
    /// The field keeps its value.
    Keep,
    /// The field is cleared.
    Clear,
    /// The field is replaced by this value.
    Set(T),
}

impl<T: Clone> Change<T> {
    /// The value in a new conversation, which has no value to keep.
    fn initial(&self) -> Option<T> {
        match self {
            Self::Set(value) => Some(value.clone()),
            Self::Keep | Self::Clear => None,
        }
    }

    fn apply(&self, field: &mut Option<T>) {
        if !matches!(self, Self::Keep) {
            *field = self.initial();
        }
    }
}

/// A request to create a conversation or to update the one with this external identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpsertRequest {
    /// The id that the caller expects the conversation to have.
    pub id: Option<ConversationId>,
    /// The caller's identifier of the conversation.
    pub external_id: ExternalId,
    /// Replaces the agent.
    pub agent: Change<Participant>,
    /// Replaces the customer.
    pub customer: Participant,
    /// Replaces all metadata.
    pub metadata: Change<Metadata>,
    /// The creation time. An update does not change it.
    pub started_at: Timestamp,
}

impl Canonicalize for UpsertRequest {
    fn write_canonical(&self, form: &mut CanonicalForm) {
        let Self { id, external_id, agent, customer, metadata, started_at } = self;
        form.optional(id.as_ref(), |form, id| form.text(id.as_str()));
        form.text(external_id.as_str());
        add_change(form, agent);
        customer.write_canonical(form);
        add_change(form, metadata);
        form.time(*started_at);
    }
}

impl OperationRequest for UpsertRequest {
    const OPERATION: Operation = Operation::UpsertConversation;
    type Permission = WriteConversations;
}

fn add_change<T: Canonicalize>(form: &mut CanonicalForm, change: &Change<T>) {
    match change {
        Change::Keep => form.tag(0),
        Change::Clear => form.tag(1),
        Change::Set(value) => {
            form.tag(2);
            value.write_canonical(form);
        }
    }
}

impl Canonicalize for Participant {
    fn write_canonical(&self, form: &mut CanonicalForm) {
        let Self { external_id, name } = self;
        form.text(external_id.as_str());
        form.optional(name.as_ref(), |form, name| form.text(name.as_str()));
    }
}

impl Canonicalize for Metadata {
    fn write_canonical(&self, form: &mut CanonicalForm) {
        form.count(self.pairs().len());
        for (key, value) in self.pairs() {
            form.text(key);
            form.text(value);
        }
    }
}

/// The stored conversations that a request with an id must be checked against. A request without an id needs no
/// look-up.
#[derive(Debug, Clone, Default)]
pub struct UpsertLookup {
    /// The conversation with the request's external identifier.
    pub by_external_id: Option<Conversation>,
    /// The conversation with the request's id. The look-up is needed only if `by_external_id` is `None`.
    pub by_id: Option<Conversation>,
}

/// The write that an upsert causes. It has no precondition: the store creates the conversation if it does not exist,
/// and changes it otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upsert {
    /// The id for a new conversation.
    pub new_id: ConversationId,
    /// The caller's identifier of the conversation.
    pub external_id: ExternalId,
    /// The change of the agent.
    pub agent: Change<Participant>,
    /// The new customer.
    pub customer: Participant,
    /// The change of the metadata.
    pub metadata: Change<Metadata>,
    /// The creation time for a new conversation.
    pub started_at: Timestamp,
    /// The digest of the external identifier, by which the store refuses the identifier of an erased conversation;
    /// `None` where the service has no key for digests, and so no erasures.
    pub digest: Option<IdentifierDigest>,
}

impl Upsert {
    /// The new conversation.
    #[must_use]
    pub fn to_conversation(&self) -> Conversation {
        Conversation {
            id: self.new_id.clone(),
            external_id: self.external_id.clone(),
            agent: self.agent.initial(),
            customer: self.customer.clone(),
            metadata: self.metadata.initial(),
            started_at: self.started_at,
        }
    }

    /// Applies the write to an existing conversation.
    pub fn apply_to(&self, conversation: &mut Conversation) {
        self.agent.apply(&mut conversation.agent);
        conversation.customer = self.customer.clone();
        self.metadata.apply(&mut conversation.metadata);
    }
}

/// The reason why a request with an id is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UpsertRefusal {
    /// No conversation has this id or this external identifier. Callers cannot choose ids.
    #[error("there is no such conversation")]
    UnknownId,
    /// The id belongs to a conversation with another external identifier.
    #[error("the id belongs to a conversation with another externalId")]
    IdInUse,
    /// The conversation with this external identifier has another id.
    #[error("the conversation with this externalId has another id")]
    IdMismatch,
}

/// Decides what a request writes. The decision still holds when it is written: an external identifier keeps its
/// conversation until that is erased, and then the store refuses the identifier.
///
/// # Errors
/// [`UpsertRefusal`] if the request has an id that is not the conversation's.
pub fn decide(
    request: UpsertRequest,
    existing: &UpsertLookup,
    new_id: ConversationId,
) -> Result<Upsert, UpsertRefusal> {
    let UpsertRequest { id: requested_id, external_id, agent, customer, metadata, started_at } = request;
    let refusal = match (requested_id, &existing.by_external_id) {
        (None, _) => None,
        (Some(requested_id), Some(found)) => (found.id != requested_id).then_some(UpsertRefusal::IdMismatch),
        (Some(_), None) if existing.by_id.is_some() => Some(UpsertRefusal::IdInUse),
        (Some(_), None) => Some(UpsertRefusal::UnknownId),
    };
    let upsert = Upsert { new_id, external_id, agent, customer, metadata, started_at, digest: None };
    refusal.map_or(Ok(upsert), Err)
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

    fn request(id_text: Option<&str>) -> UpsertRequest {
        UpsertRequest {
            id: id_text.map(id),
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

    fn decided(id_text: Option<&str>, existing: &UpsertLookup) -> Result<Upsert, UpsertRefusal> {
        decide(request(id_text), existing, id("NEW"))
    }

    fn upsert(agent: Change<Participant>) -> Upsert {
        let UpsertRequest { external_id, customer, started_at, .. } = request(None);
        Upsert { new_id: id("NEW"), external_id, agent, customer, metadata: Change::Keep, started_at, digest: None }
    }

    #[test]
    fn a_request_without_an_id_is_always_written() {
        let existing = UpsertLookup { by_external_id: Some(stored("A", "call-1")), by_id: None };
        for existing in [UpsertLookup::default(), existing] {
            assert_eq!(decided(None, &existing), Ok(upsert(Change::Set(person("agent-2")))));
        }
    }

    #[test]
    fn a_correct_id_does_not_change_the_write() {
        let existing = UpsertLookup { by_external_id: Some(stored("A", "call-1")), by_id: None };
        assert_eq!(decided(Some("A"), &existing), decided(None, &existing));
    }

    #[test]
    fn a_new_conversation_has_the_new_id_and_the_set_fields() {
        let created = upsert(Change::Set(person("agent-2"))).to_conversation();
        assert_eq!((created.id, created.agent, created.metadata), (id("NEW"), Some(person("agent-2")), None));
        assert_eq!(upsert(Change::Clear).to_conversation().agent, None);
    }

    #[test]
    fn an_existing_conversation_keeps_its_id_its_start_and_unnamed_fields() {
        let mut existing = Conversation { agent: Some(person("agent-1")), ..stored("A", "call-1") };
        let before = existing.clone();
        upsert(Change::Keep).apply_to(&mut existing);
        assert_eq!(existing, Conversation { customer: person("customer-2"), ..before });
    }

    #[test]
    fn a_cleared_field_is_removed_from_an_existing_conversation() {
        let mut existing = Conversation { agent: Some(person("agent-1")), ..stored("A", "call-1") };
        upsert(Change::Clear).apply_to(&mut existing);
        assert_eq!(existing.agent, None);
    }

    #[test]
    fn an_id_without_a_conversation_is_unknown() {
        assert_eq!(decided(Some("B"), &UpsertLookup::default()), Err(UpsertRefusal::UnknownId));
    }

    #[test]
    fn an_id_of_another_external_id_is_refused() {
        let existing = UpsertLookup { by_external_id: None, by_id: Some(stored("B", "call-2")) };
        assert_eq!(decided(Some("B"), &existing), Err(UpsertRefusal::IdInUse));
    }

    #[test]
    fn an_external_id_with_another_id_is_refused() {
        let existing = UpsertLookup { by_external_id: Some(stored("A", "call-1")), by_id: None };
        assert_eq!(decided(Some("B"), &existing), Err(UpsertRefusal::IdMismatch));
    }
}
