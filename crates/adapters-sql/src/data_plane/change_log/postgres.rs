//! Reads the change log on PostgreSQL, up to the watermark: below the numbers that open transactions have announced.

use std::time::Duration;

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{LogPosition, LogStatus},
};
use sea_orm::sqlx::{self, postgres::PgRow};

use super::{
    partitions::LOCK_CLASS,
    rows::{LogRow, restore_position},
    rows_read::RowsRead,
    statement::{ALL_WITH_ENTRIES, LAST_DROPPED, NEWEST_UP_TO, OLDEST_TRANSACTION, ROWS_BETWEEN, WATERMARK},
};
use crate::{
    data_plane::{messages::statement::sql_limit, read_batchers::ReadBatchers},
    engine::postgres::PerThreadPools,
    error::ReadError,
    row::Row,
};

type Pools = PerThreadPools<ReadBatchers>;

/// The greatest number that readers may pass, and the last number that was taken.
#[derive(Default)]
struct Watermark {
    complete_up_to: i64,
    head: i64,
}

async fn watermark(pools: &Pools) -> Result<Watermark, StoreError> {
    let query = || sqlx::query(WATERMARK).bind(i64::from(LOCK_CLASS));
    let add = |row: &PgRow, watermark: &mut Watermark| {
        *watermark = Watermark { complete_up_to: row.integer(0)?, head: row.integer(1)? };
        Ok(())
    };
    pools.fold(query, add).await
}

/// The rows are read after the watermark, and the last dropped event after the rows. A partition that is emptied between
/// the statements is then not mistaken for one without rows.
///
/// A transaction reads the last number and then takes its lock. Readers can pass that number between the two, so the
/// watermark can be below a position that was read. The row of the position is complete all the same, and without it the
/// position would be unknown.
pub(super) async fn rows(
    pools: &Pools,
    tenant: &TenantId,
    after: LogPosition,
    limit: usize,
) -> Result<RowsRead, StoreError> {
    let complete_up_to = watermark(pools).await?.complete_up_to.max(after.sequence);
    let max_rows = sql_limit(limit.saturating_add(1));
    let query =
        || sqlx::query(ROWS_BETWEEN).bind(tenant.as_str()).bind(after.sequence).bind(max_rows).bind(complete_up_to);
    let add = |row: &PgRow, rows: &mut Vec<LogRow>| {
        rows.push(LogRow::restore(row, tenant)?);
        Ok(())
    };
    let rows = pools.fold(query, add).await?;
    Ok(RowsRead { rows, last_dropped: last_dropped(pools, tenant).await? })
}

pub(super) async fn newest(pools: &Pools, tenant: &TenantId) -> Result<Option<LogPosition>, StoreError> {
    let complete_up_to = watermark(pools).await?.complete_up_to;
    let query = || sqlx::query(NEWEST_UP_TO).bind(tenant.as_str()).bind(complete_up_to);
    pools.fold(query, |row, found| restore(row, tenant, found)).await
}

pub(super) async fn last_dropped(pools: &Pools, tenant: &TenantId) -> Result<Option<LogPosition>, StoreError> {
    let query = || sqlx::query(LAST_DROPPED).bind(tenant.as_str());
    pools.fold(query, |row, found| restore(row, tenant, found)).await
}

fn restore(row: &PgRow, tenant: &TenantId, found: &mut Option<LogPosition>) -> Result<(), ReadError> {
    *found = Some(restore_position(row, tenant)?);
    Ok(())
}

pub(super) async fn has_entries(pools: &Pools, positions: &[(TenantId, LogPosition)]) -> Result<Vec<bool>, StoreError> {
    let complete_up_to = watermark(pools).await?.complete_up_to;
    let tenants: Vec<_> = positions.iter().map(|(tenant, _)| tenant.as_str()).collect();
    let sequences: Vec<_> = positions.iter().map(|(_, at)| at.sequence).collect();
    let indices: Vec<_> = positions.iter().map(|(_, at)| i64::from(at.index)).collect();
    let query = || {
        sqlx::query(ALL_WITH_ENTRIES)
            .bind(tenants.as_slice())
            .bind(sequences.as_slice())
            .bind(indices.as_slice())
            .bind(complete_up_to)
    };
    let add = |row: &PgRow, numbers: &mut Vec<i64>| {
        numbers.push(row.integer(0)?);
        Ok(())
    };
    let numbers = pools.fold(query, add).await?;
    Ok((1..).zip(positions).map(|(number, _)| numbers.contains(&number)).collect())
}

pub(super) async fn status(pools: &Pools) -> Result<LogStatus, StoreError> {
    let Watermark { complete_up_to, head } = watermark(pools).await?;
    let query = || sqlx::query(OLDEST_TRANSACTION).bind(i64::from(LOCK_CLASS));
    let add = |row: &PgRow, age: &mut Option<i64>| {
        *age = row.optional_integer(0)?;
        Ok(())
    };
    let age = pools.fold(query, add).await?.and_then(|micros| u64::try_from(micros).ok());
    let oldest_open_transaction = age.map(Duration::from_micros);
    Ok(LogStatus { head, watermark_lag: head.saturating_sub(complete_up_to), oldest_open_transaction })
}
