//! The reads of webhooks and deliveries.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    time::Timestamp,
    webhook::{
        ActiveWebhook, Backlog, DeliveryQuery, Webhook, WebhookDelivery, WebhookDeliveryId, WebhookDeliveryStatus,
        WebhookId,
    },
};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};

use super::{
    delivery_rows::{DeliveryRow, delivery_columns},
    webhook_rows::{WebhookRow, webhook_columns},
};
use crate::{
    Database,
    control_plane::statements::{AFTER_ALL, key, statement},
    error::corrupt,
};

const LIST: &str = concat!(
    "SELECT ",
    webhook_columns!(),
    " FROM webhooks w WHERE w.tenant_id = $1 AND w.removed_at IS NULL ORDER BY w.id"
);

const FIND: &str = concat!(
    "SELECT ",
    webhook_columns!(),
    " FROM webhooks w WHERE w.tenant_id = $1 AND w.id = $2 AND w.removed_at IS NULL"
);

/// A credential that is not there counts as revoked.
const ACTIVE: &str = concat!(
    "SELECT ",
    webhook_columns!(),
    ", CAST(CASE WHEN w.credential IS NULL OR (c.api_id IS NOT NULL AND c.revoked_at IS NULL) THEN 0 ELSE 1 END
        AS BIGINT)
    FROM webhooks w LEFT JOIN credentials c ON c.tenant_id = w.tenant_id AND c.api_id = w.credential
    WHERE w.active = 1 AND w.removed_at IS NULL ORDER BY w.tenant_id, w.id"
);

const PENDING: &str = "SELECT count(*) FROM webhook_deliveries
    WHERE tenant_id = $1 AND webhook_id = $2 AND delivered_at IS NULL";

const DUE_WEBHOOKS: &str = "SELECT w.tenant_id, w.id FROM webhooks w WHERE w.active = 1 AND EXISTS (
        SELECT 1 FROM webhook_deliveries d WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id
            AND d.delivered_at IS NULL AND d.next_attempt_at <= $1)";

const FIND_DELIVERY: &str = concat!(
    "SELECT ",
    delivery_columns!(),
    " FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND id = $3"
);

/// The identifier before which deliveries are listed is [`AFTER_ALL`], if there is none.
const DELIVERIES: &str = concat!(
    "SELECT ",
    delivery_columns!(),
    " FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND id < $3
        AND ($4 = '' OR $4 = CASE WHEN delivered_at IS NOT NULL THEN 'delivered'
            WHEN failures = 0 THEN 'pending' ELSE 'failed' END)
    ORDER BY id DESC LIMIT $5"
);

const BACKLOG: &str = "SELECT count(*), min(d.created_at) FROM webhooks w
    JOIN webhook_deliveries d ON d.tenant_id = w.tenant_id AND d.webhook_id = w.id
    WHERE w.active = 1 AND d.delivered_at IS NULL";

/// Runs a query and reads each of its rows.
pub(super) async fn rows<T>(
    database: &Database,
    sql: &str,
    values: &[Value],
    read: fn(&QueryResult) -> Result<T, DbErr>,
) -> Result<Vec<T>, StoreError> {
    let rows = database.read(async |db| {
        let rows = db.query_all_raw(statement(db, sql, values.iter().cloned())).await?;
        rows.iter().map(read).collect::<Result<Vec<_>, DbErr>>()
    });
    rows.await
}

async fn webhooks(database: &Database, sql: &str, values: &[Value]) -> Result<Vec<Webhook>, StoreError> {
    let rows = rows(database, sql, values, WebhookRow::read).await?;
    rows.into_iter().map(|row| Ok(row.restore()?.1)).collect()
}

pub(super) async fn restored(
    database: &Database,
    sql: &str,
    values: &[Value],
) -> Result<Vec<WebhookDelivery>, StoreError> {
    rows(database, sql, values, DeliveryRow::read).await?.into_iter().map(DeliveryRow::restore).collect()
}

pub(super) async fn list(database: &Database, tenant: &TenantId) -> Result<Vec<Webhook>, StoreError> {
    webhooks(database, LIST, &[tenant.as_str().into()]).await
}

pub(super) async fn find(
    database: &Database,
    tenant: &TenantId,
    id: &WebhookId,
) -> Result<Option<Webhook>, StoreError> {
    Ok(webhooks(database, FIND, &key(tenant, id)).await?.into_iter().next())
}

pub(super) async fn active(database: &Database) -> Result<Vec<ActiveWebhook>, StoreError> {
    let read = |row: &QueryResult| Ok((WebhookRow::read(row)?, row.try_get_by_index::<i64>(14)?));
    let restore = |(row, is_revoked): (WebhookRow, i64)| {
        let (tenant, webhook) = row.restore()?;
        Ok(ActiveWebhook { tenant, webhook, is_credential_revoked: is_revoked != 0 })
    };
    rows(database, ACTIVE, &[], read).await?.into_iter().map(restore).collect()
}

pub(super) async fn pending(database: &Database, tenant: &TenantId, id: &WebhookId) -> Result<u64, StoreError> {
    let counts = rows(database, PENDING, &key(tenant, id), |row| row.try_get_by_index::<i64>(0)).await?;
    Ok(counts.first().and_then(|count| u64::try_from(*count).ok()).unwrap_or_default())
}

pub(super) async fn due_webhooks(
    database: &Database,
    now: Timestamp,
) -> Result<Vec<(TenantId, WebhookId)>, StoreError> {
    let read = |row: &QueryResult| Ok((row.try_get_by_index::<String>(0)?, row.try_get_by_index::<String>(1)?));
    let restore = |(tenant, id): (String, String)| {
        let tenant = TenantId::parse(&tenant).map_err(|error| corrupt("webhooks", "tenant_id", &tenant, error))?;
        Ok((tenant, WebhookId::parse(&id).map_err(|error| corrupt("webhooks", "id", &id, error))?))
    };
    rows(database, DUE_WEBHOOKS, &[now.as_micros().into()], read).await?.into_iter().map(restore).collect()
}

pub(super) async fn find_delivery(
    database: &Database,
    tenant: &TenantId,
    webhook: &WebhookId,
    id: &WebhookDeliveryId,
) -> Result<Option<WebhookDelivery>, StoreError> {
    let [tenant, webhook] = key(tenant, webhook);
    Ok(restored(database, FIND_DELIVERY, &[tenant, webhook, id.as_str().into()]).await?.into_iter().next())
}

pub(super) async fn deliveries(
    database: &Database,
    tenant: &TenantId,
    webhook: &WebhookId,
    query: &DeliveryQuery,
) -> Result<Vec<WebhookDelivery>, StoreError> {
    let [tenant, webhook] = key(tenant, webhook);
    let before = query.before.as_ref().map_or(AFTER_ALL, |id| id.as_str());
    let status = query.status.map_or("", WebhookDeliveryStatus::as_str);
    restored(database, DELIVERIES, &[tenant, webhook, before.into(), status.into(), limit_value(query.limit)]).await
}

pub(super) fn limit_value(limit: usize) -> Value {
    i64::try_from(limit).unwrap_or(i64::MAX).into()
}

pub(super) async fn backlog(database: &Database) -> Result<Backlog, StoreError> {
    let read = |row: &QueryResult| Ok((row.try_get_by_index::<i64>(0)?, row.try_get_by_index::<Option<i64>>(1)?));
    let (pending, oldest) = rows(database, BACKLOG, &[], read).await?.into_iter().next().unwrap_or_default();
    let oldest = oldest.map(Timestamp::from_micros).transpose();
    let oldest = oldest.map_err(|error| corrupt("webhook_deliveries", "created_at", "-", error))?;
    Ok(Backlog { pending: u64::try_from(pending).unwrap_or_default(), oldest })
}
