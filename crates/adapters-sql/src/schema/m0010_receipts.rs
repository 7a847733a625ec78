//! Receipts of requests: what makes it safe to send one again.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature cannot be met with the lifetime written out")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0010_receipts"
    }
}

const STATEMENTS: [&str; 2] = [
    "CREATE TABLE receipts (
        tenant_id {KEY} NOT NULL,
        operation {KEY} NOT NULL,
        key_digest {BYTES} NOT NULL,
        request_digest {BYTES} NOT NULL,
        ids TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, operation, key_digest)
    ){CLUSTERED}",
    // For dropping those of all tenants that hold no longer.
    "CREATE INDEX receipts_by_age ON receipts (created_at)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run(manager, &STATEMENTS).await
    }
}
