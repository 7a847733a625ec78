//! Messages in SQL.

mod add_postgres;
mod add_sqlite;
mod neighbours;
mod new;
mod statement;
mod stored;

pub(crate) use add_postgres::add_to_postgres;
pub(crate) use add_sqlite::add_to_sqlite;
pub(crate) use new::NewMessages;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    conversation::{Addition, Append, Message, MessagePage, MessagePosition, MessageStore, Neighbours, PageLimit},
    error::StoreError,
    id::ConversationId,
    redaction::MAX_CONTEXT,
};
use rusqlite::{Connection, params};
use sea_orm::sqlx::{
    self, Postgres,
    postgres::{PgArguments, PgRow},
    query::Query,
};
pub(crate) use stored::{broken, restore, stored};

use crate::{Database, database::Reading, error::Unread};

/// The longest run of messages on SQLite that a worker reads itself. A longer one is read aside, since the worker
/// serves nobody else meanwhile.
const READ_IN_PLACE: usize = 129;

/// Keeps messages in SQL.
#[derive(Clone, Debug)]
pub struct SqlMessages(Database);

impl SqlMessages {
    /// Keeps them in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }

    async fn read(&self, statement: &'static str, range: Range<'_>) -> Result<Vec<Message>, StoreError> {
        match self.0.reading() {
            Reading::Sqlite(readers) => {
                let near = Range { most: range.most.min(READ_IN_PLACE), ..range };
                let messages = readers.read(|connection| near.read_sqlite(connection, statement))?;
                if messages.len() < READ_IN_PLACE || range.most == READ_IN_PLACE {
                    return Ok(messages);
                }
                let (tenant, conversation, bound) =
                    (range.tenant.clone(), range.conversation.clone(), range.bound.cloned());
                let most = range.most;
                readers
                    .read_aside(move |connection| {
                        let range = Range { tenant: &tenant, conversation: &conversation, bound: bound.as_ref(), most };
                        range.read_sqlite(connection, statement)
                    })
                    .await
            }
            Reading::Postgres(lanes) => {
                let restore = |row: &PgRow| restore(row, range.conversation);
                lanes.read(range.query_postgres(statement), restore).await
            }
        }
    }
}

/// A run of a tenant's messages in one conversation, from one end or from a position that is not among them.
#[derive(Clone, Copy)]
struct Range<'call> {
    tenant: &'call TenantId,
    conversation: &'call ConversationId,
    bound: Option<&'call MessagePosition>,
    most: usize,
}

impl Range<'_> {
    fn read_sqlite(self, connection: &Connection, statement: &str) -> Result<Vec<Message>, Unread> {
        let (tenant, conversation, most) = (self.tenant.as_str(), self.conversation.as_str(), most(self.most));
        let mut statement = connection.prepare_cached(statement)?;
        let mut rows = match self.bound {
            Some(MessagePosition { sent_at, id }) => {
                statement.query(params![tenant, conversation, sent_at.as_micros(), id.as_str(), most])?
            }
            None => statement.query(params![tenant, conversation, most])?,
        };
        let mut messages = Vec::new();
        while let Some(row) = rows.next()? {
            messages.push(restore(row, self.conversation)?);
        }
        Ok(messages)
    }

    fn query_postgres(&self, statement: &'static str) -> Query<'_, Postgres, PgArguments> {
        let query = sqlx::query(statement).bind(self.tenant.as_str()).bind(self.conversation.as_str());
        let query = match self.bound {
            Some(MessagePosition { sent_at, id }) => query.bind(sent_at.as_micros()).bind(id.as_str()),
            None => query,
        };
        query.bind(most(self.most))
    }
}

#[async_trait]
impl MessageStore for SqlMessages {
    async fn append(&self, tenant: &TenantId, message: &Message) -> Result<Append, StoreError> {
        self.0.group_commit().append(NewMessages::plain(tenant, message)).await
    }

    async fn append_all(&self, tenant: &TenantId, addition: &Addition) -> Result<Append, StoreError> {
        self.0.group_commit().append(NewMessages::of(tenant, addition)).await
    }

    async fn newest<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        before: Option<&'a MessagePosition>,
    ) -> Result<Vec<Message>, StoreError> {
        let statement = if before.is_some() { statement::NEWEST_BEFORE } else { statement::NEWEST };
        let range = Range { tenant, conversation, bound: before, most: MAX_CONTEXT };
        let mut messages = self.read(statement, range).await?;
        messages.reverse();
        Ok(messages)
    }

    async fn page<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        after: Option<&'a MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, StoreError> {
        let statement = if after.is_some() { statement::PAGE_AFTER } else { statement::PAGE };
        let limit = usize::from(limit.get());
        let range = Range { tenant, conversation, bound: after, most: limit + 1 };
        let mut messages = self.read(statement, range).await?;
        let more = messages.len() > limit;
        messages.truncate(limit);
        Ok(MessagePage { messages, more })
    }

    async fn neighbours(
        &self,
        tenant: &TenantId,
        positions: &[(ConversationId, MessagePosition)],
    ) -> Result<Vec<Neighbours>, StoreError> {
        match self.0.reading() {
            Reading::Sqlite(readers) => neighbours::read_sqlite(readers, tenant, positions).await,
            Reading::Postgres(lanes) => neighbours::read_postgres(lanes, tenant, positions).await,
        }
    }
}

/// A bound on a number of rows as databases take it.
fn most(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
