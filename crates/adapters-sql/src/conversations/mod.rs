//! Conversations in SQL.

mod due;
mod key;
pub(crate) mod statement;
mod stored;
mod write_postgres;
mod write_sqlite;

use async_trait::async_trait;
pub(crate) use due::{DueUpsert, Parts};
use key::By;
pub(crate) use key::Key;
use parlance_domain::{
    access::TenantId,
    conversation::{Conversation, ConversationStore, Upsert, Upserted},
    error::StoreError,
    id::ConversationId,
    retry::Claim,
    text::ExternalId,
    time::Timestamp,
};
pub(crate) use stored::restore;
use stored::restore_id;
pub(crate) use write_postgres::upsert_on_postgres;
pub(crate) use write_sqlite::upsert_on_sqlite;

use crate::{Database, database::Reading};

/// Keeps conversations in SQL.
#[derive(Clone, Debug)]
pub struct SqlConversations(Database);

impl SqlConversations {
    /// Keeps them in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }

    async fn read(&self, by: By, tenant: &TenantId, key: &str) -> Result<Option<Conversation>, StoreError> {
        match self.0.reading() {
            Reading::Sqlite(readers) => readers.read(|connection| {
                let mut statement = connection.prepare_cached(by.statement())?;
                let mut rows = statement.query((tenant.as_str(), key))?;
                rows.next()?.map(restore).transpose()
            }),
            Reading::Postgres(lanes) => lanes.ask(Key::new(by, tenant, key)).await,
        }
    }
}

#[async_trait]
impl ConversationStore for SqlConversations {
    async fn find(&self, tenant: &TenantId, id: &ConversationId) -> Result<Option<Conversation>, StoreError> {
        self.read(By::Id, tenant, id.as_str()).await
    }

    async fn find_by_external_id(
        &self,
        tenant: &TenantId,
        external_id: &ExternalId,
    ) -> Result<Option<Conversation>, StoreError> {
        self.read(By::ExternalId, tenant, external_id.as_str()).await
    }

    async fn upsert(
        &self,
        tenant: &TenantId,
        upsert: &Upsert,
        at: Timestamp,
        claim: Option<Claim>,
    ) -> Result<Upserted, StoreError> {
        let due = DueUpsert { tenant: tenant.clone(), upsert: upsert.clone(), at, claim };
        let id = self.0.group_commit().upsert(due).await?;
        id.map_or(Ok(Upserted::Repeated), |id| Ok(Upserted::Stored(restore_id(&id)?)))
    }
}
