//! The fence of an erased tenant, and the writes that could not see it.

use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    privacy::{LedgerEntry, TenantErasure, TenantFenceOutcome},
};
use sea_orm::{ConnectionTrait, DbErr, Value};

use crate::{
    Database,
    control_plane::{
        approval_columns,
        ledger_queue::enqueue,
        statements::{execute, statement},
        write_waits::wait_for_open_writes,
    },
    subject_data::tables_fenced_by_trigger,
};

const INSERT: &str = "INSERT INTO tenant_erasures
        (tenant_id, id, reference, first_approver, second_approver, requested_at)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant_id) DO NOTHING";

const COUNT_HOLDS: &str = "SELECT count(*) FROM holds WHERE tenant_id = $1";

const REVOKE_ALL: &str = "UPDATE credentials SET revoked_at = $2 WHERE tenant_id = $1 AND revoked_at IS NULL";

/// The transactions that write to a table with a fence. For PostgreSQL.
const OPEN_WRITES: &str = "SELECT virtualtransaction FROM pg_locks
    WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND relation IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace
            AND relname = ANY (string_to_array($1, ',')))";

/// The number of holds of the tenant.
pub(super) async fn count_holds(database: &Database, tenant: &TenantId) -> Result<u64, StoreError> {
    database.read(async |db| holds_of(db, tenant).await).await
}

async fn holds_of<C: ConnectionTrait>(db: &C, tenant: &TenantId) -> Result<u64, DbErr> {
    let row = db.query_one_raw(statement(db, COUNT_HOLDS, [tenant.as_str().into()])).await?;
    let count: i64 = row.map(|row| row.try_get_by_index(0)).transpose()?.unwrap_or_default();
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Stores the erasure. Holds are placed under the lock of the same audit chain, so none is placed between the check and the
/// commit.
pub(super) async fn begin(
    database: &Database,
    tenant: &TenantId,
    erasure: &TenantErasure,
    entry: AuditEntry,
) -> Result<TenantFenceOutcome, DbErr> {
    let transaction = database.begin().await?;
    database.audit_recorder().append(&transaction, tenant, entry).await?;
    if execute(&transaction, INSERT, values(tenant, erasure)).await? == 0 {
        transaction.rollback().await?;
        return Ok(TenantFenceOutcome::Exists);
    }
    if erasure.approval.is_some() {
        let holds = holds_of(&transaction, tenant).await?;
        if holds > 0 {
            transaction.rollback().await?;
            return Ok(TenantFenceOutcome::Held(holds));
        }
        enqueue(&transaction, &LedgerEntry::of_tenant(tenant, erasure.requested_at)).await?;
    }
    let revoked_at: [Value; 2] = [tenant.as_str().into(), erasure.requested_at.as_micros().into()];
    execute(&transaction, REVOKE_ALL, revoked_at).await?;
    transaction.commit().await?;
    Ok(TenantFenceOutcome::Stored)
}

fn values(tenant: &TenantId, erasure: &TenantErasure) -> [Value; 6] {
    let [reference, first_approver, second_approver] = approval_columns::columns(erasure.approval.as_ref());
    [
        tenant.as_str().into(),
        erasure.id.as_str().into(),
        reference.into(),
        first_approver.into(),
        second_approver.into(),
        erasure.requested_at.as_micros().into(),
    ]
}

/// Waits for the writes to tables with a fence that are open now.
pub(super) async fn wait_for_earlier_writes(database: &Database) -> Result<(), StoreError> {
    let tables: Vec<_> = tables_fenced_by_trigger().chain(["conversations"]).collect();
    wait_for_open_writes(database, (OPEN_WRITES, tables.join(",").into())).await
}
