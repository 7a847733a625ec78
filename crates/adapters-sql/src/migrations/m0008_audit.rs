//! Creates the tables of the audit log: a chain of records for each tenant, and the head of each chain.
//!
//! An append first writes the tenant's row in `audit_heads`, so that appends to one chain run one after another.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0008_audit"
    }
}

const TABLES: [&str; 2] = [
    "CREATE TABLE audit_heads (
        tenant_id {KEY} NOT NULL,
        sequence BIGINT NOT NULL,
        hash {BYTES} NOT NULL,
        PRIMARY KEY (tenant_id)
    ){CLUSTERED}",
    "CREATE TABLE audit_records (
        tenant_id {KEY} NOT NULL,
        sequence BIGINT NOT NULL,
        recorded_at BIGINT NOT NULL,
        action TEXT NOT NULL,
        subject TEXT NOT NULL,
        details TEXT NOT NULL,
        previous {BYTES} NOT NULL,
        hash {BYTES} NOT NULL,
        PRIMARY KEY (tenant_id, sequence)
    ){CLUSTERED}",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run(manager, &TABLES).await
    }
}
