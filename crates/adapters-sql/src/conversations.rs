//! Conversations in SQL.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    conversation::{
        Change, Changes, Commit, Conversation, ConversationStore, ConversationWrite, Metadata, Participant,
    },
    error::StoreError,
    id::ConversationId,
    retry::Receipt,
    text::{DisplayName, ExternalId, Violation},
    time::Timestamp,
};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, TryInsertResult, sqlx,
};

use crate::{
    Database,
    columns::Columns,
    database::Reading,
    entity::conversation::{ActiveModel, Column, Entity},
    error::{Unread, call, corrupt},
    receipts,
};

const TABLE: &str = "conversations";

/// Keeps conversations in SQL.
#[derive(Clone, Debug)]
pub struct SqlConversations(Database);

impl SqlConversations {
    /// Keeps them in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }

    async fn read(
        &self,
        statement: &'static str,
        tenant: &TenantId,
        key: &str,
    ) -> Result<Option<Conversation>, StoreError> {
        let key = (tenant.as_str(), key);
        match self.0.reading() {
            Reading::Sqlite(readers) => readers.read(|connection| {
                let mut statement = connection.prepare_cached(statement)?;
                let mut rows = statement.query(key)?;
                rows.next()?.map(restore).transpose()
            }),
            Reading::Postgres(lanes) => {
                let query = sqlx::query(statement).bind(key.0).bind(key.1);
                Ok(lanes.read(query, restore).await?.pop())
            }
        }
    }

    /// Lands a write with its receipt, both or neither.
    async fn land_once(
        &self,
        tenant: &TenantId,
        write: &ConversationWrite,
        at: Timestamp,
        receipt: &Receipt,
    ) -> Result<Commit, DbErr> {
        let transaction = self.0.begin().await?;
        let outcome = if receipts::keep(&transaction, tenant, receipt).await? {
            land(&transaction, tenant, write, at).await?
        } else {
            Commit::Repeated
        };
        if outcome == Commit::Committed { transaction.commit().await } else { transaction.rollback().await }?;
        Ok(outcome)
    }
}

async fn land(
    db: &impl ConnectionTrait,
    tenant: &TenantId,
    write: &ConversationWrite,
    at: Timestamp,
) -> Result<Commit, DbErr> {
    match write {
        ConversationWrite::Create(new) => create(db, tenant, new, at).await,
        ConversationWrite::Update { id, changes } => update(db, tenant, id, changes, at).await,
    }
}

async fn create(
    db: &impl ConnectionTrait,
    tenant: &TenantId,
    new: &Conversation,
    at: Timestamp,
) -> Result<Commit, DbErr> {
    let taken = [Column::TenantId, Column::ExternalId];
    let insert = Entity::insert(row(tenant, new, at)).on_conflict_do_nothing_on(taken);
    match insert.exec_without_returning(db).await? {
        TryInsertResult::Inserted(1..) => Ok(Commit::Committed),
        TryInsertResult::Inserted(0) | TryInsertResult::Conflicted | TryInsertResult::Empty => Ok(Commit::Superseded),
    }
}

async fn update(
    db: &impl ConnectionTrait,
    tenant: &TenantId,
    id: &ConversationId,
    changes: &Changes,
    at: Timestamp,
) -> Result<Commit, DbErr> {
    let update = Entity::update_many()
        .set(changed_columns(changes, at))
        .filter(Column::TenantId.eq(tenant.as_str()))
        .filter(Column::Id.eq(id.as_str()));
    let updated = update.exec(db).await?;
    Ok(if updated.rows_affected == 1 { Commit::Committed } else { Commit::Superseded })
}

/// A conversation of a tenant by its identifier.
const BY_ID: &str = concat!(
    "SELECT id, external_id, agent_external_id, agent_name, customer_external_id, customer_name, metadata, started_at ",
    "FROM conversations WHERE tenant_id = $1 AND id = $2"
);

/// A conversation of a tenant by the caller's identifier.
const BY_EXTERNAL_ID: &str = concat!(
    "SELECT id, external_id, agent_external_id, agent_name, customer_external_id, customer_name, metadata, started_at ",
    "FROM conversations WHERE tenant_id = $1 AND external_id = $2"
);

#[async_trait]
impl ConversationStore for SqlConversations {
    async fn find(&self, tenant: &TenantId, id: &ConversationId) -> Result<Option<Conversation>, StoreError> {
        self.read(BY_ID, tenant, id.as_str()).await
    }

    async fn find_by_external_id(
        &self,
        tenant: &TenantId,
        external_id: &ExternalId,
    ) -> Result<Option<Conversation>, StoreError> {
        self.read(BY_EXTERNAL_ID, tenant, external_id.as_str()).await
    }

    async fn commit<'a>(
        &self,
        tenant: &TenantId,
        write: &ConversationWrite,
        at: Timestamp,
        receipt: Option<&'a Receipt>,
    ) -> Result<Commit, StoreError> {
        match receipt {
            None => call(land(self.0.writer(), tenant, write, at)).await,
            Some(receipt) => call(self.land_once(tenant, write, at, receipt)).await,
        }
    }
}

fn row(tenant: &TenantId, new: &Conversation, at: Timestamp) -> ActiveModel {
    let (agent_external_id, agent_name) = participant_columns(new.agent.as_ref());
    let (customer_external_id, customer_name) = customer_columns(&new.customer);
    ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        id: Set(new.id.as_str().to_owned()),
        external_id: Set(new.external_id.as_str().to_owned()),
        agent_external_id: Set(agent_external_id),
        agent_name: Set(agent_name),
        customer_external_id: Set(customer_external_id),
        customer_name: Set(customer_name),
        metadata: Set(new.metadata.as_ref().map(metadata_text)),
        started_at: Set(new.started_at.as_micros()),
        created_at: Set(at.as_micros()),
        updated_at: Set(at.as_micros()),
    }
}

fn changed_columns(changes: &Changes, at: Timestamp) -> ActiveModel {
    let (agent_external_id, agent_name) = match &changes.agent {
        Change::Keep => (NotSet, NotSet),
        Change::Clear => (Set(None), Set(None)),
        Change::Set(agent) => {
            let (external_id, name) = participant_columns(Some(agent));
            (Set(external_id), Set(name))
        }
    };
    let metadata = match &changes.metadata {
        Change::Keep => NotSet,
        Change::Clear => Set(None),
        Change::Set(metadata) => Set(Some(metadata_text(metadata))),
    };
    let (customer_external_id, customer_name) = customer_columns(&changes.customer);
    ActiveModel {
        agent_external_id,
        agent_name,
        customer_external_id: Set(customer_external_id),
        customer_name: Set(customer_name),
        metadata,
        updated_at: Set(at.as_micros()),
        ..ActiveModel::default()
    }
}

fn participant_columns(participant: Option<&Participant>) -> (Option<String>, Option<String>) {
    participant.map(customer_columns).map_or((None, None), |(external_id, name)| (Some(external_id), name))
}

fn customer_columns(participant: &Participant) -> (String, Option<String>) {
    let name = participant.name.as_ref().map(|name| name.as_str().to_owned());
    (participant.external_id.as_str().to_owned(), name)
}

fn metadata_text(metadata: &Metadata) -> String {
    // A map of strings to strings always has a JSON form.
    serde_json::to_string(metadata.pairs()).unwrap_or_default()
}

/// A conversation from the columns of the statements above.
pub(crate) fn restore(row: &(impl Columns + ?Sized)) -> Result<Conversation, Unread> {
    let id = row.text(0)?;
    let broken = |column| move |broken: Violation| corrupt(TABLE, column, id, broken);
    let agent = match (row.optional_text(2)?, row.optional_text(3)?) {
        (Some(external_id), name) => Some(participant(external_id, name, ["agent_external_id", "agent_name"], id)?),
        (None, None) => None,
        (None, Some(_)) => return Err(corrupt(TABLE, "agent_external_id", id, "is missing beside a name").into()),
    };
    let customer_columns = ["customer_external_id", "customer_name"];
    Ok(Conversation {
        id: ConversationId::parse(id).map_err(broken("id"))?,
        external_id: ExternalId::parse(row.text(1)?).map_err(broken("external_id"))?,
        agent,
        customer: participant(row.text(4)?, row.optional_text(5)?, customer_columns, id)?,
        metadata: row.optional_text(6)?.map(|text| restore_metadata(text, id)).transpose()?,
        started_at: Timestamp::from_micros(row.integer(7)?)
            .map_err(|broken| corrupt(TABLE, "started_at", id, broken))?,
    })
}

fn participant(
    external_id: &str,
    name: Option<&str>,
    columns: [&'static str; 2],
    row: &str,
) -> Result<Participant, StoreError> {
    let [external_id_column, name_column] = columns;
    Ok(Participant {
        external_id: ExternalId::parse(external_id)
            .map_err(|broken| corrupt(TABLE, external_id_column, row, broken))?,
        name: name.map(DisplayName::parse).transpose().map_err(|broken| corrupt(TABLE, name_column, row, broken))?,
    })
}

fn restore_metadata(text: &str, row: &str) -> Result<Metadata, StoreError> {
    // The parser's own message would repeat a part of the text.
    let pairs = serde_json::from_str(text).map_err(|_| corrupt(TABLE, "metadata", row, "not a map of texts"))?;
    Metadata::parse(pairs).map_err(|broken| corrupt(TABLE, "metadata", row, broken))
}
