//! The rows of `webhook_deliveries`.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{LogEntry, LogPosition},
    time::Timestamp,
    webhook::{DeliverySubject, PendingDelivery, WebhookDelivery, WebhookDeliveryId, WebhookDeliveryState, WebhookId},
};
use sea_orm::{DbErr, QueryResult, Value};

use super::attempts;
use crate::{
    data_plane::change_log::rows::{format_change, parse_change},
    error::corrupt,
};

const TABLE: &str = "webhook_deliveries";

macro_rules! delivery_columns {
    () => {
        "tenant_id, webhook_id, id, kind, reference, sequence, event_index, tag, occurred_at, order_key, created_at, \
         delivered_at, next_attempt_at, failures, failing_since, attempts"
    };
}
pub(super) use delivery_columns;

/// Whether a row that is found by its identifier is pending. Without statistics, PostgreSQL would read all pending rows of the
/// webhook by an index that has `delivered_at IS NULL` as its condition.
macro_rules! is_pending {
    () => {
        "COALESCE(delivered_at, -1) = -1"
    };
}
pub(super) use is_pending;

/// The number of columns of `delivery_columns!`.
pub(super) const COLUMNS: usize = 16;

/// The number of the kind of a test. The kinds of events are those of the change log.
pub(super) const TEST: i16 = 0;

/// The columns of `delivery_columns!`, without those that other columns determine.
pub(super) struct DeliveryRow {
    webhook: String,
    id: String,
    kind: i64,
    reference: String,
    position: (i64, i64, i64),
    occurred_at: i64,
    created_at: i64,
    delivered_at: Option<i64>,
    next_attempt: i64,
    failures: i64,
    failing_since: Option<i64>,
    attempts: String,
}

impl DeliveryRow {
    pub(super) fn read(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self {
            webhook: row.try_get_by_index(1)?,
            id: row.try_get_by_index(2)?,
            kind: row.try_get_by_index(3)?,
            reference: row.try_get_by_index(4)?,
            position: (row.try_get_by_index(5)?, row.try_get_by_index(6)?, row.try_get_by_index(7)?),
            occurred_at: row.try_get_by_index(8)?,
            created_at: row.try_get_by_index(10)?,
            delivered_at: row.try_get_by_index(11)?,
            next_attempt: row.try_get_by_index(12)?,
            failures: row.try_get_by_index(13)?,
            failing_since: row.try_get_by_index(14)?,
            attempts: row.try_get_by_index(15)?,
        })
    }

    pub(super) fn restore(self) -> Result<WebhookDelivery, StoreError> {
        let row = format!("{}/{}", self.webhook, self.id);
        let time = |micros, column| Timestamp::from_micros(micros).map_err(|error| corrupt(TABLE, column, &row, error));
        let state = match self.delivered_at {
            Some(at) => WebhookDeliveryState::Delivered(time(at, "delivered_at")?),
            None => WebhookDeliveryState::Pending(PendingDelivery {
                next_attempt: time(self.next_attempt, "next_attempt_at")?,
                failures: u32::try_from(self.failures).unwrap_or(u32::MAX),
                failing_since: self.failing_since.map(|since| time(since, "failing_since")).transpose()?,
            }),
        };
        let attempts = attempts::decode(&self.attempts);
        Ok(WebhookDelivery {
            id: WebhookDeliveryId::parse(&self.id).map_err(|error| corrupt(TABLE, "id", &row, error))?,
            webhook: WebhookId::parse(&self.webhook).map_err(|error| corrupt(TABLE, "webhook_id", &row, error))?,
            subject: self.subject(&row)?,
            created_at: time(self.created_at, "created_at")?,
            state,
            attempts: attempts.ok_or_else(|| corrupt(TABLE, "attempts", &row, "is not a list of attempts"))?,
        })
    }

    fn subject(&self, row: &str) -> Result<DeliverySubject, StoreError> {
        let invalid = |column| corrupt(TABLE, column, row, "is not a reference of a change");
        let kind = i16::try_from(self.kind).map_err(|_| invalid("kind"))?;
        if kind == TEST {
            return Ok(DeliverySubject::Test);
        }
        let (sequence, index, tag) = self.position;
        let index = u32::try_from(index).map_err(|_| invalid("event_index"))?;
        let occurred_at = Timestamp::from_micros(self.occurred_at).map_err(|_| invalid("occurred_at"))?;
        let change = parse_change(kind, &self.reference).ok_or_else(|| invalid("reference"))?;
        Ok(DeliverySubject::Event(LogEntry { position: LogPosition { sequence, index, tag }, occurred_at, change }))
    }
}

/// The values of `delivery_columns!`.
pub(super) fn values(tenant: &TenantId, delivery: &WebhookDelivery) -> Vec<Value> {
    let (kind, reference, occurred_at) = match &delivery.subject {
        DeliverySubject::Test => (TEST, String::new(), delivery.created_at),
        DeliverySubject::Event(entry) => {
            let (kind, reference) = format_change(&entry.change);
            (kind, reference, entry.occurred_at)
        }
    };
    let LogPosition { sequence, index, tag } = delivery.subject.position();
    let mut values: Vec<Value> = vec![
        tenant.as_str().into(),
        delivery.webhook.as_str().into(),
        delivery.id.as_str().into(),
        i64::from(kind).into(),
        reference.into(),
        sequence.into(),
        i64::from(index).into(),
        tag.into(),
        occurred_at.as_micros().into(),
        delivery.subject.order_key().into(),
        delivery.created_at.as_micros().into(),
    ];
    values.extend(state_values(delivery));
    values
}

/// The values of the last five columns, which attempts change.
pub(super) fn state_values(delivery: &WebhookDelivery) -> [Value; 5] {
    let (delivered_at, pending) = match delivery.state {
        WebhookDeliveryState::Delivered(at) => (Some(at), None),
        WebhookDeliveryState::Pending(pending) => (None, Some(pending)),
    };
    let next_attempt = pending.map_or(delivery.created_at, |pending| pending.next_attempt);
    [
        delivered_at.map(Timestamp::as_micros).into(),
        next_attempt.as_micros().into(),
        i64::from(pending.map_or(0, |pending| pending.failures)).into(),
        pending.and_then(|pending| pending.failing_since).map(Timestamp::as_micros).into(),
        attempts::encode(&delivery.attempts).into(),
    ]
}
