//! Messages in SQL.

pub(crate) mod statement;
mod stored;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    conversation::{Append, Message, MessagePage, MessagePosition, MessageStore, PageLimit, Remask},
    error::StoreError,
    id::ConversationId,
    redaction::MAX_CONTEXT,
};
use rusqlite::{Connection, params};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, SqlErr,
    sea_query::Expr,
    sqlx::{
        self, Postgres,
        postgres::{PgArguments, PgRow},
        query::Query,
    },
};
use stored::restore;
pub(crate) use stored::{stored_role, stored_set};

use crate::{
    Database,
    database::{Reading, begin},
    entity::message::{ActiveModel, Column, Entity},
    error::{Unread, call},
};

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
        let (tenant, conversation, most) =
            (self.tenant.as_str(), self.conversation.as_str(), i64::try_from(self.most).unwrap_or(i64::MAX));
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
        query.bind(i64::try_from(self.most).unwrap_or(i64::MAX))
    }
}

#[async_trait]
impl MessageStore for SqlMessages {
    async fn append(&self, tenant: &TenantId, message: &Message) -> Result<Append, StoreError> {
        self.0.group_commit().append(tenant, message).await
    }

    async fn append_and_mask(
        &self,
        tenant: &TenantId,
        message: &Message,
        earlier: &[Remask],
    ) -> Result<Append, StoreError> {
        let outcome = async {
            let transaction = begin(self.0.writer()).await?;
            let outcome = match Entity::insert(row(tenant, message)).exec_without_returning(&transaction).await {
                Ok(_) if mask(&transaction, tenant, &message.conversation, earlier).await? => Append::Appended,
                Ok(_) => Append::Superseded,
                Err(error) if names_no_conversation(&error) => Append::NoConversation,
                Err(error) => return Err(error),
            };
            if outcome == Append::Appended { transaction.commit().await } else { transaction.rollback().await }?;
            Ok(outcome)
        };
        let outcome = call(outcome).await?;
        if outcome == Append::Appended {
            self.0.forget_old_pages().await;
        }
        Ok(outcome)
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
}

/// Puts the new texts where the old ones stand still, and tells whether all of them did. In one order everywhere, so
/// that two writers cannot wait for each other.
async fn mask(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    conversation: &ConversationId,
    earlier: &[Remask],
) -> Result<bool, DbErr> {
    let mut ordered: Vec<_> = earlier.iter().collect();
    ordered.sort_by(|one, other| one.position.cmp(&other.position));
    for remask in ordered {
        let update = Entity::update_many()
            .col_expr(Column::Text, Expr::val(remask.becomes.as_str()))
            .filter(Column::TenantId.eq(tenant.as_str()))
            .filter(Column::ConversationId.eq(conversation.as_str()))
            .filter(Column::SentAt.eq(remask.position.sent_at.as_micros()))
            .filter(Column::Id.eq(remask.position.id.as_str()))
            .filter(Column::Text.eq(remask.was.as_str()));
        if update.exec(transaction).await?.rows_affected != 1 {
            return Ok(false);
        }
    }
    Ok(true)
}

fn names_no_conversation(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::ForeignKeyConstraintViolation(_)))
}

fn row(tenant: &TenantId, message: &Message) -> ActiveModel {
    ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        conversation_id: Set(message.conversation.as_str().to_owned()),
        sent_at: Set(message.sent_at.as_micros()),
        id: Set(message.id.as_str().to_owned()),
        sender_role: Set(stored_role(message.sender.role)),
        sender_external_id: Set(message.sender.external_id.as_str().to_owned()),
        text: Set(message.text.as_str().to_owned()),
        masked_with: Set(stored_set(message.masked_with)),
        created_at: Set(message.created_at.as_micros()),
    }
}
