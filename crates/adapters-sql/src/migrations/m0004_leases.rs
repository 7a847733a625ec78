//! Creates the table of leases.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0004_leases"
    }
}

const STATEMENTS: [&str; 1] = ["CREATE TABLE leases (
        duty {KEY} NOT NULL PRIMARY KEY,
        replica_id TEXT NOT NULL,
        term BIGINT NOT NULL,
        held_until BIGINT NOT NULL
    ){CLUSTERED}"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run(manager, &STATEMENTS).await
    }
}
