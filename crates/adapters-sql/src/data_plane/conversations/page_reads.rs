//! Runs the statements of a page of conversations on either database.

use parlance_domain::{
    access::TenantId,
    conversation::{ConversationIndex, ConversationPage, ConversationQuery},
    error::StoreError,
};
use rusqlite::Connection;
use sea_orm::sqlx::{self, postgres::PgRow};

use super::{
    page_query::{BoundStatement, FoundRows, PageQuery, Probes},
    page_statement::{POSTGRES, SQLITE},
    page_values::PairForm,
};
use crate::{
    data_plane::read_batchers::ReadBatchers,
    engine::{postgres::PerThreadPools, sqlite::Readers},
    error::ReadError,
    row::Row,
};

/// The column with the number of a row in the order of reading, on PostgreSQL.
const NUMBER_COLUMN: usize = 9;

/// Reads a page on SQLite, on a thread that may block.
pub(super) async fn read_sqlite(
    readers: &Readers,
    tenant: &TenantId,
    query: &ConversationQuery,
) -> Result<ConversationPage, StoreError> {
    let page = PageQuery::new(tenant, query, PairForm::Text);
    readers.read_blocking(move |connection| read_on_connection(connection, page)).await
}

fn read_on_connection(connection: &Connection, page: PageQuery) -> Result<ConversationPage, ReadError> {
    let mut probes = Probes::default();
    for index in page.indexes_to_probe() {
        let (mut count, mut identifiers) = (0, Vec::new());
        for_each_row(connection, &page.probe(index, &SQLITE), |row| {
            add_probe(row, is_list(index), &mut count, &mut identifiers)?;
            Ok(false)
        })?;
        if !page.record(&mut probes, index, count, identifiers) {
            break;
        }
    }
    let (statement, max_rows) = page.read(probes, &SQLITE);
    let (mut number, mut rows) = (0, FoundRows::default());
    for_each_row(connection, &statement, |row| {
        number += 1;
        page.add(row, number, max_rows, &mut rows)
    })?;
    Ok(page.into_page(rows))
}

/// Calls `add` with each row until it returns true.
fn for_each_row(
    connection: &Connection,
    statement: &BoundStatement,
    mut add: impl FnMut(&rusqlite::Row<'_>) -> Result<bool, ReadError>,
) -> Result<(), ReadError> {
    let mut prepared = connection.prepare_cached(statement.sql)?;
    for (number, value) in (1..).zip(&statement.values) {
        // SQLite numbers the parameters as they occur.
        if let Some(index) = prepared.parameter_index(&format!("${number}"))? {
            prepared.raw_bind_parameter(index, value)?;
        }
    }
    let mut rows = prepared.raw_query();
    while let Some(row) = rows.next()? {
        if add(row)? {
            break;
        }
    }
    Ok(())
}

/// Reads a page on PostgreSQL.
pub(super) async fn read_postgres(
    pools: &PerThreadPools<ReadBatchers>,
    tenant: &TenantId,
    query: &ConversationQuery,
) -> Result<ConversationPage, StoreError> {
    let page = PageQuery::new(tenant, query, PairForm::Digest);
    let mut probes = Probes::default();
    for index in page.indexes_to_probe() {
        let add = |row: &PgRow, (count, identifiers): &mut (usize, Vec<String>)| {
            add_probe(row, is_list(index), count, identifiers)
        };
        let (count, identifiers) = fold(pools, page.probe(index, &POSTGRES), add).await?;
        if !page.record(&mut probes, index, count, identifiers) {
            break;
        }
    }
    let (statement, max_rows) = page.read(probes, &POSTGRES);
    let add = |row: &PgRow, rows: &mut FoundRows| {
        let number = usize::try_from(row.integer(NUMBER_COLUMN)?).unwrap_or(usize::MAX);
        page.add(row, number, max_rows, rows).map(drop)
    };
    let rows = fold(pools, statement, add).await?;
    Ok(page.into_page(rows))
}

async fn fold<T: Default>(
    pools: &PerThreadPools<ReadBatchers>,
    statement: BoundStatement,
    add: impl Fn(&PgRow, &mut T) -> Result<(), ReadError>,
) -> Result<T, StoreError> {
    let query = || statement.values.iter().fold(sqlx::query(statement.sql), |query, value| value.clone().bind(query));
    pools.fold(query, add).await
}

/// Whether a probe of this index lists identifiers, and does not count.
fn is_list(index: ConversationIndex) -> bool {
    index == ConversationIndex::Updated
}

fn add_probe(row: &impl Row, is_list: bool, count: &mut usize, identifiers: &mut Vec<String>) -> Result<(), ReadError> {
    if is_list {
        identifiers.push(row.text(0)?.to_owned());
    } else {
        *count = usize::try_from(row.integer(0)?).unwrap_or_default();
    }
    Ok(())
}
