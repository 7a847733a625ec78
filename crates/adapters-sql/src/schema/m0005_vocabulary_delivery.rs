//! How far the delivery of each tenant's vocabulary is, in the row that its changes write, so that a change notes in the
//! same step that it is to be delivered.
//!
//! What was changed before there was any delivery is still to be delivered.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature cannot be met with the lifetime written out")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0005_vocabulary_delivery"
    }
}

const STATEMENTS: [&str; 8] = [
    "ALTER TABLE configuration_versions ADD COLUMN pending_since BIGINT",
    "ALTER TABLE configuration_versions ADD COLUMN delivered_version BIGINT",
    "ALTER TABLE configuration_versions ADD COLUMN delivered_at BIGINT",
    "ALTER TABLE configuration_versions ADD COLUMN failures BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE configuration_versions ADD COLUMN failure TEXT",
    "ALTER TABLE configuration_versions ADD COLUMN failed_at BIGINT",
    "ALTER TABLE configuration_versions ADD COLUMN next_attempt_at BIGINT",
    "UPDATE configuration_versions SET pending_since = changed_at",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run(manager, &STATEMENTS).await
    }
}
