//! Reads the neighbours of positions, which can be in many conversations, with few statements.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    id::ConversationId,
    message::{Message, MessageArena, MessagePosition, Neighbours},
    redaction::MAX_CONTEXT,
};
use rusqlite::Connection;

use crate::{
    data_plane::{
        messages::range_query::{RangeQuery, Side, sorted},
        read_batchers::ReadBatchers,
    },
    engine::{postgres::PerThreadPools, sqlite::Readers},
};

/// The queries for the messages before and after each position.
pub(super) struct NeighbourQueries {
    before: Vec<RangeQuery>,
    after: Vec<RangeQuery>,
}

impl NeighbourQueries {
    pub(super) fn new(tenant: &TenantId, positions: &[(ConversationId, MessagePosition)]) -> Self {
        let queries = |side| {
            let query =
                |(conversation, position): &_| RangeQuery::new(tenant, conversation, side, Some(position), MAX_CONTEXT);
            positions.iter().map(query).collect()
        };
        Self { before: queries(Side::Before), after: queries(Side::After) }
    }

    /// Reads on SQLite: one statement per query, on a blocking thread.
    pub(super) async fn read_sqlite(self, readers: &Readers) -> Result<Vec<Neighbours>, StoreError> {
        let read = move |connection: &Connection| {
            let read = |queries: &[RangeQuery]| {
                queries.iter().map(|query| query.read_sqlite(connection)).collect::<Result<Vec<_>, _>>()
            };
            Ok((read(&self.before)?, read(&self.after)?))
        };
        let (before, after) = readers.read_blocking(read).await?;
        Ok(zip_neighbours(before, after))
    }

    /// Reads on PostgreSQL: one statement for the messages before the positions, and one for the messages after them.
    pub(super) async fn read_postgres(
        self,
        pools: &PerThreadPools<ReadBatchers>,
    ) -> Result<Vec<Neighbours>, StoreError> {
        let (before, after) = (pools.load_many(&self.before), pools.load_many(&self.after));
        let messages = |arenas: Vec<MessageArena>| arenas.into_iter().map(MessageArena::into_messages).collect();
        Ok(zip_neighbours(messages(before.await?), messages(after.await?)))
    }
}

fn zip_neighbours(before: Vec<Vec<Message>>, after: Vec<Vec<Message>>) -> Vec<Neighbours> {
    let neighbours = |(before, after)| Neighbours { before: sorted(before), after: sorted(after) };
    before.into_iter().zip(after).map(neighbours).collect()
}
