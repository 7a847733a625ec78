//! Conversations in SQL.

mod due;
mod key;
pub(crate) mod statement;
mod stored;
mod write_postgres;
mod write_sqlite;

use async_trait::async_trait;
pub(crate) use due::DueWrite;
use key::By;
pub(crate) use key::Key;
use parlance_domain::{
    access::TenantId,
    conversation::{Commit, Conversation, ConversationStore, ConversationWrite},
    error::StoreError,
    id::ConversationId,
    retry::Receipt,
    text::ExternalId,
    time::Timestamp,
};
pub(crate) use stored::restore;
pub(crate) use write_postgres::write_to_postgres;
pub(crate) use write_sqlite::write_to_sqlite;

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

    async fn commit<'a>(
        &self,
        tenant: &TenantId,
        write: &ConversationWrite,
        at: Timestamp,
        receipt: Option<&'a Receipt>,
    ) -> Result<Commit, StoreError> {
        let due = DueWrite { tenant: tenant.clone(), write: write.clone(), at, receipt: receipt.cloned() };
        self.0.group_commit().write(due).await
    }
}
