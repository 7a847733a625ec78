//! The batched reads of the data plane on PostgreSQL. Each thread has its own batchers.

use super::{
    conversations::{
        ConversationLookup,
        statement::{ALL_BY_EXTERNAL_ID, ALL_BY_ID},
    },
    messages::{
        PageQuery, RangeQuery, ShortPageQuery,
        statement::{ALL_AFTER, ALL_AFTER_WITHOUT_LONG_TEXTS, ALL_BEFORE, ALL_PAGES_AFTER},
    },
};
use crate::engine::postgres::{BatchLimits, Batchers, ReadBatcher};

/// The batchers of one thread, one per statement.
#[derive(Debug)]
pub(crate) struct ReadBatchers {
    pub(super) messages_after: ReadBatcher<RangeQuery>,
    pub(super) messages_before: ReadBatcher<RangeQuery>,
    pub(super) short_pages_after: ReadBatcher<ShortPageQuery>,
    pub(super) pages_after: ReadBatcher<PageQuery>,
    pub(super) conversation_by_id: ReadBatcher<ConversationLookup>,
    pub(super) conversation_by_external_id: ReadBatcher<ConversationLookup>,
}

impl Batchers for ReadBatchers {
    fn new(limits: BatchLimits) -> Self {
        Self {
            messages_after: ReadBatcher::new(ALL_AFTER, limits),
            messages_before: ReadBatcher::new(ALL_BEFORE, limits),
            short_pages_after: ReadBatcher::new(ALL_AFTER_WITHOUT_LONG_TEXTS, limits),
            pages_after: ReadBatcher::new(ALL_PAGES_AFTER, limits),
            conversation_by_id: ReadBatcher::new(ALL_BY_ID, limits),
            conversation_by_external_id: ReadBatcher::new(ALL_BY_EXTERNAL_ID, limits),
        }
    }
}
