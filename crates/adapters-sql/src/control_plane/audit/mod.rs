//! The audit log in SQL. This module reads the chains; [`AuditRecorder`] appends records to them, in the transaction of
//! the recorded change.

pub(crate) mod columns;
mod head_rows;
mod heads;
mod recorder;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::{AuditAction, AuditEntry, AuditRecord, AuditStore, ChainHead, HeadSignature, StoredHead},
    error::StoreError,
    signing::KeyFingerprint,
    time::Timestamp,
};
use sea_orm::{ColumnTrait, Condition, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, Statement};

pub(crate) use head_rows::restore_head;
pub(crate) use recorder::{AuditRecorder, lock_chain};

use crate::{
    Database,
    control_plane::entities::{
        audit_record::{Column, Entity, Model},
        tenant_scope::tenant_rows,
    },
    error::corrupt,
};
use columns::{restore_bytes, restore_sequence, sequence_to_i64};

const TABLE: &str = "audit_records";

/// Stores the audit log in SQL.
#[derive(Clone, Debug)]
pub struct SqlAudit(Database);

impl SqlAudit {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// Every tenant that has a row in one of these tables. The rows themselves are not validated.
const SELECT_TENANTS: &str = "SELECT tenant_id FROM audit_records UNION SELECT tenant_id FROM audit_heads
    UNION SELECT tenant_id FROM credentials UNION SELECT tenant_id FROM redaction_flags
    UNION SELECT tenant_id FROM redaction_audit ORDER BY 1";

#[derive(FromQueryResult)]
struct TenantRow {
    tenant_id: String,
}

#[async_trait]
impl AuditStore for SqlAudit {
    #[tracing::instrument(level = "debug", name = "sql.audit.tenants", skip_all)]
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        let reader = self.0.reader();
        let statement = Statement::from_string(reader.get_database_backend(), SELECT_TENANTS);
        let rows = self.0.read(|db| TenantRow::find_by_statement(statement.clone()).all(db)).await?;
        rows.iter().map(|row| restore_tenant(TABLE, &row.tenant_id)).collect()
    }

    #[tracing::instrument(level = "debug", name = "sql.audit.head", skip_all, fields(%tenant))]
    async fn head(&self, tenant: &TenantId) -> Result<Option<StoredHead>, StoreError> {
        heads::find(&self.0, tenant).await
    }

    #[tracing::instrument(level = "debug", name = "sql.audit.has_records_beyond", skip_all, fields(%tenant))]
    async fn has_records_beyond(&self, tenant: &TenantId, last: u64) -> Result<bool, StoreError> {
        let out_of_range = Condition::any().add(Column::Sequence.lt(1)).add(Column::Sequence.gt(sequence_to_i64(last)));
        let query = tenant_rows::<Entity>(tenant).filter(out_of_range).limit(1);
        Ok(self.0.read(|db| query.clone().one(db)).await?.is_some())
    }

    #[tracing::instrument(level = "debug", name = "sql.audit.records", skip_all, fields(%tenant))]
    async fn records(&self, tenant: &TenantId, after: u64, limit: u32) -> Result<Vec<AuditRecord>, StoreError> {
        let page = tenant_rows::<Entity>(tenant)
            .filter(Column::Sequence.gt(sequence_to_i64(after)))
            .order_by_asc(Column::Sequence)
            .limit(u64::from(limit));
        self.0.read(|db| page.clone().all(db)).await?.iter().map(restore).collect()
    }

    #[tracing::instrument(level = "debug", name = "sql.audit.keys", skip_all)]
    async fn keys(&self) -> Result<Vec<KeyFingerprint>, StoreError> {
        heads::keys(&self.0).await
    }

    #[tracing::instrument(level = "debug", name = "sql.audit.sign", skip_all, fields(%tenant))]
    async fn sign(&self, tenant: &TenantId, head: &ChainHead, signature: &HeadSignature) -> Result<bool, StoreError> {
        heads::sign(&self.0, tenant, head, signature).await
    }
}

fn restore_tenant(table: &'static str, name: &str) -> Result<TenantId, StoreError> {
    TenantId::parse(name).map_err(|error| corrupt(table, "tenant_id", name, error))
}

pub(crate) fn restore(row: &Model) -> Result<AuditRecord, StoreError> {
    let id = &row.sequence.to_string();
    let at = Timestamp::from_micros(row.recorded_at).map_err(|error| corrupt(TABLE, "recorded_at", id, error))?;
    let action = AuditAction::from_word(&row.action);
    Ok(AuditRecord {
        sequence: restore_sequence(TABLE, row.sequence, id)?,
        entry: AuditEntry { at, action, subject: row.subject.clone(), details: row.details.clone() },
        previous: restore_bytes(TABLE, "previous", &row.previous, id)?,
        hash: restore_bytes(TABLE, "hash", &row.hash, id)?,
    })
}
