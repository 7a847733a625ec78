//! The words of a table in which the databases differ, so that migrations write each table once.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::SchemaManager;

/// On PostgreSQL keys compare byte by byte (`COLLATE "C"`), as on SQLite.
const POSTGRES: [(&str, &str); 4] =
    [("{KEY}", "TEXT COLLATE \"C\""), ("{BYTES}", "BYTEA"), ("{SMALL}", "SMALLINT"), ("{CLUSTERED}", "")];

const SQLITE: [(&str, &str); 4] =
    [("{KEY}", "TEXT"), ("{BYTES}", "BLOB"), ("{SMALL}", "SMALLINT"), ("{CLUSTERED}", " WITHOUT ROWID")];

/// Creates tables, each in the words of the database at hand.
pub(super) async fn create_tables(manager: &SchemaManager<'_>, tables: &[&str]) -> Result<(), DbErr> {
    let dialect = if manager.get_database_backend() == DbBackend::Postgres { POSTGRES } else { SQLITE };
    for table in tables {
        let sql = dialect.iter().fold((*table).to_owned(), |sql, (word, meaning)| sql.replace(word, meaning));
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}
