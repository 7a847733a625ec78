//! The model of an erasure.

use super::{IdentifierDigest, PrivacyRequestId};
use crate::{
    id::ConversationId,
    limits::{ERASURE_PAGE_DEFAULT, ERASURE_PAGE_MAX},
    text::Violation,
    time::Timestamp,
};

/// The erasure of a conversation with its messages, and what stays of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The conversation.
    pub conversation: ConversationId,
    /// The digest of its external identifier, by which a later upsert of the same identifier is refused.
    pub digest: IdentifierDigest,
    /// The time of the erasure, by the service's clock.
    pub at: Timestamp,
    /// The privacy request that the erasure is a part of, if any. Its counts grow in the same step.
    pub request: Option<PrivacyRequestId>,
}

/// How much an erasure removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ErasureCount {
    /// The number of messages.
    pub messages: u64,
}

/// The record of an erased conversation. It holds no content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasedConversation {
    /// The number of the record among those of the tenant. Later erasures have greater numbers.
    pub sequence: u64,
    /// The conversation that was erased.
    pub conversation: ConversationId,
    /// The time of the erasure.
    pub erased_at: Timestamp,
}

/// A page of erased conversations, in the order of their erasure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasurePage {
    /// The erased conversations.
    pub erasures: Vec<ErasedConversation>,
    /// The number after which the next page begins: that of the last record of this page, or the one that was asked for
    /// if the page is empty.
    pub next: u64,
}

/// The largest number of records of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErasurePageLimit(u16);

impl ErasurePageLimit {
    /// A limit of records.
    ///
    /// # Errors
    /// [`Violation::Range`] outside 1 to 1,000.
    pub fn new(limit: u64) -> Result<Self, Violation> {
        let valid = u16::try_from(limit).ok().filter(|limit| (1..=ERASURE_PAGE_MAX).contains(limit));
        valid.map(Self).ok_or(Violation::Range(1, ERASURE_PAGE_MAX.into()))
    }

    /// The limit as a number.
    #[must_use]
    pub fn get(self) -> u16 {
        self.0
    }
}

impl Default for ErasurePageLimit {
    fn default() -> Self {
        Self(ERASURE_PAGE_DEFAULT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_one_to_a_thousand_records() {
        let accepted = |limit| ErasurePageLimit::new(limit).map(ErasurePageLimit::get).ok();
        assert_eq!([0, 1, 1_000, 1_001].map(accepted), [None, Some(1), Some(1_000), None]);
    }
}
