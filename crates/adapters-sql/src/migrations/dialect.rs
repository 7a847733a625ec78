//! Migrations in SQL, and the differences between the dialects, so that a migration contains each statement once. Like
//! the migrations, the terms of the dialects never change: a new difference gets a new placeholder.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

/// Keys compare byte by byte (`COLLATE "C"`), as on SQLite.
const POSTGRES: [(&str, &str); 10] = [
    ("{KEY}", "TEXT COLLATE \"C\""),
    ("{BYTES}", "BYTEA"),
    ("{SMALL}", "SMALLINT"),
    ("{CLUSTERED}", ""),
    ("{IF_COMPARED}", " WHERE created_at IS NOT NULL"),
    ("{EXTERNAL_ID_KEY}", ""),
    ("{PAIR}", "BYTEA"),
    ("{BYTEWISE}", " COLLATE \"C\""),
    ("{IF_STARTED}", " WHERE started_at IS NOT NULL"),
    (
        "{EXTERNAL_ID_INDEX}",
        "CREATE UNIQUE INDEX conversations_by_external_id ON conversations (external_id, tenant_id);",
    ),
];

const SQLITE: [(&str, &str); 10] = [
    ("{KEY}", "TEXT"),
    ("{BYTES}", "BLOB"),
    ("{SMALL}", "SMALLINT"),
    ("{CLUSTERED}", " WITHOUT ROWID"),
    ("{IF_COMPARED}", ""),
    ("{EXTERNAL_ID_KEY}", ", UNIQUE (tenant_id, external_id)"),
    ("{PAIR}", "TEXT"),
    ("{BYTEWISE}", ""),
    ("{IF_STARTED}", ""),
    ("{EXTERNAL_ID_INDEX}", ""),
];

/// Statements of a migration, with placeholders for the terms of the dialect.
#[derive(Clone, Copy)]
pub(super) enum Sql {
    Any(&'static str),
    Postgres(&'static str),
    Sqlite(&'static str),
}

/// A migration that runs statements in this order. A released migration never changes.
#[derive(Clone, Copy)]
pub(super) struct SqlMigration {
    /// The name that is stored in `seaql_migrations`.
    pub(super) name: &'static str,
    /// Whether programs that do not know this migration work on the schema after it: it only adds what they neither
    /// read nor write, and each new column has a default.
    pub(super) serves_older_programs: bool,
    pub(super) statements: &'static [Sql],
}

impl MigrationName for SqlMigration {
    fn name(&self) -> &'static str {
        self.name
    }
}

#[async_trait::async_trait]
impl MigrationTrait for SqlMigration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let is_postgres = manager.get_database_backend() == DbBackend::Postgres;
        let dialect = if is_postgres { &POSTGRES } else { &SQLITE };
        for statement in self.statements {
            let sql = match statement {
                Sql::Postgres(_) if !is_postgres => continue,
                Sql::Sqlite(_) if is_postgres => continue,
                Sql::Any(sql) | Sql::Postgres(sql) | Sql::Sqlite(sql) => fill(sql, dialect),
            };
            manager.get_connection().execute_unprepared(&sql).await?;
        }
        Ok(())
    }
}

/// The template with the terms of PostgreSQL.
pub(super) fn fill_postgres(template: &str) -> String {
    fill(template, &POSTGRES)
}

/// The template with each placeholder replaced by its term.
pub(super) fn fill(template: &str, terms: &[(&str, &str)]) -> String {
    terms.iter().fold(template.to_owned(), |sql, (placeholder, term)| sql.replace(placeholder, term))
}
