//! The differences between the SQL dialects, so that a migration contains each statement once.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::SchemaManager;

/// Keys compare byte by byte (`COLLATE "C"`), as on SQLite.
const POSTGRES: [(&str, &str); 4] =
    [("{KEY}", "TEXT COLLATE \"C\""), ("{BYTES}", "BYTEA"), ("{SMALL}", "SMALLINT"), ("{CLUSTERED}", "")];

const SQLITE: [(&str, &str); 4] =
    [("{KEY}", "TEXT"), ("{BYTES}", "BLOB"), ("{SMALL}", "SMALLINT"), ("{CLUSTERED}", " WITHOUT ROWID")];

/// Runs statements on PostgreSQL only.
pub(super) async fn run_on_postgres(manager: &SchemaManager<'_>, statements: &[&str]) -> Result<(), DbErr> {
    if manager.get_database_backend() == DbBackend::Postgres { run(manager, statements).await } else { Ok(()) }
}

/// Runs statements in the dialect of the database.
pub(super) async fn run(manager: &SchemaManager<'_>, statements: &[&str]) -> Result<(), DbErr> {
    let dialect = if manager.get_database_backend() == DbBackend::Postgres { POSTGRES } else { SQLITE };
    for statement in statements {
        let sql =
            dialect.iter().fold((*statement).to_owned(), |sql, (placeholder, term)| sql.replace(placeholder, term));
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}
