//! Which replica has which duty, and until when.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature cannot be met with the lifetime written out")]

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

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
        let postgres = manager.get_database_backend() == DbBackend::Postgres;
        let (key, clustered) = if postgres { ("TEXT COLLATE \"C\"", "") } else { ("TEXT", " WITHOUT ROWID") };
        for statement in STATEMENTS {
            let sql = statement.replace("{KEY}", key).replace("{CLUSTERED}", clustered);
            manager.get_connection().execute_unprepared(&sql).await?;
        }
        Ok(())
    }
}
