//! Creates the tables of vocabularies and of their versions.
//!
//! A change of a vocabulary first writes the tenant's row in `configuration_versions`. So changes run one after
//! another, and each has its own version, one more than the previous one. A tenant has no row before its first change.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

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
