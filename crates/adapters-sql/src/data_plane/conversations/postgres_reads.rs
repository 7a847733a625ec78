//! Reads conversations on PostgreSQL, in batches.

use parlance_domain::conversation::Conversation;
use sea_orm::sqlx::{
    self, Postgres,
    postgres::{PgArguments, PgRow},
    query::Query,
};

use crate::{
    data_plane::{
        conversations::{
            lookup::{ConversationLookup, LookupColumn},
            rows::restore,
        },
        read_batchers::ReadBatchers,
    },
    engine::postgres::{BatchQuery, ReadBatcher},
    error::ReadError,
};

impl BatchQuery for ConversationLookup {
    type Output = Option<Conversation>;
    type Batchers = ReadBatchers;

    fn batcher<'a>(&self, batchers: &'a ReadBatchers) -> &'a ReadBatcher<Self> {
        match self.column {
            LookupColumn::Id => &batchers.conversation_by_id,
            LookupColumn::ExternalId => &batchers.conversation_by_external_id,
        }
    }

    fn max_rows(&self) -> usize {
        1
    }

    fn bind<'q>(query: Query<'q, Postgres, PgArguments>, lookups: &'q [Self]) -> Query<'q, Postgres, PgArguments> {
        query
            .bind(lookups.iter().map(|lookup| lookup.tenant.as_str()).collect::<Vec<_>>())
            .bind(lookups.iter().map(|lookup| &*lookup.identifier).collect::<Vec<_>>())
    }

    fn single_query(&self) -> Query<'_, Postgres, PgArguments> {
        sqlx::query(self.column.statement()).bind(self.tenant.as_str()).bind(&*self.identifier)
    }

    fn empty_output(&self) -> Option<Conversation> {
        None
    }

    fn add_row(&self, row: &PgRow, found: &mut Option<Conversation>) -> Result<(), ReadError> {
        *found = Some(restore(row)?);
        Ok(())
    }
}
