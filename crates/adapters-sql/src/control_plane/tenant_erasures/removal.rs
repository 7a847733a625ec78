//! The removal of the rows of an erased tenant, a few at a time.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    privacy::{ErasurePlace, RemovedRows, TenantRemovalStep, TenantRows},
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Value};

use super::counts;
use crate::{
    Database,
    control_plane::{
        statements::{execute, statement},
        vocabularies::increment_version,
    },
    subject_data::{TenantRowKind, TenantTable, tables_of_tenants},
};

/// The rows that one step deletes from a table. A step must end long before the timeout of a call.
const ROWS_PER_STEP: i64 = 500;

/// The conversations that one step deletes. Their messages are gone but for those that arrived meanwhile.
const CONVERSATIONS_PER_STEP: i64 = 100;

/// Locks the conversations that a step deletes. A new message waits, because its foreign key locks the same row.
const LOCK_POSTGRES: &str = "SELECT 1 FROM conversations
    WHERE tenant_id = $1 AND id IN (SELECT id FROM conversations WHERE tenant_id = $1 ORDER BY id LIMIT $2) FOR UPDATE";

const DELETE_MESSAGES: &str = "DELETE FROM messages WHERE tenant_id = $1
    AND conversation_id IN (SELECT id FROM conversations WHERE tenant_id = $1 ORDER BY id LIMIT $2)";

const DELETE_CONVERSATIONS: &str = "DELETE FROM conversations WHERE tenant_id = $1
    AND id IN (SELECT id FROM conversations WHERE tenant_id = $1 ORDER BY id LIMIT $2)";

/// Deletes all records of switches. The function refuses a tenant that is not erased.
const DELETE_SWITCHES_POSTGRES: &str = "SELECT erase_switch_records_v1($1)";

/// Deletes some rows of the first table that has any, of those that the step does not leave out.
pub(super) async fn remove_some(
    database: &Database,
    tenant: &TenantId,
    step: TenantRemovalStep,
    at: Timestamp,
) -> Result<Option<RemovedRows>, StoreError> {
    let tables = tables_in_order(step.rows).into_iter().enumerate();
    for (emptied_tables, (name, table)) in tables.skip(step.emptied_tables) {
        let removed = database.write(remove_from(database, tenant, (name, table), at)).await?;
        if removed > 0 {
            let next = TenantRemovalStep { emptied_tables, ..step };
            return Ok(Some(RemovedRows { place: table.place, rows: removed, next }));
        }
    }
    Ok(None)
}

/// The tables of these rows. Messages come first, because conversations are deleted with the messages that are left. What is
/// derived from conversations and their messages comes last.
fn tables_in_order(rows: TenantRows) -> Vec<(&'static str, TenantTable)> {
    let rank = |(name, table): &(&str, TenantTable)| match table.kind {
        TenantRowKind::Derived if *name == "messages" => 0,
        TenantRowKind::Conversations => 1,
        TenantRowKind::Written | TenantRowKind::Vocabulary | TenantRowKind::Switches => 2,
        TenantRowKind::Derived => 3,
        TenantRowKind::Progress => 4,
    };
    let is_progress = |table: &TenantTable| table.kind == TenantRowKind::Progress;
    let wanted = |(_, table): &(&str, TenantTable)| is_progress(table) == (rows == TenantRows::Progress);
    let mut tables: Vec<_> = tables_of_tenants().filter(wanted).collect();
    tables.sort_by_key(rank);
    tables
}

/// Deletes some rows of a table, and counts those that have a place, in one transaction.
async fn remove_from(
    database: &Database,
    tenant: &TenantId,
    (name, table): (&'static str, TenantTable),
    at: Timestamp,
) -> Result<u64, DbErr> {
    let transaction = database.begin().await?;
    let removed = match table.kind {
        TenantRowKind::Conversations => remove_conversations(&transaction, tenant).await?,
        TenantRowKind::Switches => remove_switches(&transaction, tenant, (name, table)).await?,
        TenantRowKind::Vocabulary => {
            let removed = delete(&transaction, tenant, name, table.key).await?;
            if removed > 0 {
                increment_version(&transaction, tenant, at).await?;
            }
            removed
        }
        TenantRowKind::Derived | TenantRowKind::Written | TenantRowKind::Progress => {
            delete(&transaction, tenant, name, table.key).await?
        }
    };
    if removed == 0 {
        transaction.rollback().await?;
        return Ok(0);
    }
    if let Some(place) = table.place {
        counts::add(&transaction, tenant, place, removed).await?;
    }
    transaction.commit().await?;
    Ok(removed)
}

async fn delete(transaction: &DatabaseTransaction, tenant: &TenantId, table: &str, key: &[&str]) -> Result<u64, DbErr> {
    if key.is_empty() {
        let sql = format!("DELETE FROM {table} WHERE tenant_id = $1");
        return execute(transaction, &sql, [tenant.as_str().into()]).await;
    }
    let key = key.join(", ");
    let sql = format!(
        "DELETE FROM {table} WHERE tenant_id = $1 AND ({key}) IN (SELECT {key} FROM {table} WHERE tenant_id = $1 LIMIT $2)"
    );
    execute(transaction, &sql, [tenant.as_str().into(), ROWS_PER_STEP.into()]).await
}

async fn remove_conversations(transaction: &DatabaseTransaction, tenant: &TenantId) -> Result<u64, DbErr> {
    let values = || -> [Value; 2] { [tenant.as_str().into(), CONVERSATIONS_PER_STEP.into()] };
    // On SQLite, the transaction excludes all other writers.
    if transaction.get_database_backend() == DbBackend::Postgres {
        execute(transaction, LOCK_POSTGRES, values()).await?;
    }
    let messages = execute(transaction, DELETE_MESSAGES, values()).await?;
    if messages > 0 {
        counts::add(transaction, tenant, ErasurePlace::Messages, messages).await?;
    }
    execute(transaction, DELETE_CONVERSATIONS, values()).await
}

async fn remove_switches(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    (name, table): (&'static str, TenantTable),
) -> Result<u64, DbErr> {
    if transaction.get_database_backend() != DbBackend::Postgres {
        return delete(transaction, tenant, name, table.key).await;
    }
    let select = statement(transaction, DELETE_SWITCHES_POSTGRES, [tenant.as_str().into()]);
    let row = transaction.query_one_raw(select).await?;
    let removed: i64 = row.map(|row| row.try_get_by_index(0)).transpose()?.unwrap_or_default();
    Ok(u64::try_from(removed).unwrap_or_default())
}
