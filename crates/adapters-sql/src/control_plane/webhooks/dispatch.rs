//! The writes of the dispatcher. Each refuses a term that is older than the one in the row of the webhook.

use std::collections::{BTreeMap, BTreeSet};

use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    lease::LeaseTerm,
    time::Timestamp,
    webhook::{AttemptedDelivery, Enqueue, Webhook, WebhookDeliveryId, WebhookId},
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};

use super::{
    attempts,
    changes::{change, end},
    delivery_rows::{self, COLUMNS, state_values},
};
use crate::{
    Database,
    control_plane::statements::{execute, key, statement},
};

/// The number of deliveries that one statement inserts. SQLite accepts 32,766 parameters.
const ROWS_PER_INSERT: usize = 500;

const CLAIM: &str = "UPDATE webhooks SET lease_term = $1 WHERE lease_term < $1";

const ENTER_TERM: &str = "UPDATE webhooks SET lease_term = $3 WHERE tenant_id = $1 AND id = $2 AND lease_term <= $3";

const MOVE_CURSOR: &str = "UPDATE webhooks SET lease_term = $3, cursor = $4
    WHERE tenant_id = $1 AND id = $2 AND lease_term <= $3 AND cursor = $5 AND revision = $6 AND active = 1";

const RECORD: &str = concat!(
    "UPDATE webhook_deliveries SET delivered_at = $4, next_attempt_at = $5, failures = $6,
        failing_since = $7, attempts = $8
    WHERE tenant_id = $1 AND webhook_id = $2 AND id = $3 AND next_attempt_at = $9 AND ",
    delivery_rows::is_pending!()
);

/// Stores the attempts of a delivery that was queued again meanwhile.
const RECORD_ATTEMPTS: &str = concat!(
    "UPDATE webhook_deliveries SET attempts = $4 WHERE tenant_id = $1 AND webhook_id = $2 AND id = $3 AND ",
    delivery_rows::is_pending!()
);

const DROP_DELIVERED: &str = "DELETE FROM webhook_deliveries WHERE (tenant_id, webhook_id, id) IN (
        SELECT d.tenant_id, d.webhook_id, d.id FROM webhooks w
            JOIN webhook_deliveries d ON d.tenant_id = w.tenant_id AND d.webhook_id = w.id
            WHERE w.removed_at IS NOT NULL OR (d.delivered_at IS NOT NULL AND d.delivered_at < $1)
            LIMIT $2)";

const DROP_REMOVED: &str = "DELETE FROM webhooks WHERE removed_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM webhook_deliveries d WHERE d.tenant_id = webhooks.tenant_id AND d.webhook_id = webhooks.id)";

pub(super) async fn claim(database: &Database, term: LeaseTerm) -> Result<(), DbErr> {
    execute(database.writer(), CLAIM, [term.0.into()]).await.map(|_| ())
}

/// Writes the term into the row of the webhook. Returns whether it did: not if a newer term is there.
async fn enter_term(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    id: &WebhookId,
    term: LeaseTerm,
) -> Result<bool, DbErr> {
    let values = key(tenant, id).into_iter().chain([term.0.into()]);
    Ok(execute(transaction, ENTER_TERM, values).await? > 0)
}

pub(super) async fn enqueue(
    database: &Database,
    term: LeaseTerm,
    tenant: &TenantId,
    enqueue: &Enqueue,
) -> Result<bool, DbErr> {
    let Enqueue { webhook, expected_revision, expected_cursor, next_cursor, deliveries } = enqueue;
    let transaction = database.begin().await?;
    let (next, expected) = (next_cursor.to_string(), expected_cursor.to_string());
    let move_cursor: [Value; 4] = [term.0.into(), next.into(), expected.into(), (*expected_revision).into()];
    if execute(&transaction, MOVE_CURSOR, key(tenant, webhook).into_iter().chain(move_cursor)).await? == 0 {
        transaction.rollback().await?;
        return Ok(false);
    }
    for chunk in deliveries.chunks(ROWS_PER_INSERT) {
        let values = chunk.iter().flat_map(|delivery| delivery_rows::values(tenant, delivery));
        execute(&transaction, &insert_statement(chunk.len()), values).await?;
    }
    transaction.commit().await?;
    Ok(true)
}

/// The statement that inserts this many deliveries.
fn insert_statement(rows: usize) -> String {
    let row = |row: usize| {
        let parameters = (1..=COLUMNS).map(|column| format!("${}", row * COLUMNS + column));
        format!("({})", parameters.collect::<Vec<_>>().join(", "))
    };
    let rows = (0..rows).map(row).collect::<Vec<_>>().join(", ");
    format!(concat!("INSERT INTO webhook_deliveries (", delivery_rows::delivery_columns!(), ") VALUES {}"), rows)
}

pub(super) async fn record(
    database: &Database,
    term: LeaseTerm,
    attempted: &[AttemptedDelivery],
) -> Result<BTreeSet<WebhookDeliveryId>, DbErr> {
    // In the order of the webhooks, so that two replicas do not wait for each other's rows.
    let mut by_webhook: BTreeMap<(&TenantId, &WebhookId), Vec<&AttemptedDelivery>> = BTreeMap::new();
    for attempted in attempted {
        by_webhook.entry((&attempted.tenant, &attempted.delivery.webhook)).or_default().push(attempted);
    }
    let mut recorded = BTreeSet::new();
    let transaction = database.begin().await?;
    for ((tenant, webhook), attempted) in by_webhook {
        if !enter_term(&transaction, tenant, webhook, term).await? {
            continue;
        }
        for attempted in attempted {
            if record_one(&transaction, attempted).await? {
                recorded.insert(attempted.delivery.id.clone());
            }
        }
    }
    transaction.commit().await?;
    Ok(recorded)
}

/// Stores a delivery after an attempt. Returns whether its state was stored, too.
async fn record_one(transaction: &DatabaseTransaction, attempted: &AttemptedDelivery) -> Result<bool, DbErr> {
    let AttemptedDelivery { tenant, delivery, expected_next_attempt } = attempted;
    let of_delivery = || key(tenant, &delivery.webhook).into_iter().chain([delivery.id.as_str().into()]);
    let state = state_values(delivery).into_iter().chain([expected_next_attempt.map(Timestamp::as_micros).into()]);
    let stored = execute(transaction, RECORD, of_delivery().chain(state)).await? > 0;
    if !stored {
        let attempts: Value = attempts::encode(&delivery.attempts).into();
        execute(transaction, RECORD_ATTEMPTS, of_delivery().chain([attempts])).await?;
    }
    Ok(stored)
}

pub(super) async fn switch_off(
    database: &Database,
    term: LeaseTerm,
    tenant: &TenantId,
    webhook: &Webhook,
    entry: AuditEntry,
) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    let changed =
        enter_term(&transaction, tenant, &webhook.id, term).await? && change(&transaction, tenant, webhook).await?;
    end(database, transaction, tenant, entry, changed).await
}

pub(super) async fn drop_delivered(database: &Database, cutoff: Timestamp, limit: u16) -> Result<bool, DbErr> {
    let db = database.writer();
    let dropped = db
        .execute_raw(statement(db, DROP_DELIVERED, [cutoff.as_micros().into(), i64::from(limit).into()]))
        .await?
        .rows_affected();
    execute(db, DROP_REMOVED, []).await?;
    Ok(dropped >= u64::from(limit))
}
