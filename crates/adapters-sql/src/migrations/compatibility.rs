//! Which older programs can work on a schema: those that know the required migration. It is the last migration that
//! changes something that older programs use.

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Statement};
use sea_orm_migration::{IntoSchemaManagerConnection, SchemaManager};

const DELETE: &str = "DELETE FROM schema_compatibility";
const INSERT: &str = "INSERT INTO schema_compatibility (required_migration) VALUES ($1)";

#[derive(FromQueryResult)]
struct Compatibility {
    required_migration: String,
}

/// The migration that a program must know to work on this schema; `None` if the schema does not record it.
pub(super) async fn required_migration<'db, C>(db: &'db C) -> Result<Option<String>, DbErr>
where
    C: ConnectionTrait,
    &'db C: IntoSchemaManagerConnection<'db>,
{
    if !SchemaManager::new(db).has_table("schema_compatibility").await? {
        return Ok(None);
    }
    let select = "SELECT required_migration FROM schema_compatibility";
    let select = Statement::from_string(db.get_database_backend(), select);
    Ok(Compatibility::find_by_statement(select).one(db).await?.map(|row| row.required_migration))
}

/// Records the migration that a program must know to work on this schema.
pub(super) async fn record_required_migration<C: ConnectionTrait>(
    db: &C,
    required_migration: &str,
) -> Result<(), DbErr> {
    db.execute_unprepared(DELETE).await?;
    let values = [required_migration.into()];
    db.execute_raw(Statement::from_sql_and_values(db.get_database_backend(), INSERT, values)).await?;
    Ok(())
}
