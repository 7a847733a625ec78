//! Queries for the messages of a conversation next to a position, on either database.

use parlance_domain::{
    access::TenantId,
    id::ConversationId,
    message::{Message, MessageArena, MessagePosition},
    redaction::MAX_CONTEXT,
};
use rusqlite::{Connection, params};

use crate::{
    data_plane::messages::{
        rows::restore_into,
        statement::{AFTER, BEFORE, sql_limit},
    },
    error::ReadError,
};

/// The maximum number of messages of a short read: a page of 128, and one message that shows that another page follows.
pub(super) const MAX_SHORT_READ: usize = 129;

/// The maximum number of messages that memory is reserved for before a read. Most results are not larger.
const MAX_RESERVED_MESSAGES: usize = 64;

/// The side of a position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Side {
    Before,
    After,
}

impl Side {
    /// A time at which no message was sent, such that all messages are on this side of it.
    fn outermost_time(self) -> i64 {
        match self {
            Self::Before => i64::MAX,
            Self::After => i64::MIN,
        }
    }

    /// The statement of a single query.
    fn statement(self) -> &'static str {
        match self {
            Self::Before => BEFORE,
            Self::After => AFTER,
        }
    }
}

/// A query for the nearest messages on one side of a position, in one conversation of a tenant.
#[derive(Debug, Clone)]
pub(crate) struct RangeQuery {
    pub(super) tenant: TenantId,
    pub(super) conversation: ConversationId,
    pub(super) side: Side,
    /// The position: microseconds and the identifier of a message.
    pub(super) sent_at: i64,
    pub(super) id: String,
    /// The maximum number of messages.
    pub(super) max_messages: usize,
    /// A page ends [`MAX_CONTEXT`] messages after its texts reach this size in bytes. Reads on SQLite and [`PageQuery`]
    /// apply this limit.
    pub(super) page_bytes: usize,
}

impl RangeQuery {
    /// A query for the messages on this side of a position. Without a position it starts at that end of the
    /// conversation: `Before` with the newest message, `After` with the oldest.
    pub(super) fn new(
        tenant: &TenantId,
        conversation: &ConversationId,
        side: Side,
        position: Option<&MessagePosition>,
        max_messages: usize,
    ) -> Self {
        let end = (side.outermost_time(), "");
        let (sent_at, id) = position.map_or(end, |position| (position.sent_at.as_micros(), position.id.as_str()));
        Self {
            tenant: tenant.clone(),
            conversation: conversation.clone(),
            side,
            sent_at,
            id: id.to_owned(),
            max_messages,
            page_bytes: usize::MAX,
        }
    }

    /// The same query, limited to what a page with this byte limit needs: the messages of the page, and one more message
    /// if another page follows.
    pub(super) fn with_page_bytes(self, page_bytes: usize) -> Self {
        Self { page_bytes, ..self }
    }

    /// The statement of this query alone.
    pub(super) fn statement(&self) -> &'static str {
        self.side.statement()
    }

    /// Reads the messages on SQLite, nearest first.
    pub(super) fn read_sqlite(&self, connection: &Connection) -> Result<Vec<Message>, ReadError> {
        self.read_nearest(self.max_messages, connection)
    }

    /// Reads up to `count` of the messages on SQLite, nearest first.
    pub(super) fn read_nearest(&self, count: usize, connection: &Connection) -> Result<Vec<Message>, ReadError> {
        let mut statement = connection.prepare_cached(self.statement())?;
        let (tenant, conversation) = (self.tenant.as_str(), self.conversation.as_str());
        let mut rows = statement.query(params![tenant, conversation, self.sent_at, self.id, sql_limit(count)])?;
        let mut arena = self.empty_arena(count);
        let mut over_limit = 0;
        while over_limit <= MAX_CONTEXT
            && let Some(row) = rows.next()?
        {
            restore_into(row, &self.conversation, &mut arena)?;
            over_limit += usize::from(arena.text_bytes() >= self.page_bytes);
        }
        Ok(arena.into_messages())
    }

    /// An empty arena for up to `count` messages.
    pub(super) fn empty_arena(&self, count: usize) -> MessageArena {
        MessageArena::with_capacity(self.conversation.clone(), count.min(MAX_RESERVED_MESSAGES))
    }
}

/// A query on PostgreSQL for the messages of a page after a position, which the database ends at the byte limit.
#[derive(Debug)]
pub(crate) struct PageQuery(pub(super) RangeQuery);

/// A query on PostgreSQL for the messages of a page after a position, if none of their texts is long.
#[derive(Debug)]
pub(crate) struct ShortPageQuery(pub(super) RangeQuery);

/// The result of a [`ShortPageQuery`].
#[derive(Debug)]
pub(crate) struct ShortPage {
    pub(super) messages: MessageArena,
    /// Whether messages with long texts were left out.
    pub(super) has_long_texts: bool,
}

impl ShortPage {
    /// The messages, or `None` if some were left out.
    pub(super) fn complete_messages(self) -> Option<Vec<Message>> {
        (!self.has_long_texts).then(|| self.messages.into_messages())
    }
}

/// Sorts messages of one conversation in chronological order.
pub(super) fn sorted(mut messages: Vec<Message>) -> Vec<Message> {
    messages.sort_unstable_by(|one, other| (one.sent_at, &one.id).cmp(&(other.sent_at, &other.id)));
    messages
}
