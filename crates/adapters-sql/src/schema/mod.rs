//! The schema and its history. Migrations run one process at a time, all or none, and refuse a newer schema.

mod dialect;
mod m0001_conversations;
mod m0002_vocabularies;
mod m0003_redaction;
mod m0004_leases;
mod m0005_vocabulary_delivery;
mod m0006_feeds;
mod m0008_audit;
mod m0010_receipts;
mod m0011_ways_to_find;
mod m0012_adding_messages;
mod m0013_cheaper_writes;
mod m0014_fewer_looks;
mod m0015_leaner_additions;
mod m0016_signed_heads;
mod m0017_changes_before_the_audit_log;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityName, EntityTrait};
use sea_orm_migration::{IntoSchemaManagerConnection, MigrationTrait, MigratorTrait, SchemaManager, seaql_migrations};

use crate::database::begin;

/// Why the schema is not what this program needs.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// The schema lacks migrations that this program brings.
    #[error("has an older schema than this program needs: run `parlance migrate`")]
    Outdated,
    /// The schema has migrations that this program does not know.
    #[error("has a newer schema than this program knows: run the program that wrote it, or a later one")]
    Newer,
    /// The database has no schema of this program at all.
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
            Box::new(m0011_ways_to_find::Migration),
            Box::new(m0012_adding_messages::Migration),
            Box::new(m0013_cheaper_writes::Migration),
            Box::new(m0014_fewer_looks::Migration),
            Box::new(m0015_leaner_additions::Migration),
            Box::new(m0016_signed_heads::Migration),
            Box::new(m0017_changes_before_the_audit_log::Migration),
        ]
    }
}

/// An arbitrary number that every Parlance takes as the key of its advisory lock on PostgreSQL.
const ADVISORY_LOCK: i64 = 0x7061_726c_616e_6365;

pub(crate) async fn migrate(db: &DatabaseConnection) -> Result<(), SchemaError> {
    let transaction = begin(db).await?;
    if transaction.get_database_backend() == DbBackend::Postgres {
        transaction.execute_unprepared("SET LOCAL statement_timeout = 0").await?;
        transaction.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({ADVISORY_LOCK})")).await?;
    }
    let applied = applied(&transaction).await?;
    refuse_newer(&applied)?;
    // A role that may not alter the schema can still find that there is nothing to alter.
    if is_outdated(&applied) {
        Migrator::up(&transaction, None).await?;
    }
    transaction.commit().await?;
    Ok(())
}

pub(crate) async fn check(db: &DatabaseConnection) -> Result<(), SchemaError> {
    let applied = applied(db).await?;
    refuse_newer(&applied)?;
    if is_outdated(&applied) { Err(SchemaError::Outdated) } else { Ok(()) }
}

fn is_outdated(applied: &[String]) -> bool {
    Migrator::migrations().iter().any(|known| !applied.iter().any(|name| name == known.name()))
}

/// Whether this program can use the schema, once its own migrations have been added to it.
pub(crate) async fn check_readable(db: &DatabaseConnection) -> Result<(), SchemaError> {
    let applied = applied(db).await?;
    if applied.is_empty() {
        return Err(SchemaError::Missing);
    }
    refuse_newer(&applied)
}

fn refuse_newer(applied: &[String]) -> Result<(), SchemaError> {
    let known = Migrator::migrations();
    let newer = applied.iter().any(|name| !known.iter().any(|migration| migration.name() == name));
    if newer { Err(SchemaError::Newer) } else { Ok(()) }
}

/// The names of the migrations that the database has seen; none where it has no record of any.
async fn applied<'db, C>(db: &'db C) -> Result<Vec<String>, DbErr>
where
    C: ConnectionTrait,
    &'db C: IntoSchemaManagerConnection<'db>,
{
    let record = seaql_migrations::Entity;
    if !SchemaManager::new(db).has_table(record.table_name()).await? {
        return Ok(Vec::new());
    }
    let rows = seaql_migrations::Entity::find().all(db).await?;
    Ok(rows.into_iter().map(|migration| migration.version).collect())
}
