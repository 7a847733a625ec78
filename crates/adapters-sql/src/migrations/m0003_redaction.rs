//! Creates the tables of redaction flags and of their switch records, and adds to each message the entities that it was
//! masked with.
//!
//! Existing messages get the empty set, `0`, because they were not masked. They are therefore masked when they are
//! read.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0003_redaction"
    }
}

const STATEMENTS: [&str; 3] = [
    "CREATE TABLE redaction_flags (
        tenant_id {KEY} NOT NULL,
        label {KEY} NOT NULL,
        active BOOLEAN NOT NULL,
        PRIMARY KEY (tenant_id, label)
    ){CLUSTERED}",
    "CREATE TABLE redaction_audit (
        tenant_id {KEY} NOT NULL,
        switched_at BIGINT NOT NULL,
        id {KEY} NOT NULL,
        label TEXT NOT NULL,
        was_active BOOLEAN NOT NULL,
        is_active BOOLEAN NOT NULL,
        credential TEXT,
        reference TEXT,
        first_approver TEXT,
        second_approver TEXT,
        PRIMARY KEY (tenant_id, switched_at, id)
    ){CLUSTERED}",
    "ALTER TABLE messages ADD COLUMN masked_with TEXT NOT NULL DEFAULT '0'",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run(manager, &STATEMENTS).await
    }
}
