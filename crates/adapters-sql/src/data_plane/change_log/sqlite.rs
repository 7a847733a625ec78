//! Reads the change log on SQLite. Each read is one snapshot, so no row is dropped while it runs.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{LogPosition, LogStatus},
};
use rusqlite::{Connection, OptionalExtension, params};

use super::{
    rows::{LogRow, restore_position},
    rows_read::RowsRead,
    statement::{HAS_ENTRIES, HEAD, LAST_DROPPED, NEWEST, ROWS_FROM},
};
use crate::{data_plane::messages::statement::sql_limit, engine::sqlite::Readers, error::ReadError};

pub(super) async fn rows(
    readers: &Readers,
    tenant: &TenantId,
    after: LogPosition,
    limit: usize,
) -> Result<RowsRead, StoreError> {
    let tenant = tenant.clone();
    // The row of the position is read too.
    let max_rows = sql_limit(limit.saturating_add(1));
    let read = move |connection: &Connection| {
        let mut statement = connection.prepare_cached(ROWS_FROM)?;
        let mut found = statement.query(params![tenant.as_str(), after.sequence, max_rows])?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            rows.push(LogRow::restore(row, &tenant)?);
        }
        Ok(RowsRead { rows, last_dropped: position(connection, LAST_DROPPED, &tenant)? })
    };
    readers.read_blocking(read).await
}

pub(super) fn newest(readers: &Readers, tenant: &TenantId) -> Result<Option<LogPosition>, StoreError> {
    readers.read(|connection| position(connection, NEWEST, tenant))
}

pub(super) fn last_dropped(readers: &Readers, tenant: &TenantId) -> Result<Option<LogPosition>, StoreError> {
    readers.read(|connection| position(connection, LAST_DROPPED, tenant))
}

fn position(connection: &Connection, sql: &str, tenant: &TenantId) -> Result<Option<LogPosition>, ReadError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([tenant.as_str()])?;
    rows.next()?.map(|row| restore_position(row, tenant)).transpose()
}

pub(super) fn has_entries(readers: &Readers, positions: &[(TenantId, LogPosition)]) -> Result<Vec<bool>, StoreError> {
    readers.read(|connection| {
        let mut statement = connection.prepare_cached(HAS_ENTRIES)?;
        let mut has_entry = |(tenant, at): &(TenantId, LogPosition)| {
            // Before the first row, the index is that of no event.
            let index = if *at == LogPosition::START { -1 } else { i64::from(at.index) };
            Ok(statement.exists(params![tenant.as_str(), at.sequence, index])?)
        };
        positions.iter().map(&mut has_entry).collect()
    })
}

pub(super) fn status(readers: &Readers) -> Result<LogStatus, StoreError> {
    let head = readers.read(|connection| {
        Ok(connection.prepare_cached(HEAD)?.query_row([], |row| row.get(0)).optional()?.unwrap_or_default())
    })?;
    Ok(LogStatus { head, ..LogStatus::default() })
}
