//! The message store in SQL.

mod append_row;
mod copy_in;
mod find;
mod find_all;
mod neighbours;
mod postgres;
mod postgres_reads;
pub(crate) mod precondition;
mod range_query;
mod rows;
mod sqlite;
pub(crate) mod statement;

pub(crate) use append_row::AppendRow;
use neighbours::NeighbourQueries;
pub(crate) use postgres::{OptimisticInsert, append_on_postgres, insert_all_on_postgres};
pub(crate) use sqlite::{append_on_sqlite, insert_all_on_sqlite};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    id::{ConversationId, MessageId},
    message::{AppendBatch, AppendOutcome, Message, MessagePage, MessagePosition, MessageStore, Neighbours, PageLimit},
    redaction::{MAX_CONTEXT, MAX_NUMBER_RUN},
};
use range_query::{MAX_SHORT_READ, Side, sorted};
pub(crate) use range_query::{PageQuery, RangeQuery, ShortPageQuery};
pub(crate) use rows::{corrupt_member, restore_ref, role_to_number};

use crate::{Database, data_plane::write_job::DataWrite, database::NativeReader, engine::sqlite::Readers};

/// Stores messages in SQL.
#[derive(Clone, Debug)]
pub struct SqlMessages(Database);

impl SqlMessages {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }

    async fn read_newest(&self, query: RangeQuery) -> Result<Vec<Message>, StoreError> {
        let messages = match self.0.native_reader() {
            NativeReader::Sqlite(readers) => read_sqlite(readers, query).await?,
            NativeReader::Postgres(pools) => pools.load(query).await?.into_messages(),
        };
        Ok(sorted(messages))
    }
}

async fn read_sqlite(readers: &Readers, query: RangeQuery) -> Result<Vec<Message>, StoreError> {
    // A longer read runs on a blocking thread, because it would delay the other requests of the calling thread.
    let messages = readers.read(|connection| query.read_nearest(query.max_messages.min(MAX_SHORT_READ), connection))?;
    if messages.len() < MAX_SHORT_READ || query.max_messages == MAX_SHORT_READ {
        return Ok(messages);
    }
    readers.read_blocking(move |connection| query.read_sqlite(connection)).await
}

#[async_trait]
impl MessageStore for SqlMessages {
    #[tracing::instrument(level = "debug", name = "sql.messages.append", skip_all, fields(%tenant))]
    async fn append(&self, tenant: &TenantId, message: &Message) -> Result<AppendOutcome, StoreError> {
        self.0.writes().submit(AppendRow::single(tenant, message), DataWrite::Append).await
    }

    #[tracing::instrument(
        level = "debug", name = "sql.messages.append_batch", skip_all,
        fields(%tenant, messages = batch.messages.len())
    )]
    async fn append_batch(&self, tenant: &TenantId, batch: &AppendBatch) -> Result<AppendOutcome, StoreError> {
        self.0.writes().submit(AppendRow::from_batch(tenant, batch), DataWrite::Append).await
    }

    #[tracing::instrument(level = "debug", name = "sql.messages.find", skip_all, fields(%tenant))]
    async fn find(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        id: &MessageId,
    ) -> Result<Option<Message>, StoreError> {
        match self.0.native_reader() {
            NativeReader::Sqlite(readers) => find::find_on_sqlite(readers, tenant, conversation, id).await,
            NativeReader::Postgres(pools) => find::find_on_postgres(pools, tenant, conversation, id).await,
        }
    }

    #[tracing::instrument(
        level = "debug", name = "sql.messages.find_all", skip_all, fields(%tenant, positions = positions.len())
    )]
    async fn find_all(
        &self,
        tenant: &TenantId,
        positions: &[(ConversationId, MessagePosition)],
    ) -> Result<Vec<Option<Message>>, StoreError> {
        match self.0.native_reader() {
            NativeReader::Sqlite(readers) => find_all::find_all_on_sqlite(readers, tenant, positions).await,
            NativeReader::Postgres(pools) => find_all::find_all_on_postgres(pools, tenant, positions).await,
        }
    }

    #[tracing::instrument(level = "debug", name = "sql.messages.newest", skip_all, fields(%tenant))]
    async fn newest<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        before: Option<&'a MessagePosition>,
    ) -> Result<Vec<Message>, StoreError> {
        self.read_newest(RangeQuery::new(tenant, conversation, Side::Before, before, MAX_CONTEXT)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.messages.newest_run", skip_all, fields(%tenant))]
    async fn newest_run(&self, tenant: &TenantId, conversation: &ConversationId) -> Result<Vec<Message>, StoreError> {
        self.read_newest(RangeQuery::new(tenant, conversation, Side::Before, None, MAX_NUMBER_RUN)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.messages.page", skip_all, fields(%tenant))]
    async fn page<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        after: Option<&'a MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, StoreError> {
        let query = RangeQuery::new(tenant, conversation, Side::After, after, usize::from(limit.messages()) + 1);
        let query = query.with_page_bytes(limit.bytes());
        let messages = match self.0.native_reader() {
            NativeReader::Sqlite(readers) => read_sqlite(readers, query).await?,
            NativeReader::Postgres(pools) => postgres_reads::read_page(query, pools).await?,
        };
        Ok(MessagePage::from_messages(sorted(messages), limit))
    }

    #[tracing::instrument(
        level = "debug", name = "sql.messages.neighbours", skip_all,
        fields(%tenant, positions = positions.len())
    )]
    async fn neighbours(
        &self,
        tenant: &TenantId,
        positions: &[(ConversationId, MessagePosition)],
    ) -> Result<Vec<Neighbours>, StoreError> {
        let queries = NeighbourQueries::new(tenant, positions);
        match self.0.native_reader() {
            NativeReader::Sqlite(readers) => queries.read_sqlite(readers).await,
            NativeReader::Postgres(pools) => queries.read_postgres(pools).await,
        }
    }
}
