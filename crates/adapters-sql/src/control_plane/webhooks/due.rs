//! What is due at a webhook: of each order key, the pending deliveries at the first position, if their next attempt is due.
//!
//! This code finds the first one of each order key, and not a statement: one that looks for an earlier pending delivery of each one costs
//! as many look-ups as there are pending deliveries, and with old statistics PostgreSQL compares each with all others.

use std::{collections::BTreeMap, iter::repeat};

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    time::Timestamp,
    webhook::{WebhookDelivery, WebhookId},
};
use sea_orm::{DbErr, QueryResult, Value};

use super::{
    delivery_rows::{delivery_columns, is_pending},
    reads::{limit_value, restored, rows},
};
use crate::{Database, control_plane::statements::key};

/// The number of pending deliveries that one statement reads. The next statement skips the order keys of these.
const ROWS_PER_READ: usize = 256;

/// After as many reads, a last one reads all remaining deliveries: the first ones of very many order keys wait for a retry.
const MAX_LIMITED_READS: usize = 16;

/// The number of deliveries that one statement reads by their identifiers.
const IDS_PER_READ: usize = 16;

/// Selects pending deliveries in their order, by `webhook_deliveries_by_position`, without those with an order key of
/// `$order_keys`, a JSON array.
macro_rules! pending {
    ($order_keys:literal) => {
        concat!(
            "SELECT id, order_key, sequence, event_index, next_attempt_at FROM webhook_deliveries
    WHERE tenant_id = $1 AND webhook_id = $2 AND delivered_at IS NULL AND order_key NOT IN (",
            $order_keys,
            ") ORDER BY sequence, event_index, id LIMIT $3"
        )
    };
}

const PENDING_POSTGRES: &str = pending!("SELECT json_array_elements_text($4::json)");
const PENDING_SQLITE: &str = pending!("SELECT value FROM json_each($4)");

const PENDING_BY_ID: &str = concat!(
    "SELECT ",
    delivery_columns!(),
    " FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND ",
    is_pending!(),
    " AND id IN ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)"
);

/// A pending delivery.
struct Pending {
    id: String,
    order_key: String,
    position: (i64, i64),
    next_attempt: i64,
}

impl Pending {
    fn read(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self {
            id: row.try_get_by_index(0)?,
            order_key: row.try_get_by_index(1)?,
            position: (row.try_get_by_index(2)?, row.try_get_by_index(3)?),
            next_attempt: row.try_get_by_index(4)?,
        })
    }
}

/// The first pending deliveries of each order key, in the order of their positions.
#[derive(Default)]
struct FirstPending {
    deliveries: Vec<Pending>,
    /// The first position of each order key.
    positions: BTreeMap<String, (i64, i64)>,
}

impl FirstPending {
    /// Adds the next pending deliveries, without those that must wait for an earlier one.
    fn add(&mut self, pending: Vec<Pending>) {
        for next in pending {
            if *self.positions.entry(next.order_key.clone()).or_insert(next.position) == next.position {
                self.deliveries.push(next);
            }
        }
    }

    fn due(&self, now: Timestamp) -> impl Iterator<Item = &str> {
        let is_due = move |first: &&Pending| first.next_attempt <= now.as_micros();
        self.deliveries.iter().filter(is_due).map(|first| first.id.as_str())
    }

    fn order_keys(&self) -> Vec<&String> {
        self.positions.keys().collect()
    }
}

pub(super) async fn due(
    database: &Database,
    tenant: &TenantId,
    id: &WebhookId,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<WebhookDelivery>, StoreError> {
    let [tenant, id] = key(tenant, id);
    let select = if database.is_postgres() { PENDING_POSTGRES } else { PENDING_SQLITE };
    let mut first = FirstPending::default();
    for read in 0..=MAX_LIMITED_READS {
        let max_rows = if read < MAX_LIMITED_READS { ROWS_PER_READ } else { usize::MAX };
        // A list of texts always serializes.
        let order_keys = serde_json::to_string(&first.order_keys()).unwrap_or_default();
        let values = [tenant.clone(), id.clone(), limit_value(max_rows), order_keys.into()];
        let pending = rows(database, select, &values, Pending::read).await?;
        let is_last = pending.len() < max_rows;
        first.add(pending);
        if is_last || first.due(now).take(limit).count() == limit {
            break;
        }
    }
    let ids: Vec<_> = first.due(now).take(limit).collect();
    read(database, (&tenant, &id), &ids).await
}

/// The deliveries with these identifiers, in the same order. One that is not pending any more is left out.
async fn read(
    database: &Database,
    (tenant, webhook): (&Value, &Value),
    ids: &[&str],
) -> Result<Vec<WebhookDelivery>, StoreError> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(IDS_PER_READ) {
        let padded = chunk.iter().copied().chain(repeat("")).take(IDS_PER_READ);
        let values: Vec<_> = [tenant.clone(), webhook.clone()].into_iter().chain(padded.map(Value::from)).collect();
        found.extend(restored(database, PENDING_BY_ID, &values).await?);
    }
    found.sort_by_key(|delivery| ids.iter().position(|id| *id == delivery.id.as_str()));
    Ok(found)
}
