//! Pages of found conversations, newest first.

use std::cmp::Ordering;

use super::{Conversation, ConversationCriteria};
use crate::{
    id::ConversationId,
    limits::{CONVERSATION_PAGE_DEFAULT, CONVERSATION_PAGE_MAX, CONVERSATION_PAGE_MAX_READS},
    text::Violation,
    time::Timestamp,
};

/// The maximum number of conversations of a page: 1 to 100, 20 by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationPageLimit(u16);

impl ConversationPageLimit {
    /// A limit of this many conversations.
    ///
    /// # Errors
    /// [`Violation::Range`] outside 1 to 100.
    pub fn new(limit: u64) -> Result<Self, Violation> {
        let valid = u16::try_from(limit).ok().filter(|limit| (1..=CONVERSATION_PAGE_MAX).contains(limit));
        valid.map(Self).ok_or(Violation::Range(1, CONVERSATION_PAGE_MAX.into()))
    }

    /// The maximum number of conversations.
    #[must_use]
    pub fn get(self) -> usize {
        self.0.into()
    }
}

impl Default for ConversationPageLimit {
    fn default() -> Self {
        Self(CONVERSATION_PAGE_DEFAULT)
    }
}

/// The position of a conversation in the order of pages: the newest timestamp first, then the greatest identifier. A
/// position never changes, because an upsert changes neither the timestamp nor the identifier of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationPosition {
    /// The timestamp of the conversation.
    pub started_at: Timestamp,
    /// The identifier, which orders conversations with the same timestamp.
    pub id: ConversationId,
}

impl PartialOrd for ConversationPosition {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ConversationPosition {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.started_at, &other.id).cmp(&(self.started_at, &self.id))
    }
}

impl Conversation {
    /// The position of the conversation in the order of pages.
    #[must_use]
    pub fn position(&self) -> ConversationPosition {
        ConversationPosition { started_at: self.started_at, id: self.id.clone() }
    }
}

/// Where the next page of a list begins. It is valid for the tenant and the criteria of that list only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationCursor {
    /// The next page begins after this position.
    pub after: ConversationPosition,
    /// The digest of the tenant and the criteria.
    pub criteria_digest: u64,
}

/// A request for one page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListConversations {
    /// At least one criterion.
    pub criteria: ConversationCriteria,
    /// The cursor of an earlier page; the first page without one.
    pub cursor: Option<ConversationCursor>,
    /// The maximum number of conversations.
    pub limit: ConversationPageLimit,
}

/// A query of a store for one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationQuery {
    /// The criteria. Values of metadata are masked as stored ones are.
    pub criteria: ConversationCriteria,
    /// The page begins after this position.
    pub after: Option<ConversationPosition>,
    /// The maximum number of conversations.
    pub limit: ConversationPageLimit,
    /// The maximum number of rows and index entries that the store reads for the page. It is at least 10.
    pub max_reads: usize,
}

impl ConversationQuery {
    /// A query for the first page, with the default limits.
    #[must_use]
    pub fn new(criteria: ConversationCriteria) -> Self {
        Self { criteria, after: None, limit: ConversationPageLimit::default(), max_reads: CONVERSATION_PAGE_MAX_READS }
    }
}

/// Conversations that meet the criteria of a query, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationPage {
    /// The conversations. A page can have fewer than its limit, and none, although another page follows.
    pub conversations: Vec<Conversation>,
    /// The position after which the next page begins; `None` after the last page.
    pub next: Option<ConversationPosition>,
}

impl ConversationPage {
    /// Builds a page from the conversations that a store found, newest first: at most one more than the limit. `last_read`
    /// is the position at which the store stopped reading because it had read the maximum number of rows.
    #[must_use]
    pub fn from_found(
        mut found: Vec<Conversation>,
        limit: ConversationPageLimit,
        last_read: Option<ConversationPosition>,
    ) -> Self {
        let has_more = found.len() > limit.get();
        found.truncate(limit.get());
        let next = if has_more { found.last().map(Conversation::position) } else { last_read };
        Self { conversations: found, next }
    }
}

/// One page of a list, as a caller receives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedConversations {
    /// The conversations with masked fields.
    pub conversations: Vec<Conversation>,
    /// The cursor of the next page; `None` after the last page.
    pub next: Option<ConversationCursor>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{conversation::Participant, text::ExternalId};

    fn conversation(number: u128, seconds: i64) -> Conversation {
        let external_id = ExternalId::parse("a").unwrap();
        Conversation {
            id: ConversationId::from_bits(number),
            external_id: external_id.clone(),
            agent: None,
            customer: Participant { external_id, name: None },
            metadata: None,
            started_at: Timestamp::EPOCH.plus_seconds(seconds),
        }
    }

    #[test]
    fn newer_conversations_come_first_and_among_equals_the_greater_identifier() {
        let mut positions = [(1, 5), (2, 7), (3, 5)].map(|(id, at)| conversation(id, at).position());
        positions.sort();
        assert_eq!(positions, [(2, 7), (3, 5), (1, 5)].map(|(id, at)| conversation(id, at).position()));
    }

    #[test]
    fn a_full_page_continues_after_its_last_conversation() {
        let found: Vec<_> = [(3, 3), (2, 2), (1, 1)].map(|(id, at)| conversation(id, at)).into();
        let last_read = Some(found[2].position());
        let page = ConversationPage::from_found(found.clone(), ConversationPageLimit::new(2).unwrap(), last_read);
        assert_eq!((page.conversations.len(), page.next), (2, Some(found[1].position())));
    }

    #[test]
    fn a_short_page_continues_where_reading_stopped() {
        let stopped = conversation(1, 1).position();
        let page = ConversationPage::from_found(Vec::new(), ConversationPageLimit::default(), Some(stopped.clone()));
        assert_eq!(page.next, Some(stopped));
        let page = ConversationPage::from_found(vec![conversation(1, 1)], ConversationPageLimit::default(), None);
        assert_eq!(page.next, None);
    }

    #[test]
    fn a_page_has_1_to_100_conversations_and_20_by_default() {
        assert!(ConversationPageLimit::new(1).is_ok() && ConversationPageLimit::new(100).is_ok());
        assert!(ConversationPageLimit::new(0).is_err() && ConversationPageLimit::new(101).is_err());
        assert_eq!(ConversationPageLimit::default().get(), 20);
    }
}
