//! Conversations in SQL.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    conversation::{
        Change, Changes, Commit, Conversation, ConversationStore, ConversationWrite, Metadata, Participant,
    },
    error::StoreError,
    id::ConversationId,
    text::{DisplayName, ExternalId},
    time::Timestamp,
};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, EntityTrait, QueryFilter, Select, TryInsertResult,
};

use crate::{
    Database,
    entity::conversation::{ActiveModel, Column, Entity, Model},
    error::{call, corrupt},
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

    async fn create(&self, tenant: &TenantId, new: &Conversation, at: Timestamp) -> Result<Commit, StoreError> {
        let taken = [Column::TenantId, Column::ExternalId];
        let insert = Entity::insert(row(tenant, new, at)).on_conflict_do_nothing_on(taken);
        match call(insert.exec_without_returning(self.0.writer())).await? {
            TryInsertResult::Inserted(1..) => Ok(Commit::Committed),
            TryInsertResult::Inserted(0) | TryInsertResult::Conflicted | TryInsertResult::Empty => {
                Ok(Commit::Superseded)
            }
        }
    }

    async fn update(
        &self,
        tenant: &TenantId,
        id: &ConversationId,
        changes: &Changes,
        at: Timestamp,
    ) -> Result<Commit, StoreError> {
        let update = Entity::update_many()
            .set(changed_columns(changes, at))
            .filter(Column::TenantId.eq(tenant.as_str()))
            .filter(Column::Id.eq(id.as_str()));
        let updated = call(update.exec(self.0.writer())).await?;
        Ok(if updated.rows_affected == 1 { Commit::Committed } else { Commit::Superseded })
    }
}

/// The one way to this table: a tenant's rows.
fn of(tenant: &TenantId) -> Select<Entity> {
    Entity::find().filter(Column::TenantId.eq(tenant.as_str()))
}

#[async_trait]
impl ConversationStore for SqlConversations {
    async fn find(&self, tenant: &TenantId, id: &ConversationId) -> Result<Option<Conversation>, StoreError> {
        let query = of(tenant).filter(Column::Id.eq(id.as_str()));
        call(query.one(self.0.reader())).await?.map(restore).transpose()
    }

    async fn find_by_external_id(
        &self,
        tenant: &TenantId,
        external_id: &ExternalId,
    ) -> Result<Option<Conversation>, StoreError> {
        let query = of(tenant).filter(Column::ExternalId.eq(external_id.as_str()));
        call(query.one(self.0.reader())).await?.map(restore).transpose()
    }

    async fn commit(&self, tenant: &TenantId, write: &ConversationWrite, at: Timestamp) -> Result<Commit, StoreError> {
        match write {
            ConversationWrite::Create(new) => self.create(tenant, new, at).await,
            ConversationWrite::Update { id, changes } => self.update(tenant, id, changes, at).await,
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

pub(crate) fn restore(row: Model) -> Result<Conversation, StoreError> {
    let Model { id, external_id, agent_external_id, agent_name, customer_external_id, customer_name, .. } = row;
    let agent = match (agent_external_id, agent_name) {
        (Some(external_id), name) => Some(participant(external_id, name, ["agent_external_id", "agent_name"], &id)?),
        (None, None) => None,
        (None, Some(_)) => return Err(corrupt(TABLE, "agent_external_id", &id, "is missing beside a name")),
    };
    let customer_names = ["customer_external_id", "customer_name"];
    Ok(Conversation {
        id: ConversationId::parse(&id).map_err(|broken| corrupt(TABLE, "id", &id, broken))?,
        external_id: ExternalId::parse(external_id).map_err(|broken| corrupt(TABLE, "external_id", &id, broken))?,
        agent,
        customer: participant(customer_external_id, customer_name, customer_names, &id)?,
        metadata: row.metadata.map(|text| restore_metadata(&text, &id)).transpose()?,
        started_at: Timestamp::from_micros(row.started_at)
            .map_err(|broken| corrupt(TABLE, "started_at", &id, broken))?,
    })
}

fn participant(
    external_id: String,
    name: Option<String>,
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
