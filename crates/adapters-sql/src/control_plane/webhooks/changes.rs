//! The writes of callers.

use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    event::{EventTypes, LogPosition},
    time::Timestamp,
    webhook::{Webhook, WebhookDelivery, WebhookId, WebhookInsertOutcome},
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};

use super::{delivery_rows, webhook_rows::changed_values};
use crate::{
    Database,
    control_plane::statements::{execute, key, statement},
    data_plane::change_log::rows::kind_of,
};

const COUNT: &str = "SELECT count(*) FROM webhooks WHERE tenant_id = $1 AND removed_at IS NULL";

const INSERT: &str = "INSERT INTO webhooks (tenant_id, id, url, types, description, active, switched_off, secret,
        previous_secret, previous_until, credential, revision, cursor, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";

const UPDATE: &str = "UPDATE webhooks SET url = $3, types = $4, description = $5, active = $6, switched_off = $7,
        secret = $8, previous_secret = $9, previous_until = $10, credential = $11, revision = $12
    WHERE tenant_id = $1 AND id = $2 AND revision = $12 - 1 AND removed_at IS NULL";

/// Makes the pending deliveries of an inactive webhook untried.
const RESUME: &str = "UPDATE webhook_deliveries SET next_attempt_at = $3, failures = 0, failing_since = NULL
    WHERE tenant_id = $1 AND webhook_id = $2 AND delivered_at IS NULL
        AND EXISTS (SELECT 1 FROM webhooks WHERE tenant_id = $1 AND id = $2 AND active = 0)";

const REMOVE: &str = "UPDATE webhooks SET removed_at = $3, active = 0, revision = revision + 1
    WHERE tenant_id = $1 AND id = $2 AND removed_at IS NULL";

const SET_CURSOR: &str = "UPDATE webhooks SET cursor = $3 WHERE tenant_id = $1 AND id = $2 AND removed_at IS NULL";

const DROP_PENDING: &str = "DELETE FROM webhook_deliveries
    WHERE tenant_id = $1 AND webhook_id = $2 AND delivered_at IS NULL AND kind <> 0
        AND (sequence, event_index) > ($3, $4)";

/// Locks the row of a webhook, if it has a revision.
const LOCK: &str = "UPDATE webhooks SET revision = revision
    WHERE tenant_id = $1 AND id = $2 AND revision = $3 AND removed_at IS NULL";

const PUT_DELIVERY: &str = concat!(
    "INSERT INTO webhook_deliveries (",
    delivery_rows::delivery_columns!(),
    ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
    ON CONFLICT (tenant_id, webhook_id, id) DO UPDATE SET delivered_at = excluded.delivered_at,
        next_attempt_at = excluded.next_attempt_at, failures = excluded.failures,
        failing_since = excluded.failing_since, attempts = excluded.attempts"
);

pub(super) async fn insert(
    database: &Database,
    tenant: &TenantId,
    webhook: &Webhook,
    max: u16,
    entry: AuditEntry,
) -> Result<WebhookInsertOutcome, DbErr> {
    let transaction = database.begin().await?;
    // The audit chain of the tenant is locked from here on, so the count is still correct when it commits.
    database.audit_recorder().append(&transaction, tenant, entry).await?;
    let count = transaction.query_one_raw(statement(&transaction, COUNT, [tenant.as_str().into()])).await?;
    let count: i64 = count.map(|row| row.try_get_by_index(0)).transpose()?.unwrap_or_default();
    if count >= i64::from(max) {
        transaction.rollback().await?;
        return Ok(WebhookInsertOutcome::Full);
    }
    let position = [webhook.cursor.to_string().into(), webhook.created_at.as_micros().into()];
    let values = key(tenant, &webhook.id).into_iter().chain(changed_values(webhook)).chain(position);
    execute(&transaction, INSERT, values).await?;
    transaction.commit().await?;
    Ok(WebhookInsertOutcome::Inserted)
}

pub(super) async fn update(
    database: &Database,
    tenant: &TenantId,
    webhook: &Webhook,
    entry: AuditEntry,
) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    if webhook.active {
        resume(&transaction, tenant, &webhook.id, entry.at).await?;
    }
    let changed = change(&transaction, tenant, webhook).await?;
    // After the row is locked, so that a delivery that is added at the same time is found.
    execute(&transaction, &drop_unnamed(webhook.types), key(tenant, &webhook.id)).await?;
    end(database, transaction, tenant, entry, changed).await
}

/// The statement that removes the pending deliveries of other types than these. Tests stay.
fn drop_unnamed(types: EventTypes) -> String {
    let kinds = types.iter().map(kind_of).chain([delivery_rows::TEST]).map(|kind| kind.to_string());
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    format!(
        "DELETE FROM webhook_deliveries
    WHERE tenant_id = $1 AND webhook_id = $2 AND delivered_at IS NULL AND kind NOT IN ({kinds})"
    )
}

async fn resume(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    id: &WebhookId,
    at: Timestamp,
) -> Result<(), DbErr> {
    let values = key(tenant, id).into_iter().chain([at.as_micros().into()]);
    execute(transaction, RESUME, values).await.map(|_| ())
}

/// Stores a webhook without its cursor, if the stored revision is the one before. Returns whether it is.
pub(super) async fn change(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    webhook: &Webhook,
) -> Result<bool, DbErr> {
    let values = key(tenant, &webhook.id).into_iter().chain(changed_values(webhook));
    Ok(execute(transaction, UPDATE, values).await? > 0)
}

/// Commits a change with its audit record; if nothing was changed, rolls back.
pub(super) async fn end(
    database: &Database,
    transaction: DatabaseTransaction,
    tenant: &TenantId,
    entry: AuditEntry,
    changed: bool,
) -> Result<bool, DbErr> {
    if changed {
        database.audit_recorder().append(&transaction, tenant, entry).await?;
        transaction.commit().await?;
    } else {
        transaction.rollback().await?;
    }
    Ok(changed)
}

pub(super) async fn remove(
    database: &Database,
    tenant: &TenantId,
    id: &WebhookId,
    entry: AuditEntry,
) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    let values = key(tenant, id).into_iter().chain([entry.at.as_micros().into()]);
    let removed = execute(&transaction, REMOVE, values).await? > 0;
    end(database, transaction, tenant, entry, removed).await
}

pub(super) async fn replay(
    database: &Database,
    tenant: &TenantId,
    id: &WebhookId,
    after: LogPosition,
    entry: AuditEntry,
) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    let cursor: [Value; 1] = [after.to_string().into()];
    let exists = execute(&transaction, SET_CURSOR, key(tenant, id).into_iter().chain(cursor)).await? > 0;
    let position: [Value; 2] = [after.sequence.into(), i64::from(after.index).into()];
    execute(&transaction, DROP_PENDING, key(tenant, id).into_iter().chain(position)).await?;
    end(database, transaction, tenant, entry, exists).await
}

pub(super) async fn put_delivery(
    database: &Database,
    tenant: &TenantId,
    delivery: &WebhookDelivery,
    expected_revision: i64,
) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    let lock = key(tenant, &delivery.webhook).into_iter().chain([expected_revision.into()]);
    if execute(&transaction, LOCK, lock).await? == 0 {
        transaction.rollback().await?;
        return Ok(false);
    }
    execute(&transaction, PUT_DELIVERY, delivery_rows::values(tenant, delivery)).await?;
    transaction.commit().await?;
    Ok(true)
}
