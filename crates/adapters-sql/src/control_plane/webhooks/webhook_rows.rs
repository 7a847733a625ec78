//! The rows of `webhooks`.

use parlance_domain::{
    access::{ApiId, TenantId},
    error::StoreError,
    event::{EventType, EventTypes},
    time::Timestamp,
    webhook::{SealedSecret, SwitchOffReason, Webhook, WebhookDescription, WebhookId, WebhookUrl},
};
use sea_orm::{DbErr, QueryResult, Value};

use crate::error::corrupt;

const TABLE: &str = "webhooks";

macro_rules! webhook_columns {
    () => {
        "w.tenant_id, w.id, w.url, w.types, w.description, w.active, w.switched_off, w.secret, w.previous_secret, \
         w.previous_until, w.credential, w.cursor, w.created_at, w.revision"
    };
}
pub(super) use webhook_columns;

/// The columns of `webhook_columns!`, in its order.
pub(super) struct WebhookRow {
    tenant: String,
    id: String,
    url: String,
    types: String,
    description: String,
    active: i64,
    switched_off: Option<String>,
    secret: Vec<u8>,
    previous_secret: Option<Vec<u8>>,
    previous_until: Option<i64>,
    credential: Option<String>,
    cursor: String,
    created_at: i64,
    revision: i64,
}

impl WebhookRow {
    pub(super) fn read(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self {
            tenant: row.try_get_by_index(0)?,
            id: row.try_get_by_index(1)?,
            url: row.try_get_by_index(2)?,
            types: row.try_get_by_index(3)?,
            description: row.try_get_by_index(4)?,
            active: row.try_get_by_index(5)?,
            switched_off: row.try_get_by_index(6)?,
            secret: row.try_get_by_index(7)?,
            previous_secret: row.try_get_by_index(8)?,
            previous_until: row.try_get_by_index(9)?,
            credential: row.try_get_by_index(10)?,
            cursor: row.try_get_by_index(11)?,
            created_at: row.try_get_by_index(12)?,
            revision: row.try_get_by_index(13)?,
        })
    }

    pub(super) fn restore(self) -> Result<(TenantId, Webhook), StoreError> {
        let row = format!("{}/{}", self.tenant, self.id);
        let time = |micros, column| Timestamp::from_micros(micros).map_err(|error| corrupt(TABLE, column, &row, error));
        let previous_until = self.previous_until.map(|until| time(until, "previous_until")).transpose()?;
        let switched_off = self.switched_off.map(|word| {
            SwitchOffReason::from_word(&word).ok_or_else(|| corrupt(TABLE, "switched_off", &row, "is not a reason"))
        });
        let credential = self.credential.map(|id| ApiId::parse(&id));
        let webhook = Webhook {
            id: WebhookId::parse(&self.id).map_err(|error| corrupt(TABLE, "id", &row, error))?,
            url: WebhookUrl::parse(&self.url).map_err(|error| corrupt(TABLE, "url", &row, error))?,
            types: restore_types(&self.types, &row)?,
            description: WebhookDescription::parse(self.description)
                .map_err(|error| corrupt(TABLE, "description", &row, error))?,
            active: self.active != 0,
            switched_off: switched_off.transpose()?,
            secret: SealedSecret(self.secret),
            previous_secret: self.previous_secret.map(SealedSecret).zip(previous_until),
            credential: credential.transpose().map_err(|error| corrupt(TABLE, "credential", &row, error))?,
            cursor: self.cursor.parse().map_err(|error| corrupt(TABLE, "cursor", &row, error))?,
            created_at: time(self.created_at, "created_at")?,
            revision: self.revision,
        };
        let tenant = TenantId::parse(&self.tenant).map_err(|error| corrupt(TABLE, "tenant_id", &row, error))?;
        Ok((tenant, webhook))
    }
}

fn restore_types(list: &str, row: &str) -> Result<EventTypes, StoreError> {
    if list.is_empty() {
        return Ok(EventTypes::default());
    }
    EventTypes::parse(list).map_err(|error| corrupt(TABLE, "types", row, error))
}

/// The columns that a change writes: those from `url` to `credential`, then `revision`.
pub(super) fn changed_values(webhook: &Webhook) -> Vec<Value> {
    let types = webhook.types.iter().map(EventType::as_str).collect::<Vec<_>>().join(",");
    let (previous, until) = webhook.previous_secret.clone().unzip();
    vec![
        webhook.url.as_str().into(),
        types.into(),
        webhook.description.as_str().into(),
        i64::from(webhook.active).into(),
        webhook.switched_off.map(SwitchOffReason::as_str).into(),
        webhook.secret.0.clone().into(),
        previous.map(|secret| secret.0).into(),
        until.map(Timestamp::as_micros).into(),
        webhook.credential.as_ref().map(|id| id.as_str().to_owned()).into(),
        webhook.revision.into(),
    ]
}
