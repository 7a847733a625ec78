//! Messages in SQL.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    conversation::{Append, Message, MessagePage, MessagePosition, MessageStore, PageLimit, Remask, Role, Sender},
    error::StoreError,
    id::{ConversationId, MessageId},
    redaction::{EntitySet, MAX_CONTEXT},
    text::{ExternalId, MessageText},
    time::Timestamp,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select, SqlErr,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Database,
    database::begin,
    entity::message::{ActiveModel, Column, Entity},
    error::{call, corrupt},
};

const TABLE: &str = "messages";

/// Keeps messages in SQL.
#[derive(Clone, Debug)]
pub struct SqlMessages(Database);

impl SqlMessages {
    /// Keeps them in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// The one way to this table: a tenant's rows.
fn of(tenant: &TenantId) -> Select<Entity> {
    Entity::find().filter(Column::TenantId.eq(tenant.as_str()))
}

#[async_trait]
impl MessageStore for SqlMessages {
    async fn append(&self, tenant: &TenantId, message: &Message) -> Result<Append, StoreError> {
        let insert = Entity::insert(row(tenant, message));
        let outcome = async {
            match insert.exec_without_returning(self.0.writer()).await {
                Ok(_) => Ok(Append::Appended),
                Err(error) if names_no_conversation(&error) => Ok(Append::NoConversation),
                Err(error) => Err(error),
            }
        };
        call(outcome).await
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
        let mut query = of(tenant).filter(Column::ConversationId.eq(conversation.as_str()));
        if let Some(before) = before {
            query = query.filter(position().lt(place(before)));
        }
        let query = query.order_by_desc(Column::SentAt).order_by_desc(Column::Id).limit(MAX_CONTEXT as u64);
        let rows = call(columns(query).into_tuple::<Row>().all(self.0.reader())).await?;
        rows.into_iter().rev().map(|row| restore(row, conversation)).collect()
    }

    async fn page<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        after: Option<&'a MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, StoreError> {
        let mut query = of(tenant).filter(Column::ConversationId.eq(conversation.as_str()));
        if let Some(after) = after {
            query = query.filter(position().gt(place(after)));
        }
        let limit = usize::from(limit.get());
        let query = query.order_by_asc(Column::SentAt).order_by_asc(Column::Id).limit(limit as u64 + 1);
        let rows = call(columns(query).into_tuple::<Row>().all(self.0.reader())).await?;
        let more = rows.len() > limit;
        let messages = rows.into_iter().take(limit).map(|row| restore(row, conversation)).collect::<Result<_, _>>()?;
        Ok(MessagePage { messages, more })
    }
}

/// Identifier, client time, role, sender, text, what it was masked with, and time of arrival.
pub(crate) type Row = (String, i64, i16, String, String, String, i64);

fn columns(query: Select<Entity>) -> Select<Entity> {
    query.select_only().columns([
        Column::Id,
        Column::SentAt,
        Column::SenderRole,
        Column::SenderExternalId,
        Column::Text,
        Column::MaskedWith,
        Column::CreatedAt,
    ])
}

fn position() -> Expr {
    Expr::tuple([Expr::col(Column::SentAt), Expr::col(Column::Id)])
}

fn place(position: &MessagePosition) -> Expr {
    Expr::tuple([Expr::val(position.sent_at.as_micros()), Expr::val(position.id.as_str())])
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
        masked_with: Set(format!("{:x}", message.masked_with.bits())),
        created_at: Set(message.created_at.as_micros()),
    }
}

pub(crate) fn restore(row: Row, conversation: &ConversationId) -> Result<Message, StoreError> {
    let (id, sent_at, role, sender, text, masked_with, created_at) = row;
    let moment = |micros, column| Timestamp::from_micros(micros).map_err(|broken| corrupt(TABLE, column, &id, broken));
    Ok(Message {
        sent_at: moment(sent_at, "sent_at")?,
        created_at: moment(created_at, "created_at")?,
        sender: Sender {
            role: restore_role(role).ok_or_else(|| corrupt(TABLE, "sender_role", &id, "names no role"))?,
            external_id: ExternalId::parse(sender)
                .map_err(|broken| corrupt(TABLE, "sender_external_id", &id, broken))?,
        },
        text: MessageText::parse(text).map_err(|broken| corrupt(TABLE, "text", &id, broken))?,
        masked_with: restore_set(&masked_with)
            .ok_or_else(|| corrupt(TABLE, "masked_with", &id, "is no hexadecimal number of 128 bits"))?,
        conversation: conversation.clone(),
        id: MessageId::parse(&id).map_err(|broken| corrupt(TABLE, "id", &id, broken))?,
    })
}

/// The numbers are stored: they never change their meaning.
fn stored_role(role: Role) -> i16 {
    match role {
        Role::Agent => 1,
        Role::Customer => 2,
        Role::System => 3,
    }
}

fn restore_role(stored: i16) -> Option<Role> {
    Role::ALL.into_iter().find(|role| stored_role(*role) == stored)
}

/// A set of entities as its bits in lower-case hexadecimal; bits of entities that this program does not know are dropped.
fn restore_set(stored: &str) -> Option<EntitySet> {
    let bits = u128::from_str_radix(stored, 16).ok()?;
    (format!("{bits:x}") == stored).then(|| EntitySet::from_bits(bits))
}
