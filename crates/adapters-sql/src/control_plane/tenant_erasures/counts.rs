//! How many objects of a tenant are stored, and how many were erased, by place.

use std::{collections::BTreeMap, fmt::Write};

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    privacy::{ErasurePlace, PlaceCount, ReceiptWord},
};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};

use crate::{
    Database,
    control_plane::statements::{execute, sql_count, statement},
    error::corrupt,
    subject_data::tables_of_tenants,
};

const TABLE: &str = "tenant_erasure_counts";

/// The rows that one statement counts, except for rows with the same first column of the key.
const ROWS_PER_COUNT: i64 = 20_000;

const ADD: &str = "INSERT INTO tenant_erasure_counts (tenant_id, place, count) VALUES ($1, $2, $3)
    ON CONFLICT (tenant_id, place) DO UPDATE SET count = tenant_erasure_counts.count + excluded.count";

const ERASED: &str = "SELECT place, count FROM tenant_erasure_counts WHERE tenant_id = $1 ORDER BY place";

/// Adds to a count of the erasure.
pub(super) async fn add<C: ConnectionTrait>(
    db: &C,
    tenant: &TenantId,
    place: ErasurePlace,
    count: u64,
) -> Result<(), DbErr> {
    execute(db, ADD, [tenant.as_str().into(), place.as_str().into(), sql_count(count)]).await.map(|_| ())
}

/// The number of objects that were erased in each place.
pub(super) async fn erased(database: &Database, tenant: &TenantId) -> Result<Vec<PlaceCount>, StoreError> {
    let rows = database.read(async |db| {
        let rows = db.query_all_raw(statement(db, ERASED, [tenant.as_str().into()])).await?;
        let read = |row: &QueryResult| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?));
        rows.iter().map(read).collect::<Result<Vec<(String, i64)>, DbErr>>()
    });
    rows.await?
        .into_iter()
        .map(|(place, count)| {
            let word = ReceiptWord::parse(&*place).map_err(|error| corrupt(TABLE, "place", tenant.as_str(), error))?;
            Ok(PlaceCount { place: word, count: u64::try_from(count).unwrap_or_default() })
        })
        .collect()
}

/// The number of objects of the tenant in each place that has any.
pub(super) async fn count_stored(database: &Database, tenant: &TenantId) -> Result<Vec<PlaceCount>, StoreError> {
    let mut counts: BTreeMap<ErasurePlace, u64> = BTreeMap::new();
    for (name, table) in tables_of_tenants() {
        let Some(place) = table.place else { continue };
        let count = count_table(database, tenant, name, table.key.first().copied()).await?;
        if count > 0 {
            *counts.entry(place).or_default() += count;
        }
    }
    counts.into_iter().map(|(place, count)| place.with_count(count)).collect()
}

/// The number of rows of the tenant in a table, whose key goes on with this column. Each statement counts a bounded range of
/// that column.
async fn count_table(
    database: &Database,
    tenant: &TenantId,
    table: &str,
    column: Option<&str>,
) -> Result<u64, StoreError> {
    let Some(column) = column else {
        return count(
            database,
            &format!("SELECT count(*) FROM {table} WHERE tenant_id = $1"),
            &[tenant.as_str().into()],
        )
        .await;
    };
    let (mut total, mut after) = (0_u64, None);
    loop {
        let end = range_end(database, tenant, (table, column), after.as_ref()).await?;
        let mut values: Vec<Value> = vec![tenant.as_str().into()];
        let mut sql = format!("SELECT count(*) FROM {table} WHERE tenant_id = $1");
        for (bound, comparison) in [(after, ">"), (end.clone(), "<=")] {
            let Some(bound) = bound else { continue };
            values.push(bound);
            // Writing to a String cannot fail.
            let _ = write!(sql, " AND {column} {comparison} ${}", values.len());
        }
        total = total.saturating_add(count(database, &sql, &values).await?);
        if end.is_none() {
            return Ok(total);
        }
        after = end;
    }
}

/// The value of the column at which a range of rows ends; `None` if it has all rows that are left.
async fn range_end(
    database: &Database,
    tenant: &TenantId,
    (table, column): (&str, &str),
    after: Option<&Value>,
) -> Result<Option<Value>, StoreError> {
    let mut values: Vec<Value> = vec![tenant.as_str().into(), (ROWS_PER_COUNT - 1).into()];
    values.extend(after.cloned());
    let bound = if after.is_some() { format!(" AND {column} > $3") } else { String::new() };
    let sql = format!("SELECT {column} FROM {table} WHERE tenant_id = $1{bound} ORDER BY {column} LIMIT 1 OFFSET $2");
    let end = database.read(async |db| {
        let row = db.query_one_raw(statement(db, &sql, values.iter().cloned())).await?;
        row.as_ref().map(key_value).transpose()
    });
    end.await
}

/// The value of a key, which is a text, a number, or bytes.
fn key_value(row: &QueryResult) -> Result<Value, DbErr> {
    row.try_get_by_index::<String>(0)
        .map(Value::from)
        .or_else(|_| row.try_get_by_index::<i64>(0).map(Value::from))
        .or_else(|_| row.try_get_by_index::<Vec<u8>>(0).map(Value::from))
}

async fn count(database: &Database, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
    let count = database.read(async |db| {
        let row = db.query_one_raw(statement(db, sql, values.iter().cloned())).await?;
        row.map_or(Ok(0), |row| row.try_get_by_index::<i64>(0))
    });
    Ok(u64::try_from(count.await?).unwrap_or_default())
}
