//! Replaces indexes on PostgreSQL, so that its planner cannot choose a wrong one.
//!
//! While a table is small or its statistics are old, PostgreSQL rates two indexes with the same first column as equally
//! good, and may then search for one conversation among all conversations of its tenant. A partial index is used only
//! for a statement that implies its condition: here, a statement that compares `created_at`. An index that starts with
//! `external_id` cannot serve a search by tenant alone. SQLite does not choose wrong indexes, and does not treat such a
//! condition on a column that is never NULL as implied.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

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
