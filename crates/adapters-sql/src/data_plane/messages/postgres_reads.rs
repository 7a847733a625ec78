//! Reads messages on PostgreSQL, in batches. The database applies the byte limit of a page.

use parlance_domain::{
    error::StoreError,
    message::{Message, MessageArena},
};
use sea_orm::sqlx::{
    self, Postgres,
    postgres::{PgArguments, PgRow},
    query::Query,
};

use crate::{
    data_plane::{
        messages::{
            range_query::{PageQuery, RangeQuery, RangeResult, Side},
            rows::{TEXT_COLUMN, restore_into},
            statement::{AFTER_WITHOUT_LONG_TEXTS, BEFORE, PAGE_AFTER, sql_limit},
        },
        read_batchers::ReadBatchers,
    },
    engine::postgres::{BatchQuery, PerThreadPools, ReadBatcher},
    error::ReadError,
    row::Row,
};

/// The largest page that is first read without long texts. Only if a text was left out, the page is read again with the
/// byte limit, because adding up the lengths of all texts costs the database a quarter more.
const MAX_SHORT_PAGE: usize = 129;

/// The messages that a page needs, in any order.
pub(super) async fn read_page(
    query: RangeQuery,
    pools: &PerThreadPools<ReadBatchers>,
) -> Result<Vec<Message>, StoreError> {
    if query.max_messages <= MAX_SHORT_PAGE
        && let Some(messages) = pools.load(query.clone()).await?.complete_messages()
    {
        return Ok(messages);
    }
    Ok(pools.load(PageQuery(query)).await?.into_messages())
}

// PostgreSQL does not guarantee the order of the rows.
impl BatchQuery for RangeQuery {
    type Output = RangeResult;
    type Batchers = ReadBatchers;

    fn batcher<'a>(&self, batchers: &'a ReadBatchers) -> &'a ReadBatcher<Self> {
        match self.side {
            Side::Before => &batchers.messages_before,
            Side::After => &batchers.messages_after,
        }
    }

    fn max_rows(&self) -> usize {
        self.max_messages
    }

    fn bind<'q>(query: Query<'q, Postgres, PgArguments>, ranges: &'q [Self]) -> Query<'q, Postgres, PgArguments> {
        query
            .bind(ranges.iter().map(|range| range.tenant.as_str()).collect::<Vec<_>>())
            .bind(ranges.iter().map(|range| range.conversation.as_str()).collect::<Vec<_>>())
            .bind(ranges.iter().map(|range| range.sent_at).collect::<Vec<_>>())
            .bind(ranges.iter().map(|range| range.id.as_str()).collect::<Vec<_>>())
            .bind(ranges.iter().map(|range| sql_limit(range.max_messages)).collect::<Vec<_>>())
    }

    fn single_query(&self) -> Query<'_, Postgres, PgArguments> {
        let statement = match self.side {
            Side::Before => BEFORE,
            Side::After => AFTER_WITHOUT_LONG_TEXTS,
        };
        sqlx::query(statement)
            .bind(self.tenant.as_str())
            .bind(self.conversation.as_str())
            .bind(self.sent_at)
            .bind(self.id.as_str())
            .bind(sql_limit(self.max_messages))
    }

    fn empty_output(&self) -> RangeResult {
        RangeResult { messages: self.empty_arena(self.max_messages), has_long_texts: false }
    }

    fn add_row(&self, row: &PgRow, result: &mut RangeResult) -> Result<(), ReadError> {
        if row.optional_bytes(TEXT_COLUMN)?.is_none() {
            result.has_long_texts = true;
            return Ok(());
        }
        restore_into(row, &self.conversation, &mut result.messages)
    }
}

impl BatchQuery for PageQuery {
    type Output = MessageArena;
    type Batchers = ReadBatchers;

    fn batcher<'a>(&self, batchers: &'a ReadBatchers) -> &'a ReadBatcher<Self> {
        &batchers.pages_after
    }

    fn max_rows(&self) -> usize {
        self.0.max_messages
    }

    fn bind<'q>(query: Query<'q, Postgres, PgArguments>, pages: &'q [Self]) -> Query<'q, Postgres, PgArguments> {
        query
            .bind(pages.iter().map(|page| page.0.tenant.as_str()).collect::<Vec<_>>())
            .bind(pages.iter().map(|page| page.0.conversation.as_str()).collect::<Vec<_>>())
            .bind(pages.iter().map(|page| page.0.sent_at).collect::<Vec<_>>())
            .bind(pages.iter().map(|page| page.0.id.as_str()).collect::<Vec<_>>())
            .bind(pages.iter().map(|page| sql_limit(page.0.max_messages)).collect::<Vec<_>>())
            .bind(pages.iter().map(|page| sql_limit(page.0.page_bytes)).collect::<Vec<_>>())
    }

    fn single_query(&self) -> Query<'_, Postgres, PgArguments> {
        sqlx::query(PAGE_AFTER)
            .bind(self.0.tenant.as_str())
            .bind(self.0.conversation.as_str())
            .bind(self.0.sent_at)
            .bind(self.0.id.as_str())
            .bind(sql_limit(self.0.max_messages))
            .bind(sql_limit(self.0.page_bytes))
    }

    fn empty_output(&self) -> MessageArena {
        self.0.empty_arena(self.0.max_messages)
    }

    fn add_row(&self, row: &PgRow, arena: &mut MessageArena) -> Result<(), ReadError> {
        restore_into(row, &self.0.conversation, arena)
    }
}
