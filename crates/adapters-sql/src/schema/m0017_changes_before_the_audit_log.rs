//! Records for credentials and switches that are older than the audit log, so that everything stored is on record and
//! what is not can be told from it. A database that had the log from its beginning has none.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature cannot be met with the lifetime written out")]

use std::collections::BTreeMap;

use parlance_domain::{
    access::{Credential, TenantId},
    audit::Entry,
    redaction::SwitchRecord,
};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, Statement};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use crate::{
    audit::Recording,
    credentials,
    entity::{credential, redaction_switch},
    redaction_audit,
};

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0017_changes_before_the_audit_log"
    }
}

/// When the log was begun, in seconds since 1970.
const BEGUN: &str = "SELECT applied_at FROM seaql_migrations WHERE version = 'm0008_audit'";

/// What no record says anything of.
const NOT_ON_RECORD: [&str; 2] = [
    "NOT EXISTS (SELECT 1 FROM audit_records WHERE audit_records.tenant_id = credentials.tenant_id
        AND action = 'credential.created' AND subject = api_id)",
    "NOT EXISTS (SELECT 1 FROM audit_records WHERE audit_records.tenant_id = redaction_audit.tenant_id
        AND action = 'entity.switched' AND subject = label AND recorded_at = switched_at)",
];

#[derive(FromQueryResult)]
struct Begun {
    applied_at: i64,
}

/// A tenant's changes that are older than its log.
type Older = (Vec<Credential>, Vec<SwitchRecord>);

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let begun = Statement::from_string(connection.get_database_backend(), BEGUN);
        let Some(Begun { applied_at }) = Begun::find_by_statement(begun).one(connection).await? else { return Ok(()) };
        let older = older_than(connection, applied_at.saturating_mul(1_000_000)).await?;
        for (tenant, (credentials, switches)) in &older {
            for entry in Entry::found_late(credentials, switches) {
                Recording::default().add(connection, tenant, entry).await?;
            }
        }
        Ok(())
    }
}

/// Changes before that moment, by tenant. Rows that break a rule are left out: verification names them.
async fn older_than<C: ConnectionTrait>(connection: &C, micros: i64) -> Result<BTreeMap<TenantId, Older>, DbErr> {
    let [credentials, switches] = NOT_ON_RECORD.map(sea_orm::sea_query::Expr::cust);
    let mut older: BTreeMap<TenantId, Older> = BTreeMap::new();
    let rows = credential::Entity::find()
        .filter(credential::Column::CreatedAt.lt(micros))
        .filter(credentials)
        .order_by_asc(credential::Column::CreatedAt)
        .order_by_asc(credential::Column::ApiId);
    for credential in rows.all(connection).await?.iter().filter_map(|row| credentials::restore(row).ok()) {
        older.entry(credential.id.tenant().clone()).or_default().0.push(credential);
    }
    let rows = redaction_switch::Entity::find()
        .filter(redaction_switch::Column::SwitchedAt.lt(micros))
        .filter(switches)
        .order_by_asc(redaction_switch::Column::SwitchedAt)
        .order_by_asc(redaction_switch::Column::Id);
    for row in rows.all(connection).await? {
        if let (Ok(tenant), Ok(record)) = (TenantId::parse(&row.tenant_id), redaction_audit::restore(&row)) {
            older.entry(tenant).or_default().1.push(record);
        }
    }
    Ok(older)
}
