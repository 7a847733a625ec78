//! The schema migrations. One process at a time runs them, all or none, and a newer schema is an error.
//!
//! A released migration never changes, and imports nothing of another one. Its name is stored in `seaql_migrations`.
//! Functions and triggers are in [`functions`], which are installed after the migrations.

mod dialect;
mod functions;
mod m0001_baseline;
mod m0002_schema_functions;
mod m0003_vocabulary_delivery;
mod squashed;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityName, EntityTrait};
use sea_orm_migration::{IntoSchemaManagerConnection, MigrationTrait, MigratorTrait, SchemaManager, seaql_migrations};

use crate::engine::write_transaction::begin_write;

/// Why the schema does not fit this program.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// The schema lacks migrations or functions of this program.
    #[error("has an older schema than this program needs: run `parlance migrate`")]
    Outdated,
    /// The schema is older than the oldest one that this program upgrades.
    #[error(
        "has an older schema than this program can upgrade: first run `parlance migrate` of the last program that has \
         the migration m0017_changes_before_the_audit_log, then `parlance migrate` of this program"
    )]
    BeforeBaseline,
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
            Box::new(m0001_baseline::MIGRATION),
            Box::new(m0002_schema_functions::MIGRATION),
            Box::new(m0003_vocabulary_delivery::MIGRATION),
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
    let schema = StoredSchema::read(&transaction).await?;
    // A role without the right to alter the schema succeeds if nothing is pending.
    if schema.is_outdated() {
        if squashed::is_complete(&schema.applied) {
            squashed::adopt(&transaction).await?;
        }
        Migrator::up(&transaction, None).await?;
        functions::install(&transaction, &schema.functions).await?;
    }
    transaction.commit().await?;
    Ok(())
}

pub(crate) async fn check(db: &DatabaseConnection) -> Result<(), SchemaError> {
    if StoredSchema::read(db).await?.is_outdated() { Err(SchemaError::Outdated) } else { Ok(()) }
}

/// Checks that [`migrate`] can bring the schema to the version of this program.
pub(crate) async fn check_migratable(db: &DatabaseConnection) -> Result<(), SchemaError> {
    if StoredSchema::read(db).await?.applied.is_empty() { Err(SchemaError::Missing) } else { Ok(()) }
}

/// The schema of a database, as far as it is recorded there.
struct StoredSchema {
    backend: DbBackend,
    /// The names of the applied migrations; empty if the database has no table of migrations.
    applied: Vec<String>,
    functions: functions::InstalledDigests,
}

impl StoredSchema {
    /// Reads the schema. One that this program cannot upgrade is an error.
    async fn read<'db, C>(db: &'db C) -> Result<Self, SchemaError>
    where
        C: ConnectionTrait,
        &'db C: IntoSchemaManagerConnection<'db>,
    {
        let applied = applied_migrations(db).await?;
        let migrations = Migrator::migrations();
        let is_known = |name: &String| migrations.iter().any(|migration| migration.name() == name);
        if !applied.iter().all(|name| is_known(name) || squashed::is_replaced(name)) {
            return Err(SchemaError::Newer);
        }
        if applied.iter().any(|name| squashed::is_replaced(name)) && !squashed::is_complete(&applied) {
            return Err(SchemaError::BeforeBaseline);
        }
        let functions = functions::installed_digests(db).await?;
        Ok(Self { backend: db.get_database_backend(), applied, functions })
    }

    fn is_outdated(&self) -> bool {
        let is_applied = |migration: &dyn MigrationTrait| self.applied.iter().any(|name| name == migration.name());
        !Migrator::migrations().iter().all(|migration| is_applied(&**migration))
            || !functions::are_installed(self.backend, &self.functions)
    }
}

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
