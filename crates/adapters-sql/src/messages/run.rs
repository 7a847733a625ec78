//! A run of a conversation's messages, from either database.

use parlance_domain::{
    access::TenantId,
    conversation::{Message, MessagePosition, MessageRun},
    id::ConversationId,
    redaction::MAX_CONTEXT,
};
use rusqlite::{Connection, params};
use sea_orm::sqlx::{
    self, Postgres,
    postgres::{PgArguments, PgRow},
    query::Query,
};

use super::{
    most,
    statement::{AFTER, AFTER_SHORT, BEFORE},
    stored::{TEXT, restore},
};
use crate::{
    columns::Columns,
    error::Unread,
    postgres::{Desk, Desks, Question},
};

/// As many messages as most runs have at most: room that is made before they come.
const USUAL: usize = 64;

/// On which side of a position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Side {
    Before,
    After,
}

impl Side {
    /// A moment at which no message was sent, with all others on this side of it.
    fn end(self) -> i64 {
        match self {
            Self::Before => i64::MAX,
            Self::After => i64::MIN,
        }
    }

    /// Gives one run on SQLite.
    fn statement(self) -> &'static str {
        match self {
            Self::Before => BEFORE,
            Self::After => AFTER,
        }
    }
}

/// The messages of a run that one statement gave.
#[derive(Debug)]
pub(crate) struct FoundRun {
    run: MessageRun,
    /// Whether messages were left out because of the length of their texts.
    has_long_texts: bool,
}

impl FoundRun {
    /// The messages; none where some of the run were left out.
    pub(super) fn whole(self) -> Option<Vec<Message>> {
        (!self.has_long_texts).then(|| self.into_messages())
    }

    /// The messages that are not left out.
    pub(super) fn into_messages(self) -> Vec<Message> {
        self.run.into_messages()
    }
}

/// At most so many of a tenant's messages in one conversation on one side of a position, the nearest ones.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(super) tenant: TenantId,
    pub(super) conversation: ConversationId,
    side: Side,
    pub(super) sent_at: i64,
    pub(super) id: String,
    pub(super) most: usize,
    /// Where the texts reach so many bytes, few more are wanted. Regarded on SQLite and by [`LongRun`](super::long_run::LongRun).
    pub(super) bytes: usize,
}

impl Run {
    /// Those on this side of a position, or, where there is none, from that end of the conversation.
    pub(super) fn new(
        tenant: &TenantId,
        conversation: &ConversationId,
        side: Side,
        position: Option<&MessagePosition>,
        most: usize,
    ) -> Self {
        let end = (side.end(), "");
        let (sent_at, id) = position.map_or(end, |position| (position.sent_at.as_micros(), position.id.as_str()));
        Self {
            tenant: tenant.clone(),
            conversation: conversation.clone(),
            side,
            sent_at,
            id: id.to_owned(),
            most,
            bytes: usize::MAX,
        }
    }

    /// The same, as far as a page of so many bytes needs it: with one message more, which shows that more follow.
    pub(super) fn within(self, bytes: usize) -> Self {
        Self { bytes, ..self }
    }

    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// On SQLite, the nearest first.
    pub(super) fn read_sqlite(&self, connection: &Connection) -> Result<Vec<Message>, Unread> {
        self.nearest(self.most, connection)
    }

    /// So many of it at most.
    pub(super) fn nearest(&self, count: usize, connection: &Connection) -> Result<Vec<Message>, Unread> {
        let mut statement = connection.prepare_cached(self.side.statement())?;
        let (tenant, conversation) = (self.tenant.as_str(), self.conversation.as_str());
        let mut rows = statement.query(params![tenant, conversation, self.sent_at, self.id, most(count)])?;
        let mut run = self.begin_with(count);
        let mut beyond = 0;
        while beyond <= MAX_CONTEXT
            && let Some(row) = rows.next()?
        {
            restore(row, &self.conversation, &mut run)?;
            beyond += usize::from(run.text_bytes() >= self.bytes);
        }
        Ok(run.into_messages())
    }

    /// None of it yet, where there may be so many.
    pub(super) fn begin_with(&self, count: usize) -> MessageRun {
        MessageRun::begin(self.conversation.clone(), count.min(USUAL))
    }
}

// The rows of one run come in an order that PostgreSQL does not promise.
impl Question for Run {
    type Answer = FoundRun;

    fn desk<'own>(&self, desks: &'own Desks) -> &'own Desk<Self> {
        match self.side {
            Side::Before => &desks.messages_before,
            Side::After => &desks.messages_after,
        }
    }

    fn rows(&self) -> usize {
        self.most
    }

    fn bind<'q>(query: Query<'q, Postgres, PgArguments>, runs: &'q [Self]) -> Query<'q, Postgres, PgArguments> {
        query
            .bind(runs.iter().map(|run| run.tenant.as_str()).collect::<Vec<_>>())
            .bind(runs.iter().map(|run| run.conversation.as_str()).collect::<Vec<_>>())
            .bind(runs.iter().map(|run| run.sent_at).collect::<Vec<_>>())
            .bind(runs.iter().map(|run| run.id.as_str()).collect::<Vec<_>>())
            .bind(runs.iter().map(|run| most(run.most)).collect::<Vec<_>>())
    }

    fn bind_alone(&self) -> Query<'_, Postgres, PgArguments> {
        let statement = match self.side {
            Side::Before => BEFORE,
            Side::After => AFTER_SHORT,
        };
        sqlx::query(statement)
            .bind(self.tenant.as_str())
            .bind(self.conversation.as_str())
            .bind(self.sent_at)
            .bind(self.id.as_str())
            .bind(most(self.most))
    }

    fn begin(&self) -> FoundRun {
        FoundRun { run: self.begin_with(self.most), has_long_texts: false }
    }

    fn add(&self, row: &PgRow, found: &mut FoundRun) -> Result<(), Unread> {
        if row.optional_bytes(TEXT)?.is_none() {
            found.has_long_texts = true;
            return Ok(());
        }
        restore(row, &self.conversation, &mut found.run)
    }
}
