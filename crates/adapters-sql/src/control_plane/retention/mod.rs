//! Retention rules in SQL, and the conversations that they are about.
//!
//! The rules and their revision are read by one statement, so that no reader sees half of a replacement.

mod candidates;

use std::collections::BTreeMap;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    conversation::MetadataCriteria,
    error::StoreError,
    id::ConversationId,
    privacy::{
        CandidatePosition, RetentionCandidate, RetentionDays, RetentionRule, RetentionRules, RetentionStore,
        StoredRetention,
    },
    time::Timestamp,
};
use sea_orm::{DbErr, FromQueryResult, Value};

use crate::{
    Database,
    control_plane::statements::{execute, statement},
    error::corrupt,
};

const TABLE: &str = "retention_rules";

/// Stores retention rules in SQL.
#[derive(Clone, Debug)]
pub struct SqlRetention(Database);

impl SqlRetention {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// One row for each rule; one row without a rule if there is none.
const SELECT: &str = "SELECT t.revision, r.metadata, r.days
    FROM retention_runs t LEFT JOIN retention_rules r ON r.tenant_id = $1
    WHERE t.tenant_id = $1 ORDER BY r.position";

const BEGIN_CHANGE: &str = "INSERT INTO retention_runs (tenant_id, revision) VALUES ($1, 1)
    ON CONFLICT (tenant_id) DO UPDATE SET revision = retention_runs.revision + 1, last_began_at = NULL";

const DELETE: &str = "DELETE FROM retention_rules WHERE tenant_id = $1";

const INSERT: &str = "INSERT INTO retention_rules (tenant_id, position, metadata, days) VALUES ($1, $2, $3, $4)";

const DUE: &str = "SELECT tenant_id FROM retention_runs WHERE last_began_at IS NULL OR last_began_at <= $1
    ORDER BY tenant_id";

const RECORD_RUN: &str = "UPDATE retention_runs SET last_began_at = $3 WHERE tenant_id = $1 AND revision = $2";

#[derive(FromQueryResult)]
struct RuleRow {
    revision: i64,
    metadata: Option<String>,
    days: Option<i64>,
}

impl RuleRow {
    fn restore(self, tenant: &str) -> Result<Option<RetentionRule>, StoreError> {
        let Some((metadata, days)) = self.metadata.zip(self.days) else { return Ok(None) };
        // The parser's own error could quote the text.
        let pairs: BTreeMap<String, String> = serde_json::from_str(&metadata)
            .map_err(|_| corrupt(TABLE, "metadata", tenant, "is not a JSON object of strings"))?;
        let metadata = MetadataCriteria::parse(pairs).map_err(|error| corrupt(TABLE, "metadata", tenant, error))?;
        let days = RetentionDays::new(days.try_into().unwrap_or_default());
        Ok(Some(RetentionRule { metadata, days: days.map_err(|error| corrupt(TABLE, "days", tenant, error))? }))
    }
}

#[derive(FromQueryResult)]
struct TenantRow {
    tenant_id: String,
}

async fn replace(
    database: &Database,
    tenant: &TenantId,
    rules: &RetentionRules,
    entry: AuditEntry,
) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    execute(&transaction, BEGIN_CHANGE, [tenant.as_str().into()]).await?;
    execute(&transaction, DELETE, [tenant.as_str().into()]).await?;
    for (position, rule) in (0_i64..).zip(rules.as_slice()) {
        let pairs: BTreeMap<_, _> = rule.metadata.pairs().collect();
        // A map of strings always serializes.
        let metadata = serde_json::to_string(&pairs).unwrap_or_default();
        let days = i64::from(rule.days.get());
        let values: [Value; 4] = [tenant.as_str().into(), position.into(), metadata.into(), days.into()];
        execute(&transaction, INSERT, values).await?;
    }
    database.audit_recorder().append(&transaction, tenant, entry).await?;
    transaction.commit().await
}

async fn record_run(database: &Database, tenant: &TenantId, revision: u64, began: Timestamp) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    let revision = i64::try_from(revision).unwrap_or(i64::MAX);
    let values: [Value; 3] = [tenant.as_str().into(), revision.into(), began.as_micros().into()];
    execute(&transaction, RECORD_RUN, values).await?;
    transaction.commit().await
}

#[async_trait]
impl RetentionStore for SqlRetention {
    #[tracing::instrument(level = "debug", name = "sql.retention.retention", skip_all, fields(%tenant))]
    async fn retention(&self, tenant: &TenantId) -> Result<StoredRetention, StoreError> {
        let rows = self
            .0
            .read(async |db| RuleRow::find_by_statement(statement(db, SELECT, [tenant.as_str().into()])).all(db).await);
        let rows = rows.await?;
        let row = tenant.as_str();
        let revision = rows.first().map_or(0, |row| row.revision);
        let revision = revision.try_into().map_err(|error| corrupt("retention_runs", "revision", row, error))?;
        let rules = rows.into_iter().filter_map(|rule| rule.restore(row).transpose()).collect::<Result<_, _>>()?;
        let rules = RetentionRules::new(rules).map_err(|error| corrupt(TABLE, "position", row, error))?;
        Ok(StoredRetention { rules, revision })
    }

    #[tracing::instrument(level = "debug", name = "sql.retention.replace", skip_all, fields(%tenant))]
    async fn replace(&self, tenant: &TenantId, rules: &RetentionRules, entry: AuditEntry) -> Result<(), StoreError> {
        self.0.write(replace(&self.0, tenant, rules, entry)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.retention.candidates", skip_all, fields(%tenant))]
    async fn candidates<'a>(
        &self,
        tenant: &TenantId,
        after: Option<&'a CandidatePosition>,
        until: Timestamp,
        limit: u16,
    ) -> Result<Vec<RetentionCandidate>, StoreError> {
        candidates::page(&self.0, tenant, after, until, limit).await
    }

    #[tracing::instrument(level = "debug", name = "sql.retention.candidate", skip_all, fields(%tenant))]
    async fn candidate(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
    ) -> Result<Option<RetentionCandidate>, StoreError> {
        candidates::find(&self.0, tenant, conversation).await
    }

    #[tracing::instrument(level = "debug", name = "sql.retention.due", skip_all)]
    async fn due(&self, before: Timestamp) -> Result<Vec<TenantId>, StoreError> {
        let rows = self.0.read(async |db| {
            TenantRow::find_by_statement(statement(db, DUE, [before.as_micros().into()])).all(db).await
        });
        let restore = |row: TenantRow| {
            TenantId::parse(&row.tenant_id)
                .map_err(|error| corrupt("retention_runs", "tenant_id", &row.tenant_id, error))
        };
        rows.await?.into_iter().map(restore).collect()
    }

    #[tracing::instrument(level = "debug", name = "sql.retention.record_run", skip_all, fields(%tenant))]
    async fn record_run(&self, tenant: &TenantId, revision: u64, began: Timestamp) -> Result<(), StoreError> {
        self.0.write(record_run(&self.0, tenant, revision, began)).await
    }
}
