//! The rule that chooses the index by which a store reads a page of conversations.

use super::{ConversationCriteria, ConversationQuery};

/// The index of one criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConversationIndex {
    /// By the caller's identifier.
    ExternalId,
    /// By customer and timestamp.
    Customer,
    /// By agent and timestamp.
    Agent,
    /// By the pair of metadata with this number and by timestamp.
    Metadata(usize),
    /// By the time of the last upsert. It does not order by timestamp, so a store reads the whole period at once.
    Updated,
    /// By timestamp. Every other index but [`Updated`](Self::Updated) narrows to the period of timestamps as well.
    Started,
}

/// The share of the maximum number of reads that one probe may read. Up to five probes of one index each, and one of two
/// indexes, leave three tenths for the page.
const PROBE_SHARE: usize = 10;

impl ConversationQuery {
    /// The largest number of index entries that a probe counts.
    #[must_use]
    pub fn probe_limit(&self) -> usize {
        (self.max_reads / PROBE_SHARE).max(1)
    }

    /// The index to read without a probe, if there is no choice.
    #[must_use]
    pub fn only_index(&self) -> Option<ConversationIndex> {
        match *candidates(&self.criteria) {
            [] => Some(ConversationIndex::Started),
            // The index is not read by timestamp, so it serves only if a probe finds few entries.
            [ConversationIndex::Updated] => None,
            [only] => Some(only),
            _ => None,
        }
    }

    /// The indexes to probe, in the order in which they are preferred.
    #[must_use]
    pub fn indexes_to_probe(&self) -> Vec<ConversationIndex> {
        candidates(&self.criteria)
    }

    /// Whether a probe found so few entries that no other probe pays.
    #[must_use]
    pub fn is_selective(&self, entries: usize) -> bool {
        entries <= self.limit.get() && entries < self.probe_limit()
    }
}

impl ConversationIndex {
    /// The index with the fewest entries. Each probe is an index with the number of its entries, or `None` if that
    /// exceeds the limit of a probe. If all exceed it, the first one that orders by timestamp is chosen.
    #[must_use]
    pub fn choose(probes: &[(Self, Option<usize>)]) -> Self {
        let counted = probes.iter().filter_map(|(index, entries)| Some((*index, (*entries)?)));
        let fewest = counted.min_by_key(|(_, entries)| *entries).map(|(index, _)| index);
        let first = || probes.iter().map(|(index, _)| *index).find(|index| *index != Self::Updated);
        fewest.or_else(first).unwrap_or(Self::Started)
    }
}

/// The criteria that have an index, the ones that are usually more selective first. The period of timestamps is none of
/// them: each index narrows to it.
fn candidates(criteria: &ConversationCriteria) -> Vec<ConversationIndex> {
    let ConversationCriteria { external_id, customer, agent, metadata, started: _, updated } = criteria;
    if external_id.is_some() {
        return vec![ConversationIndex::ExternalId];
    }
    let customer = customer.as_ref().map(|_| ConversationIndex::Customer);
    let agent = agent.as_ref().map(|_| ConversationIndex::Agent);
    let metadata = (0..metadata.pairs().count()).map(ConversationIndex::Metadata);
    let updated = (!updated.is_open()).then_some(ConversationIndex::Updated);
    customer.into_iter().chain(agent).chain(metadata).chain(updated).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        conversation::{MetadataCriteria, Period},
        limits::CONVERSATION_PAGE_MAX_READS,
        text::ExternalId,
        time::Timestamp,
    };
    use ConversationIndex::{Agent, Customer, ExternalId as ByExternalId, Metadata, Started, Updated};

    fn identifier() -> ExternalId {
        ExternalId::parse("a").unwrap()
    }

    fn since() -> Period {
        Period::new(Some(Timestamp::EPOCH), None).unwrap()
    }

    fn all() -> ConversationCriteria {
        let pairs = ["a", "b", "c"].map(|key| (key.to_owned(), String::new())).into();
        ConversationCriteria {
            external_id: None,
            customer: Some(identifier()),
            agent: Some(identifier()),
            metadata: MetadataCriteria::parse(pairs).unwrap(),
            started: since(),
            updated: since(),
        }
    }

    fn query(criteria: ConversationCriteria) -> ConversationQuery {
        ConversationQuery::new(criteria)
    }

    #[test]
    fn a_criterion_without_an_alternative_is_not_probed() {
        let none = ConversationCriteria::default;
        assert_eq!(
            query(ConversationCriteria { external_id: Some(identifier()), ..all() }).only_index(),
            Some(ByExternalId)
        );
        assert_eq!(query(ConversationCriteria { agent: Some(identifier()), ..none() }).only_index(), Some(Agent));
        let customer = ConversationCriteria { customer: Some(identifier()), started: since(), ..none() };
        assert_eq!(query(customer).only_index(), Some(Customer));
        assert_eq!(query(ConversationCriteria { started: since(), ..none() }).only_index(), Some(Started));
    }

    #[test]
    fn a_period_of_updates_is_always_probed() {
        let query = query(ConversationCriteria { updated: since(), ..ConversationCriteria::default() });
        assert_eq!((query.only_index(), query.indexes_to_probe()), (None, vec![Updated]));
        assert_eq!(ConversationIndex::choose(&[(Updated, Some(9))]), Updated);
        assert_eq!(ConversationIndex::choose(&[(Updated, None)]), Started);
    }

    #[test]
    fn the_index_with_the_fewest_entries_is_chosen_and_among_equals_the_first() {
        let probes = [(Customer, Some(7)), (Agent, None), (Metadata(0), Some(3)), (Metadata(1), Some(3))];
        assert_eq!(ConversationIndex::choose(&probes), Metadata(0));
        assert_eq!(ConversationIndex::choose(&[(Agent, None), (Metadata(0), None), (Updated, None)]), Agent);
    }

    #[test]
    fn all_probes_together_leave_reads_for_the_page() {
        let query = query(all());
        let probes = query.indexes_to_probe();
        assert_eq!(probes, [Customer, Agent, Metadata(0), Metadata(1), Metadata(2), Updated]);
        // The probe of updates reads two indexes.
        assert!((probes.len() + 1) * query.probe_limit() < CONVERSATION_PAGE_MAX_READS);
    }
}
