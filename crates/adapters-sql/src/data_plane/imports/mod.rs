//! The store of imported conversations in SQL.

mod creation_row;
mod postgres;
mod sqlite;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    conversation::Upsert,
    error::StoreError,
    import::{CreateOutcome, ImportStore},
    message::Message,
    time::Timestamp,
};

pub(crate) use creation_row::CreationRow;
pub(crate) use postgres::create_all_on_postgres;
pub(crate) use sqlite::create_with_messages_on_sqlite;

use crate::{Database, data_plane::write_job::DataWrite};

/// Stores imported conversations in SQL.
#[derive(Clone, Debug)]
pub struct SqlImports(Database);

impl SqlImports {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl ImportStore for SqlImports {
    #[tracing::instrument(
        level = "debug", name = "sql.imports.create", skip_all, fields(%tenant, messages = messages.len())
    )]
    async fn create(
        &self,
        tenant: &TenantId,
        upsert: &Upsert,
        at: Timestamp,
        messages: &[Message],
    ) -> Result<CreateOutcome, StoreError> {
        let row = CreationRow::new(tenant, upsert, at, messages);
        self.0.writes().submit(row, |pending| DataWrite::Create(Box::new(pending))).await
    }
}
