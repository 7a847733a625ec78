//! Vocabularies, and for each tenant the version of what it has configured.
//!
//! A tenant's row in `configuration_versions` is the first that a change of its vocabulary writes, so that changes take
//! turns and each has a version of its own, one more than the last. It has no row before its first change.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature cannot be met with the lifetime written out")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0002_vocabularies"
    }
}

const TABLES: [&str; 2] = [
    "CREATE TABLE configuration_versions (
        tenant_id {KEY} NOT NULL,
        vocabulary_version BIGINT NOT NULL,
        changed_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id)
    ){CLUSTERED}",
    "CREATE TABLE vocabularies (
        tenant_id {KEY} NOT NULL,
        id {KEY} NOT NULL,
        phrase {KEY} NOT NULL,
        sounds_like TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, id),
        UNIQUE (tenant_id, phrase)
    ){CLUSTERED}",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run(manager, &TABLES).await
    }
}
