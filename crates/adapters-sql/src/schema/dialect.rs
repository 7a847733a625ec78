//! The words of a statement in which the databases differ, so that migrations write each statement once.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::SchemaManager;

/// On PostgreSQL keys compare byte by byte (`COLLATE "C"`), as on SQLite.
const POSTGRES: [(&str, &str); 4] =
    [("{KEY}", "TEXT COLLATE \"C\""), ("{BYTES}", "BYTEA"), ("{SMALL}", "SMALLINT"), ("{CLUSTERED}", "")];

const SQLITE: [(&str, &str); 4] =
    [("{KEY}", "TEXT"), ("{BYTES}", "BLOB"), ("{SMALL}", "SMALLINT"), ("{CLUSTERED}", " WITHOUT ROWID")];

/// Runs statements on PostgreSQL; nothing on SQLite.
pub(super) async fn run_on_postgres(manager: &SchemaManager<'_>, statements: &[&str]) -> Result<(), DbErr> {
    if manager.get_database_backend() == DbBackend::Postgres { run(manager, statements).await } else { Ok(()) }
}

/// Runs statements, each in the words of the database at hand.
pub(super) async fn run(manager: &SchemaManager<'_>, statements: &[&str]) -> Result<(), DbErr> {
    let dialect = if manager.get_database_backend() == DbBackend::Postgres { POSTGRES } else { SQLITE };
    for statement in statements {
        let sql = dialect.iter().fold((*statement).to_owned(), |sql, (word, meaning)| sql.replace(word, meaning));
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}
