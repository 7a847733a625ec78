//! Drops old rows of the change log: a whole partition on PostgreSQL, a range of a tenant on SQLite.

use parlance_domain::{error::StoreError, time::Timestamp};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, Statement, Value};

use super::{
    partitions::expired_slots,
    statement::{DELETE_UP_TO, OLDEST_ROWS, RECORD_DROPPED, RECORD_DROPPED_OF_PARTITION, TENANT_WITH_OLD_ROWS},
};
use crate::Database;

/// The largest number of rows that one step deletes on SQLite, so that writers do not wait for long.
const STEP_ROWS: i64 = 1_000;

/// The longest time that a step waits for readers of a partition. Writers of the partition would wait as long, but a
/// partition that expires has none.
const SET_LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '500ms'";

/// Drops the rows of one step, and returns whether there may be more.
pub(super) async fn drop_before(database: &Database, cutoff: Timestamp) -> Result<bool, StoreError> {
    if let Some(now) = database.server_time().await? {
        let slots = database.read(async |db| slots_with_rows(db, &expired_slots(now, cutoff)).await).await?;
        let Some((slot, others)) = slots.split_first() else { return Ok(false) };
        database.write(drop_slot(database, *slot)).await?;
        return Ok(!others.is_empty());
    }
    database.write(drop_range(database, cutoff)).await
}

/// Those of the partitions that have rows.
async fn slots_with_rows(db: &DatabaseConnection, candidates: &[i64]) -> Result<Vec<i64>, DbErr> {
    let mut slots = Vec::new();
    for slot in candidates {
        let has_rows: Option<i32> = first_value(db, &format!("SELECT 1 FROM change_log_{slot} LIMIT 1"), []).await?;
        if has_rows.is_some() {
            slots.push(*slot);
        }
    }
    Ok(slots)
}

async fn drop_slot(database: &Database, slot: i64) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    transaction.execute_unprepared(SET_LOCK_TIMEOUT).await?;
    let partition = format!("change_log_{slot}");
    // Nobody appends between the record and the end of the rows.
    transaction.execute_unprepared(&format!("LOCK TABLE {partition} IN ACCESS EXCLUSIVE MODE")).await?;
    let record = RECORD_DROPPED_OF_PARTITION.replace("{PARTITION}", &partition);
    transaction.execute_raw(statement(&transaction, &record, [])).await?;
    transaction.execute_unprepared(&format!("TRUNCATE {partition}")).await?;
    transaction.commit().await
}

async fn drop_range(database: &Database, cutoff: Timestamp) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    let tenant: Option<String> = first_value(&transaction, TENANT_WITH_OLD_ROWS, [cutoff.as_micros().into()]).await?;
    let Some(tenant) = tenant else {
        transaction.rollback().await?;
        return Ok(false);
    };
    let oldest = statement(&transaction, OLDEST_ROWS, [tenant.as_str().into(), STEP_ROWS.into()]);
    let mut last: Option<[i64; 3]> = None;
    for row in transaction.query_all_raw(oldest).await? {
        if row.try_get_by_index::<i64>(3)? >= cutoff.as_micros() {
            break;
        }
        last = Some([row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?]);
    }
    if let Some([sequence, last_index, tag]) = last {
        let dropped = [tenant.as_str().into(), sequence.into(), last_index.into(), tag.into()];
        transaction.execute_raw(statement(&transaction, RECORD_DROPPED, dropped)).await?;
        let range = [tenant.as_str().into(), sequence.into()];
        transaction.execute_raw(statement(&transaction, DELETE_UP_TO, range)).await?;
    }
    transaction.commit().await?;
    Ok(true)
}

fn statement<const N: usize>(db: &impl ConnectionTrait, sql: &str, values: [Value; N]) -> Statement {
    Statement::from_sql_and_values(db.get_database_backend(), sql, values)
}

/// The first column of the first row.
async fn first_value<T: sea_orm::TryGetable, const N: usize>(
    db: &impl ConnectionTrait,
    sql: &str,
    values: [Value; N],
) -> Result<Option<T>, DbErr> {
    let row = db.query_one_raw(statement(db, sql, values)).await?;
    row.map(|row| row.try_get_by_index(0)).transpose()
}
