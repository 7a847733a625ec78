//! Adds the progress of each vocabulary's delivery. The columns are in the row that a change of the vocabulary writes,
//! so that the change makes its delivery pending in the same step.
//!
//! Vocabularies that were changed before this migration become pending.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

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
