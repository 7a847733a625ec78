//! Creates the table of idempotency records, which make it safe to repeat a request.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

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
    // For deleting the expired records of all tenants.
    "CREATE INDEX receipts_by_age ON receipts (created_at)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run(manager, &STATEMENTS).await
    }
}
