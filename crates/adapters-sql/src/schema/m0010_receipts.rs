//! Receipts of requests: what makes it safe to send one again.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature cannot be met with the lifetime written out")]

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

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
        let postgres = manager.get_database_backend() == DbBackend::Postgres;
        let (key, bytes, clustered) =
            if postgres { ("TEXT COLLATE \"C\"", "BYTEA", "") } else { ("TEXT", "BLOB", " WITHOUT ROWID") };
        for statement in STATEMENTS {
            let sql = statement.replace("{KEY}", key).replace("{BYTES}", bytes).replace("{CLUSTERED}", clustered);
            manager.get_connection().execute_unprepared(&sql).await?;
        }
        Ok(())
    }
}
