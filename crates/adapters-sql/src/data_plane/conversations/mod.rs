//! The conversation store in SQL.

mod lookup;
mod page_query;
mod page_reads;
pub(crate) mod page_statement;
mod page_values;
mod postgres;
mod postgres_reads;
mod rows;
mod sqlite;
pub(crate) mod statement;
mod upsert_row;

use async_trait::async_trait;
pub(crate) use lookup::ConversationLookup;
use lookup::LookupColumn;
use parlance_domain::{
    access::TenantId,
    conversation::{Conversation, ConversationPage, ConversationQuery, ConversationStore, Upsert, UpsertOutcome},
    error::StoreError,
    id::ConversationId,
    idempotency::Claim,
    text::ExternalId,
    time::Timestamp,
};
pub(crate) use postgres::{alone_or_split, create_on_postgres, is_refused_as_erased, upsert_on_postgres};
pub(crate) use rows::restore;
use rows::restore_id;
pub(crate) use sqlite::{create_on_sqlite, upsert_on_sqlite};
pub(crate) use upsert_row::{UpdateMask, UpsertRow, UpsertRowOutcome};

use crate::{Database, data_plane::write_job::DataWrite, database::NativeReader};

/// Stores conversations in SQL.
#[derive(Clone, Debug)]
pub struct SqlConversations(Database);

impl SqlConversations {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }

    async fn read(
        &self,
        column: LookupColumn,
        tenant: &TenantId,
        identifier: &str,
    ) -> Result<Option<Conversation>, StoreError> {
        match self.0.native_reader() {
            NativeReader::Sqlite(readers) => readers.read(|connection| {
                let mut statement = connection.prepare_cached(column.statement())?;
                let mut rows = statement.query((tenant.as_str(), identifier))?;
                rows.next()?.map(restore).transpose()
            }),
            NativeReader::Postgres(pools) => pools.load(ConversationLookup::new(column, tenant, identifier)).await,
        }
    }
}

#[async_trait]
impl ConversationStore for SqlConversations {
    #[tracing::instrument(level = "debug", name = "sql.conversations.find", skip_all, fields(%tenant))]
    async fn find(&self, tenant: &TenantId, id: &ConversationId) -> Result<Option<Conversation>, StoreError> {
        self.read(LookupColumn::Id, tenant, id.as_str()).await
    }

    #[tracing::instrument(level = "debug", name = "sql.conversations.find_all", skip_all, fields(%tenant))]
    async fn find_all(&self, tenant: &TenantId, ids: &[ConversationId]) -> Result<Vec<Conversation>, StoreError> {
        let lookups = |id: &ConversationId| ConversationLookup::new(LookupColumn::Id, tenant, id.as_str());
        match self.0.native_reader() {
            NativeReader::Sqlite(_) => {
                let mut found = Vec::with_capacity(ids.len());
                for id in ids {
                    found.extend(self.read(LookupColumn::Id, tenant, id.as_str()).await?);
                }
                Ok(found)
            }
            NativeReader::Postgres(pools) => {
                let lookups: Vec<_> = ids.iter().map(lookups).collect();
                Ok(pools.load_many(&lookups).await?.into_iter().flatten().collect())
            }
        }
    }

    #[tracing::instrument(level = "debug", name = "sql.conversations.find_by_external_id", skip_all, fields(%tenant))]
    async fn find_by_external_id(
        &self,
        tenant: &TenantId,
        external_id: &ExternalId,
    ) -> Result<Option<Conversation>, StoreError> {
        self.read(LookupColumn::ExternalId, tenant, external_id.as_str()).await
    }

    #[tracing::instrument(level = "debug", name = "sql.conversations.page", skip_all, fields(%tenant))]
    async fn page(&self, tenant: &TenantId, query: &ConversationQuery) -> Result<ConversationPage, StoreError> {
        match self.0.native_reader() {
            NativeReader::Sqlite(readers) => page_reads::read_sqlite(readers, tenant, query).await,
            NativeReader::Postgres(pools) => page_reads::read_postgres(pools, tenant, query).await,
        }
    }

    #[tracing::instrument(level = "debug", name = "sql.conversations.upsert", skip_all, fields(%tenant))]
    async fn upsert(
        &self,
        tenant: &TenantId,
        upsert: &Upsert,
        at: Timestamp,
        claim: Option<Claim>,
    ) -> Result<UpsertOutcome, StoreError> {
        let row = UpsertRow::new(tenant, upsert, at, claim);
        Ok(match self.0.writes().submit(row, DataWrite::Upsert).await? {
            UpsertRowOutcome::Stored(id) => UpsertOutcome::Stored(restore_id(&id)?),
            UpsertRowOutcome::KeyTaken => UpsertOutcome::KeyTaken,
            UpsertRowOutcome::Erased => UpsertOutcome::Erased,
        })
    }
}
