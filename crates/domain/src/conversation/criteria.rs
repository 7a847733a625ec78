//! The criteria by which conversations are found, joined by and.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::{Conversation, Metadata, MetadataViolation};
use crate::{
    access::TenantId,
    idempotency::{CanonicalForm, Canonicalize},
    limits::CONVERSATION_METADATA_CRITERIA_MAX,
    text::{ExternalId, Violation},
    time::Timestamp,
};

/// The criteria of a list of conversations. A conversation is found if it meets all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConversationCriteria {
    /// The caller's identifier of the conversation.
    pub external_id: Option<ExternalId>,
    /// The identifier of the customer.
    pub customer: Option<ExternalId>,
    /// The identifier of the agent.
    pub agent: Option<ExternalId>,
    /// The pairs that the metadata contains.
    pub metadata: MetadataCriteria,
    /// The period of the conversation's own timestamp.
    pub started: Period,
    /// The period of the last upsert, by the service's clock.
    pub updated: Period,
}

/// Up to three pairs of metadata with different keys, within the limits of [`Metadata`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MetadataCriteria(Metadata);

/// A period from `since` on and before `until`. A side without a bound is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Period {
    since: Option<Timestamp>,
    until: Option<Timestamp>,
}

/// The end of a period is not later than its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be later than the beginning of the period")]
pub struct EmptyPeriod;

impl ConversationCriteria {
    /// Whether there is no criterion.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a conversation meets all criteria. `updated_at` is the time of its last upsert.
    #[must_use]
    pub fn matches(&self, conversation: &Conversation, updated_at: Timestamp) -> bool {
        let Self { external_id, customer, agent, metadata, started, updated } = self;
        let is_agent = |expected: &ExternalId| {
            conversation.agent.as_ref().is_some_and(|participant| participant.external_id == *expected)
        };
        external_id.as_ref().is_none_or(|expected| conversation.external_id == *expected)
            && customer.as_ref().is_none_or(|expected| conversation.customer.external_id == *expected)
            && agent.as_ref().is_none_or(is_agent)
            && metadata.matches(conversation.metadata.as_ref())
            && started.contains(conversation.started_at)
            && updated.contains(updated_at)
    }

    /// A digest of the tenant and the criteria. A cursor carries it, so that a cursor of other criteria is refused.
    pub(super) fn digest(&self, tenant: &TenantId) -> u64 {
        let mut form = CanonicalForm::default();
        form.text(tenant.as_str());
        self.write_canonical(&mut form);
        let digest = Sha256::digest(form.as_bytes());
        digest.iter().take(8).fold(0, |bits, byte| bits << 8 | u64::from(*byte))
    }
}

impl Canonicalize for ConversationCriteria {
    fn write_canonical(&self, form: &mut CanonicalForm) {
        let Self { external_id, customer, agent, metadata, started, updated } = self;
        for identifier in [external_id, customer, agent] {
            form.optional(identifier.as_ref(), |form, identifier| form.text(identifier.as_str()));
        }
        metadata.write_canonical(form);
        for bound in [started.since, started.until, updated.since, updated.until] {
            form.optional(bound, CanonicalForm::time);
        }
    }
}

impl Canonicalize for MetadataCriteria {
    fn write_canonical(&self, form: &mut CanonicalForm) {
        self.0.write_canonical(form);
    }
}

impl MetadataCriteria {
    /// Checks the number of pairs and each key and value.
    ///
    /// # Errors
    /// [`Violation::MaxPairs`] with more than three pairs; else as [`Metadata::parse`].
    pub fn parse(pairs: BTreeMap<String, String>) -> Result<Self, Violation> {
        if pairs.len() > CONVERSATION_METADATA_CRITERIA_MAX {
            return Err(Violation::MaxPairs(CONVERSATION_METADATA_CRITERIA_MAX));
        }
        Metadata::parse(pairs).map(Self).map_err(|MetadataViolation { violation, .. }| violation)
    }

    /// The pairs, ordered by key.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.pairs().iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The metadata whose values are masked like stored ones.
    pub(super) fn metadata_mut(&mut self) -> &mut Metadata {
        &mut self.0
    }

    /// Whether the metadata contains every pair.
    #[must_use]
    pub fn matches(&self, metadata: Option<&Metadata>) -> bool {
        let value = |key: &str| metadata.and_then(|metadata| metadata.pairs().get(key)).map(String::as_str);
        self.pairs().all(|(key, expected)| value(key) == Some(expected))
    }
}

impl Period {
    /// The period between these bounds.
    ///
    /// # Errors
    /// [`EmptyPeriod`] if both bounds are given and `until` is not later than `since`.
    pub fn new(since: Option<Timestamp>, until: Option<Timestamp>) -> Result<Self, EmptyPeriod> {
        let is_empty = since.zip(until).is_some_and(|(since, until)| since >= until);
        if is_empty { Err(EmptyPeriod) } else { Ok(Self { since, until }) }
    }

    /// The first instant of the period; `None` if it has no beginning.
    #[must_use]
    pub fn since(&self) -> Option<Timestamp> {
        self.since
    }

    /// The first instant after the period; `None` if it has no end.
    #[must_use]
    pub fn until(&self) -> Option<Timestamp> {
        self.until
    }

    /// Whether neither side has a bound.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the period contains an instant.
    #[must_use]
    pub fn contains(&self, instant: Timestamp) -> bool {
        self.since.is_none_or(|since| since <= instant) && self.until.is_none_or(|until| instant < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{conversation::Participant, id::ConversationId};

    fn external_id(text: &str) -> ExternalId {
        ExternalId::parse(text).unwrap()
    }

    fn instant(seconds: i64) -> Timestamp {
        Timestamp::EPOCH.plus_seconds(seconds)
    }

    fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    fn period(since: i64, until: i64) -> Period {
        Period::new(Some(instant(since)), Some(instant(until))).unwrap()
    }

    fn conversation() -> Conversation {
        let participant = |id| Participant { external_id: external_id(id), name: None };
        Conversation {
            id: ConversationId::from_bits(1),
            external_id: external_id("call-1"),
            agent: Some(participant("agent-3")),
            customer: participant("customer-7"),
            metadata: Some(Metadata::parse(pairs(&[("channel", "phone"), ("queue", "b")])).unwrap()),
            started_at: instant(10),
        }
    }

    #[test]
    fn every_criterion_must_be_met() {
        let metadata = |list| MetadataCriteria::parse(pairs(list)).unwrap();
        let none = ConversationCriteria::default;
        let met = [
            none(),
            ConversationCriteria { external_id: Some(external_id("call-1")), ..none() },
            ConversationCriteria { customer: Some(external_id("customer-7")), ..none() },
            ConversationCriteria { agent: Some(external_id("agent-3")), ..none() },
            ConversationCriteria { metadata: metadata(&[("queue", "b"), ("channel", "phone")]), ..none() },
            ConversationCriteria { started: period(10, 11), ..none() },
            ConversationCriteria { updated: period(20, 21), ..none() },
        ];
        let not_met = [
            ConversationCriteria { external_id: Some(external_id("call-2")), ..none() },
            ConversationCriteria { customer: Some(external_id("agent-3")), ..none() },
            ConversationCriteria { agent: Some(external_id("customer-7")), ..none() },
            ConversationCriteria { metadata: metadata(&[("queue", "b"), ("channel", "chat")]), ..none() },
            ConversationCriteria { metadata: metadata(&[("phone", "channel")]), ..none() },
            ConversationCriteria { started: period(11, 12), ..none() },
            ConversationCriteria { updated: period(19, 20), ..none() },
        ];
        assert!(met.iter().all(|criteria| criteria.matches(&conversation(), instant(20))));
        assert!(not_met.iter().all(|criteria| !criteria.matches(&conversation(), instant(20))));
    }

    #[test]
    fn a_conversation_without_an_agent_or_metadata_does_not_meet_criteria_on_them() {
        let bare = Conversation { agent: None, metadata: None, ..conversation() };
        let agent = ConversationCriteria { agent: Some(external_id("agent-3")), ..ConversationCriteria::default() };
        let metadata = MetadataCriteria::parse(pairs(&[("queue", "")])).unwrap();
        let metadata = ConversationCriteria { metadata, ..ConversationCriteria::default() };
        assert!(!agent.matches(&bare, instant(0)) && !metadata.matches(&bare, instant(0)));
    }

    #[test]
    fn a_period_contains_its_beginning_and_not_its_end() {
        assert!(period(1, 3).contains(instant(1)) && period(1, 3).contains(instant(2)));
        assert!(!period(1, 3).contains(instant(0)) && !period(1, 3).contains(instant(3)));
        assert_eq!(Period::new(Some(instant(1)), Some(instant(1))), Err(EmptyPeriod));
    }

    #[test]
    fn there_are_at_most_three_criteria_on_metadata() {
        let four = pairs(&[("a", ""), ("b", ""), ("c", ""), ("d", "")]);
        assert_eq!(MetadataCriteria::parse(four), Err(Violation::MaxPairs(3)));
        assert_eq!(MetadataCriteria::parse(pairs(&[("", "")])), Err(Violation::MinCharacters(1)));
    }

    #[test]
    fn the_digest_differs_between_tenants_and_between_criteria() {
        let [acme, globex] = ["acme", "globex"].map(|tenant| TenantId::parse(tenant).unwrap());
        let customer = ConversationCriteria { customer: Some(external_id("a")), ..ConversationCriteria::default() };
        let agent = ConversationCriteria { agent: Some(external_id("a")), ..ConversationCriteria::default() };
        assert_eq!(customer.digest(&acme), customer.clone().digest(&acme));
        assert_ne!(customer.digest(&acme), customer.digest(&globex));
        assert_ne!(customer.digest(&acme), agent.digest(&acme));
    }
}
