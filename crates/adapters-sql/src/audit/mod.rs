//! The audit log in SQL: chains are read here, and added to in the transactions of the changes that they record.

mod heads;
mod recording;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::{Action, AuditStore, Entry, Head, HeadSignature, KeptHead, Record},
    error::StoreError,
    signing::KeyFingerprint,
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, Select, Statement,
};

pub(crate) use heads::restore_head;
pub(crate) use recording::Recording;

use crate::{
    Database,
    entity::audit_record::{Column, Entity, Model},
    error::corrupt,
};
use heads::{place, restore_bytes, restore_place};

const RECORDS: &str = "audit_records";

/// Keeps the audit log in SQL.
#[derive(Clone, Debug)]
pub struct SqlAudit(Database);

impl SqlAudit {
    /// Keeps it in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// The one way to this table: a tenant's rows.
fn of(tenant: &TenantId) -> Select<Entity> {
    Entity::find().filter(Column::TenantId.eq(tenant.as_str()))
}

/// Each tenant that anything in these tables is of. The tables are read, and not judged.
const TENANTS: &str = "SELECT tenant_id FROM audit_records UNION SELECT tenant_id FROM audit_heads
    UNION SELECT tenant_id FROM credentials UNION SELECT tenant_id FROM redaction_flags
    UNION SELECT tenant_id FROM redaction_audit ORDER BY 1";

#[derive(FromQueryResult)]
struct TenantRow {
    tenant_id: String,
}

#[async_trait]
impl AuditStore for SqlAudit {
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        let reader = self.0.reader();
        let statement = Statement::from_string(reader.get_database_backend(), TENANTS);
        let rows = self.0.read(|db| TenantRow::find_by_statement(statement.clone()).all(db)).await?;
        rows.iter().map(|row| restore_tenant(RECORDS, &row.tenant_id)).collect()
    }

    async fn head(&self, tenant: &TenantId) -> Result<Option<KeptHead>, StoreError> {
        heads::find(&self.0, tenant).await
    }

    async fn has_beyond(&self, tenant: &TenantId, last: u64) -> Result<bool, StoreError> {
        let outside = Condition::any().add(Column::Sequence.lt(1)).add(Column::Sequence.gt(place(last)));
        let query = of(tenant).filter(outside).limit(1);
        Ok(self.0.read(|db| query.clone().one(db)).await?.is_some())
    }

    async fn records(&self, tenant: &TenantId, after: u64, limit: u32) -> Result<Vec<Record>, StoreError> {
        let page =
            of(tenant).filter(Column::Sequence.gt(place(after))).order_by_asc(Column::Sequence).limit(u64::from(limit));
        self.0.read(|db| page.clone().all(db)).await?.iter().map(restore).collect()
    }

    async fn keys(&self) -> Result<Vec<KeyFingerprint>, StoreError> {
        heads::keys(&self.0).await
    }

    async fn sign(&self, tenant: &TenantId, head: &Head, signature: &HeadSignature) -> Result<bool, StoreError> {
        heads::sign(&self.0, tenant, head, signature).await
    }
}

fn restore_tenant(table: &'static str, name: &str) -> Result<TenantId, StoreError> {
    TenantId::parse(name).map_err(|broken| corrupt(table, "tenant_id", name, broken))
}

pub(crate) fn restore(row: &Model) -> Result<Record, StoreError> {
    let id = &row.sequence.to_string();
    let at = Timestamp::from_micros(row.recorded_at).map_err(|broken| corrupt(RECORDS, "recorded_at", id, broken))?;
    let action = Action::of_word(&row.action);
    Ok(Record {
        sequence: restore_place(RECORDS, row.sequence, id)?,
        entry: Entry { at, action, subject: row.subject.clone(), details: row.details.clone() },
        previous: restore_bytes(RECORDS, "previous", &row.previous, id)?,
        hash: restore_bytes(RECORDS, "hash", &row.hash, id)?,
    })
}
