//! Adds audit records for credentials and switches that are older than the audit log, so that every stored change has a
//! record, and a change without one can be recognised. A database that has had the audit log from the start gets no
//! records.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use std::collections::BTreeMap;

use parlance_domain::{
    access::{Credential, TenantId},
    audit::AuditEntry,
    redaction::SwitchRecord,
};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, Statement};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use crate::control_plane::{
    audit::AuditRecorder,
    credentials::restore as restore_credential,
    entities::{credential, redaction_switch},
    redaction_audit::restore as restore_switch,
};

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0017_changes_before_the_audit_log"
    }
}

/// The time at which the audit log was created, in seconds since 1970.
const SELECT_LOG_START: &str = "SELECT applied_at FROM seaql_migrations WHERE version = 'm0008_audit'";

/// The conditions that a credential and a switch have no audit record.
const NOT_RECORDED: [&str; 2] = [
    "NOT EXISTS (SELECT 1 FROM audit_records WHERE audit_records.tenant_id = credentials.tenant_id
        AND action = 'credential.created' AND subject = api_id)",
    "NOT EXISTS (SELECT 1 FROM audit_records WHERE audit_records.tenant_id = redaction_audit.tenant_id
        AND action = 'entity.switched' AND subject = label AND recorded_at = switched_at)",
];

#[derive(FromQueryResult)]
struct LogStart {
    applied_at: i64,
}

/// The changes of a tenant that are older than the audit log.
type UnrecordedChanges = (Vec<Credential>, Vec<SwitchRecord>);

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let statement = Statement::from_string(connection.get_database_backend(), SELECT_LOG_START);
        let Some(LogStart { applied_at }) = LogStart::find_by_statement(statement).one(connection).await? else {
            return Ok(());
        };
        let changes = unrecorded_before(connection, applied_at.saturating_mul(1_000_000)).await?;
        for (tenant, (credentials, switches)) in &changes {
            for entry in AuditEntry::backfill(credentials, switches) {
                AuditRecorder::default().append(connection, tenant, entry).await?;
            }
        }
        Ok(())
    }
}

/// The changes before this time, by tenant. Rows that break a rule are left out, because the verification reports them.
async fn unrecorded_before<C: ConnectionTrait>(
    connection: &C,
    micros: i64,
) -> Result<BTreeMap<TenantId, UnrecordedChanges>, DbErr> {
    let [credentials, switches] = NOT_RECORDED.map(sea_orm::sea_query::Expr::cust);
    let mut changes: BTreeMap<TenantId, UnrecordedChanges> = BTreeMap::new();
    let rows = credential::Entity::find()
        .filter(credential::Column::CreatedAt.lt(micros))
        .filter(credentials)
        .order_by_asc(credential::Column::CreatedAt)
        .order_by_asc(credential::Column::ApiId);
    for credential in rows.all(connection).await?.iter().filter_map(|row| restore_credential(row).ok()) {
        changes.entry(credential.id.tenant().clone()).or_default().0.push(credential);
    }
    let rows = redaction_switch::Entity::find()
        .filter(redaction_switch::Column::SwitchedAt.lt(micros))
        .filter(switches)
        .order_by_asc(redaction_switch::Column::SwitchedAt)
        .order_by_asc(redaction_switch::Column::Id);
    for row in rows.all(connection).await? {
        if let (Ok(tenant), Ok(record)) = (TenantId::parse(&row.tenant_id), restore_switch(&row)) {
            changes.entry(tenant).or_default().1.push(record);
        }
    }
    Ok(changes)
}
