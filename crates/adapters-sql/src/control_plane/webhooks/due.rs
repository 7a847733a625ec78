//! What is due at a webhook: of each order key, the pending deliveries at the first position, if their next attempt is due.
//!
//! The program finds the first one of each order key. A statement that looks for an earlier pending delivery of each one costs
//! as many look-ups as there are pending deliveries, and with old statistics PostgreSQL compares each with all others.

use std::{collections::BTreeMap, iter::repeat};

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    limits::WEBHOOK_MAX_PENDING,
    time::Timestamp,
    webhook::{WebhookDelivery, WebhookId},
};
use sea_orm::{DbErr, QueryResult, Value};

use super::{
    delivery_rows::delivery_columns,
    reads::{limit_value, restored, rows},
};
use crate::{Database, control_plane::statements::key};

/// The number of pending deliveries that are read first. Only if too few of them are due, all are read.
const WINDOW: usize = 256;

/// The number of deliveries that one statement reads by their identifiers.
const IDS_PER_READ: usize = 8;

/// Selects pending deliveries in their order, by `webhook_deliveries_by_position`.
macro_rules! pending {
    ($filter:literal) => {
        concat!(
            "SELECT id, order_key, sequence, event_index, next_attempt_at FROM webhook_deliveries
    WHERE tenant_id = $1 AND webhook_id = $2 AND delivered_at IS NULL",
            $filter,
            " ORDER BY sequence, event_index, id LIMIT $3"
        )
    };
}

const PENDING: &str = pending!("");

/// [`PENDING`] without the order keys of a JSON array.
const OTHERS_POSTGRES: &str = pending!(" AND order_key NOT IN (SELECT json_array_elements_text($4::json))");
const OTHERS_SQLITE: &str = pending!(" AND order_key NOT IN (SELECT value FROM json_each($4))");

const PENDING_BY_ID: &str = concat!(
    "SELECT ",
    delivery_columns!(),
    " FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND delivered_at IS NULL
        AND id IN ($3, $4, $5, $6, $7, $8, $9, $10)"
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

/// The pending deliveries whose turn has come, in the order of their positions.
#[derive(Default)]
struct Heads {
    heads: Vec<Pending>,
    /// The first position of each order key.
    positions: BTreeMap<String, (i64, i64)>,
}

impl Heads {
    /// Adds those of the next pending deliveries whose turn has come.
    fn add(&mut self, pending: Vec<Pending>) {
        for next in pending {
            if *self.positions.entry(next.order_key.clone()).or_insert(next.position) == next.position {
                self.heads.push(next);
            }
        }
    }

    fn due(&self, now: Timestamp) -> impl Iterator<Item = &str> {
        let is_due = move |head: &&Pending| head.next_attempt <= now.as_micros();
        self.heads.iter().filter(is_due).map(|head| head.id.as_str())
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
    let mut heads = Heads::default();
    let first = rows(database, PENDING, &[tenant.clone(), id.clone(), limit_value(WINDOW)], Pending::read).await?;
    let is_all = first.len() < WINDOW;
    heads.add(first);
    if !is_all && heads.due(now).take(limit).count() < limit {
        let others = if database.is_postgres() { OTHERS_POSTGRES } else { OTHERS_SQLITE };
        // A list of texts always serializes.
        let order_keys = serde_json::to_string(&heads.order_keys()).unwrap_or_default();
        // One page of the log can exceed the maximum.
        let all = i64::try_from(WEBHOOK_MAX_PENDING.saturating_mul(2)).unwrap_or(i64::MAX);
        let values = [tenant.clone(), id.clone(), all.into(), order_keys.into()];
        heads.add(rows(database, others, &values, Pending::read).await?);
    }
    let ids: Vec<_> = heads.due(now).take(limit).collect();
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
