//! The schema migrations. One process at a time runs them, all or none, and a newer schema is an error.
//!
//! The name of a migration is stored in `seaql_migrations` and never changes, even if its module is renamed.

mod dialect;
mod m0001_conversations;
mod m0002_vocabularies;
mod m0003_redaction;
mod m0004_leases;
mod m0005_vocabulary_delivery;
mod m0006_feeds;
mod m0008_audit;
mod m0010_receipts;
mod m0011_postgres_indexes;
mod m0012_add_messages_function;
mod m0013_late_change_function;
mod m0014_late_insert_trigger;
mod m0015_add_messages_rejections;
mod m0016_audit_head_signatures;
mod m0017_backfill_audit_records;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityName, EntityTrait};
use sea_orm_migration::{IntoSchemaManagerConnection, MigrationTrait, MigratorTrait, SchemaManager, seaql_migrations};

use crate::engine::write_transaction::begin_write;

/// Why the schema does not fit this program.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// The schema lacks migrations of this program.
    #[error("has an older schema than this program needs: run `parlance migrate`")]
    Outdated,
    /// The schema has migrations that are unknown to this program.
    #[error("has a newer schema than this program knows: run the program that wrote it, or a later one")]
    Newer,
    /// The database has no schema of this program.
    #[error("is not a database of Parlance: run `parlance migrate` to make it one")]
    Missing,
    /// The database failed.
    #[error("failed while its schema was read or changed: {0}")]
    Database(Box<str>),
}

impl From<DbErr> for SchemaError {
    fn from(error: DbErr) -> Self {
        Self::Database(error.to_string().into())
    }
}

struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_conversations::Migration),
            Box::new(m0002_vocabularies::Migration),
            Box::new(m0003_redaction::Migration),
            Box::new(m0004_leases::Migration),
            Box::new(m0005_vocabulary_delivery::Migration),
            Box::new(m0006_feeds::Migration),
            Box::new(m0008_audit::Migration),
            Box::new(m0010_receipts::Migration),
            Box::new(m0011_postgres_indexes::Migration),
            Box::new(m0012_add_messages_function::Migration),
            Box::new(m0013_late_change_function::Migration),
            Box::new(m0014_late_insert_trigger::Migration),
            Box::new(m0015_add_messages_rejections::Migration),
            Box::new(m0016_audit_head_signatures::Migration),
            Box::new(m0017_backfill_audit_records::Migration),
        ]
    }
}

/// The key of the advisory lock that a migration takes on PostgreSQL. The number is arbitrary.
const ADVISORY_LOCK: i64 = 0x7061_726c_616e_6365;

pub(crate) async fn migrate(db: &DatabaseConnection) -> Result<(), SchemaError> {
    let transaction = begin_write(db).await?;
    if transaction.get_database_backend() == DbBackend::Postgres {
        transaction.execute_unprepared("SET LOCAL statement_timeout = 0").await?;
        transaction.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({ADVISORY_LOCK})")).await?;
    }
    let applied = applied_migrations(&transaction).await?;
    refuse_newer(&applied)?;
    // A role without the right to alter the schema succeeds if no migration is pending.
    if is_outdated(&applied) {
        Migrator::up(&transaction, None).await?;
    }
    transaction.commit().await?;
    Ok(())
}

pub(crate) async fn check(db: &DatabaseConnection) -> Result<(), SchemaError> {
    let applied = applied_migrations(db).await?;
    refuse_newer(&applied)?;
    if is_outdated(&applied) { Err(SchemaError::Outdated) } else { Ok(()) }
}

fn is_outdated(applied: &[String]) -> bool {
    Migrator::migrations().iter().any(|migration| !applied.iter().any(|name| name == migration.name()))
}

/// Checks that [`migrate`] can bring the schema to the version of this program.
pub(crate) async fn check_migratable(db: &DatabaseConnection) -> Result<(), SchemaError> {
    let applied = applied_migrations(db).await?;
    if applied.is_empty() {
        return Err(SchemaError::Missing);
    }
    refuse_newer(&applied)
}

fn refuse_newer(applied: &[String]) -> Result<(), SchemaError> {
    let migrations = Migrator::migrations();
    let is_newer = applied.iter().any(|name| !migrations.iter().any(|migration| migration.name() == name));
    if is_newer { Err(SchemaError::Newer) } else { Ok(()) }
}

/// The names of the applied migrations; empty if the database has no table of migrations.
async fn applied_migrations<'db, C>(db: &'db C) -> Result<Vec<String>, DbErr>
where
    C: ConnectionTrait,
    &'db C: IntoSchemaManagerConnection<'db>,
{
    let entity = seaql_migrations::Entity;
    if !SchemaManager::new(db).has_table(entity.table_name()).await? {
        return Ok(Vec::new());
    }
    let rows = seaql_migrations::Entity::find().all(db).await?;
    Ok(rows.into_iter().map(|migration| migration.version).collect())
}
