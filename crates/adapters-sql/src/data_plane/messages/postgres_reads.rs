//! Reads messages on PostgreSQL, in batches. The database applies the byte limit of a page that is long or has long texts.

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
            range_query::{MAX_SHORT_READ, PageQuery, RangeQuery, ShortPage, ShortPageQuery, Side},
            rows::{TEXT_COLUMN, restore_into},
            statement::{AFTER_WITHOUT_LONG_TEXTS, PAGE_AFTER, sql_limit},
        },
        read_batchers::ReadBatchers,
    },
    engine::postgres::{BatchQuery, PerThreadPools, ReadBatcher},
    error::ReadError,
    row::Row,
};

/// The messages that a page needs, in any order. A short page is first read without long texts. Only if a text was left
/// out, the page is read again with the byte limit, because adding up the lengths of all texts costs the database a
/// quarter more.
pub(super) async fn read_page(
    query: RangeQuery,
    pools: &PerThreadPools<ReadBatchers>,
) -> Result<Vec<Message>, StoreError> {
    if query.max_messages <= MAX_SHORT_READ
        && let Some(messages) = pools.load(ShortPageQuery(query.clone())).await?.complete_messages()
    {
        return Ok(messages);
    }
    Ok(pools.load(PageQuery(query)).await?.into_messages())
}

// PostgreSQL does not guarantee the order of the rows.
impl BatchQuery for RangeQuery {
    type Output = MessageArena;
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
        bind_ranges(query, ranges.iter())
    }

    fn single_query(&self) -> Query<'_, Postgres, PgArguments> {
        bind_range(sqlx::query(self.statement()), self)
    }

    fn empty_output(&self) -> MessageArena {
        self.empty_arena(self.max_messages)
    }

    fn add_row(&self, row: &PgRow, arena: &mut MessageArena) -> Result<(), ReadError> {
        restore_into(row, &self.conversation, arena)
    }
}

impl BatchQuery for ShortPageQuery {
    type Output = ShortPage;
    type Batchers = ReadBatchers;

    fn batcher<'a>(&self, batchers: &'a ReadBatchers) -> &'a ReadBatcher<Self> {
        &batchers.short_pages_after
    }

    fn max_rows(&self) -> usize {
        self.0.max_messages
    }

    fn bind<'q>(query: Query<'q, Postgres, PgArguments>, pages: &'q [Self]) -> Query<'q, Postgres, PgArguments> {
        bind_ranges(query, pages.iter().map(|page| &page.0))
    }

    fn single_query(&self) -> Query<'_, Postgres, PgArguments> {
        bind_range(sqlx::query(AFTER_WITHOUT_LONG_TEXTS), &self.0)
    }

    fn empty_output(&self) -> ShortPage {
        ShortPage { messages: self.0.empty_output(), has_long_texts: false }
    }

    fn add_row(&self, row: &PgRow, page: &mut ShortPage) -> Result<(), ReadError> {
        if row.optional_bytes(TEXT_COLUMN)?.is_none() {
            page.has_long_texts = true;
            return Ok(());
        }
        self.0.add_row(row, &mut page.messages)
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
        bind_ranges(query, pages.iter().map(|page| &page.0))
            .bind(pages.iter().map(|page| sql_limit(page.0.page_bytes)).collect::<Vec<_>>())
    }

    fn single_query(&self) -> Query<'_, Postgres, PgArguments> {
        bind_range(sqlx::query(PAGE_AFTER), &self.0).bind(sql_limit(self.0.page_bytes))
    }

    fn empty_output(&self) -> MessageArena {
        self.0.empty_output()
    }

    fn add_row(&self, row: &PgRow, arena: &mut MessageArena) -> Result<(), ReadError> {
        self.0.add_row(row, arena)
    }
}

/// Binds the columns of ranges, each as one array.
fn bind_ranges<'q>(
    query: Query<'q, Postgres, PgArguments>,
    ranges: impl Iterator<Item = &'q RangeQuery> + Clone,
) -> Query<'q, Postgres, PgArguments> {
    query
        .bind(ranges.clone().map(|range| range.tenant.as_str()).collect::<Vec<_>>())
        .bind(ranges.clone().map(|range| range.conversation.as_str()).collect::<Vec<_>>())
        .bind(ranges.clone().map(|range| range.sent_at).collect::<Vec<_>>())
        .bind(ranges.clone().map(|range| range.id.as_str()).collect::<Vec<_>>())
        .bind(ranges.map(|range| sql_limit(range.max_messages)).collect::<Vec<_>>())
}

fn bind_range<'q>(query: Query<'q, Postgres, PgArguments>, range: &'q RangeQuery) -> Query<'q, Postgres, PgArguments> {
    query
        .bind(range.tenant.as_str())
        .bind(range.conversation.as_str())
        .bind(range.sent_at)
        .bind(range.id.as_str())
        .bind(sql_limit(range.max_messages))
}
