//! On PostgreSQL one index for each way of finding, and none that another way could be taken for.
//!
//! While a table is small or its statistics are old, PostgreSQL takes an index for as good as another that leads with the
//! same column, and looks for one conversation among all of its tenant. It takes an index with a condition only for a
//! statement that the condition follows from, here one that compares the moment of creation; and it finds nothing by the
//! tenant alone in one that leads with the caller's identifier. SQLite is not misled, and takes no such condition on a
//! column that is never NULL for given.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature cannot be met with the lifetime written out")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0011_ways_to_find"
    }
}

const ON_POSTGRES: [&str; 6] = [
    "DROP INDEX messages_by_creation",
    "CREATE INDEX messages_by_creation ON messages (tenant_id, created_at, id) WHERE created_at IS NOT NULL",
    "DROP INDEX conversations_by_creation",
    "CREATE INDEX conversations_by_creation ON conversations (tenant_id, created_at, id) WHERE created_at IS NOT NULL",
    "ALTER TABLE conversations DROP CONSTRAINT conversations_tenant_id_external_id_key",
    "CREATE UNIQUE INDEX conversations_by_external_id ON conversations (external_id, tenant_id)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run_on_postgres(manager, &ON_POSTGRES).await
    }
}
