//! The schema migrations. One process at a time runs them, all or none. A program works on a newer schema if that
//! schema serves older programs, so that two releases can run on one database. A released migration never changes, and
//! imports nothing of another one. Functions and triggers are in [`functions`], and are installed after the migrations.

mod change_log_triggers;
mod compatibility;
mod dialect;
mod functions;
mod m0001_baseline;
mod m0002_schema_functions;
mod m0003_vocabulary_delivery;
mod m0004_versioned_functions;
mod m0005_message_redactions;
mod m0006_conversation_criteria;
mod m0007_hours_of_late_changes;
mod m0008_change_log;
mod m0009_stream_addresses;
mod m0010_webhooks;
mod m0011_erased_conversations;
mod m0012_holds_and_retention;
mod m0013_privacy_requests;
mod m0014_ledger_of_erasures;
mod m0015_erased_tenants;
mod m0016_privacy_request_failures;
mod m0017_digest_keys;
mod m0018_last_feed_revisions;
mod m0019_stream_credential_digests;
mod online;
mod schema_error;
mod squashed;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityName, EntityTrait, Statement};
use sea_orm_migration::{IntoSchemaManagerConnection, MigrationTrait, MigratorTrait, SchemaManager, seaql_migrations};

use crate::{engine::write_transaction::begin_write, error::is_sqlite_busy};
use dialect::SqlMigration;
pub use schema_error::SchemaError;
use schema_error::{MigrateError, is_missing_right};

/// What a migration changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MigrationReport {
    /// Whether the database had no schema before.
    pub is_new: bool,
    /// The names of the applied migrations, in their order.
    pub migrations: Vec<&'static str>,
    /// The names of the functions and triggers that were installed.
    pub functions: Vec<&'static str>,
}

/// All migrations, in the order in which they are applied.
const MIGRATIONS: [SqlMigration; 19] = [
    m0001_baseline::MIGRATION,
    m0002_schema_functions::MIGRATION,
    m0003_vocabulary_delivery::MIGRATION,
    m0004_versioned_functions::MIGRATION,
    m0005_message_redactions::MIGRATION,
    m0006_conversation_criteria::MIGRATION,
    m0007_hours_of_late_changes::MIGRATION,
    m0008_change_log::MIGRATION,
    m0009_stream_addresses::MIGRATION,
    m0010_webhooks::MIGRATION,
    m0011_erased_conversations::MIGRATION,
    m0012_holds_and_retention::MIGRATION,
    m0013_privacy_requests::MIGRATION,
    m0014_ledger_of_erasures::MIGRATION,
    m0015_erased_tenants::MIGRATION,
    m0016_privacy_request_failures::MIGRATION,
    m0017_digest_keys::MIGRATION,
    m0018_last_feed_revisions::MIGRATION,
    m0019_stream_credential_digests::MIGRATION,
];

/// The migration that a program must know to work on the schema of this program.
fn required_migration() -> &'static str {
    let required = MIGRATIONS.iter().rev().find(|migration| !migration.serves_older_programs);
    required.map_or(m0001_baseline::MIGRATION.name, |migration| migration.name)
}

fn is_known(name: &str) -> bool {
    MIGRATIONS.iter().any(|migration| migration.name == name)
}

struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        MIGRATIONS.iter().map(|migration| Box::new(*migration) as Box<dyn MigrationTrait>).collect()
    }
}

/// One row if the schema has a table.
const POSTGRES_TABLES: &str = "SELECT 1 FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
    AND relnamespace = current_schema()::regnamespace LIMIT 1";

/// One row if the database has a table.
const SQLITE_TABLES: &str = "SELECT 1 FROM sqlite_schema LIMIT 1";
/// The key of the advisory lock that a migration takes on PostgreSQL. The number is arbitrary.
const ADVISORY_LOCK: i64 = 0x7061_726c_616e_6365;

pub(crate) async fn migrate(db: &DatabaseConnection) -> Result<MigrationReport, SchemaError> {
    let report = async {
        let report = migrate_in_transaction(db).await?;
        // The transaction has created the table, if it was not there.
        if db.get_database_backend() == DbBackend::Postgres && has_steps(db).await? {
            online::complete(db).await?;
        }
        Ok(report)
    };
    report.await.map_err(|error| match error {
        MigrateError::Schema(error) => error,
        MigrateError::Statement(error) if is_missing_right(&error) => SchemaError::NotOwner,
        MigrateError::Statement(error) => error.into(),
    })
}

async fn migrate_in_transaction(db: &DatabaseConnection) -> Result<MigrationReport, MigrateError> {
    let transaction = match begin_write(db).await {
        // Another connection writes. A schema that is up to date needs no lock.
        Err(error) if is_sqlite_busy(&error) && !StoredSchema::read(db).await?.is_outdated() => {
            return Ok(MigrationReport::default());
        }
        begun => begun?,
    };
    if transaction.get_database_backend() == DbBackend::Postgres {
        transaction.execute_unprepared("SET LOCAL statement_timeout = 0").await?;
        transaction.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({ADVISORY_LOCK})")).await?;
    }
    let schema = StoredSchema::read(&transaction).await?;
    let mut report = MigrationReport::default();
    // A role without the right to alter the schema succeeds if nothing is pending.
    if schema.is_outdated() {
        report.is_new = schema.applied.is_empty();
        if squashed::is_complete(&schema.applied) {
            squashed::adopt(&transaction).await?;
        }
        if schema.lacks_migrations() {
            report.migrations = schema.pending_migrations().collect();
            Migrator::up(&transaction, None).await?;
            compatibility::record_required_migration(&transaction, required_migration()).await?;
        }
        report.functions = functions::install(&transaction).await?;
    }
    transaction.commit().await?;
    Ok(report)
}

pub(crate) async fn check(db: &DatabaseConnection) -> Result<(), SchemaError> {
    let schema = StoredSchema::read(db).await?;
    if schema.applied.is_empty() {
        return Err(missing_schema(db).await?);
    }
    if schema.is_outdated() || has_steps(db).await? { Err(SchemaError::Outdated) } else { Ok(()) }
}

/// Checks that [`migrate`] can bring the schema to the version of this program.
pub(crate) async fn check_migratable(db: &DatabaseConnection) -> Result<(), SchemaError> {
    if StoredSchema::read(db).await?.applied.is_empty() { Err(missing_schema(db).await?) } else { Ok(()) }
}

/// The error for a database without a schema of this program.
async fn missing_schema(db: &DatabaseConnection) -> Result<SchemaError, DbErr> {
    let backend = db.get_database_backend();
    let tables = if backend == DbBackend::Postgres { POSTGRES_TABLES } else { SQLITE_TABLES };
    let has_tables = db.query_one_raw(Statement::from_string(backend, tables)).await?.is_some();
    Ok(if has_tables { SchemaError::Missing } else { SchemaError::Empty })
}

/// Whether steps are left that run after the transaction of the migrations.
async fn has_steps<'db, C>(db: &'db C) -> Result<bool, DbErr>
where
    C: ConnectionTrait,
    &'db C: IntoSchemaManagerConnection<'db>,
{
    if !SchemaManager::new(db).has_table("schema_steps").await? {
        return Ok(false);
    }
    let select = Statement::from_string(db.get_database_backend(), "SELECT name FROM schema_steps LIMIT 1");
    Ok(db.query_one_raw(select).await?.is_some())
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
        if applied.iter().any(|name| squashed::is_replaced(name)) && !squashed::is_complete(&applied) {
            return Err(SchemaError::BeforeBaseline);
        }
        let functions = functions::installed_digests(db).await?;
        let schema = Self { backend: db.get_database_backend(), applied, functions };
        if schema.is_newer() && !(schema.serves_this_program(db).await?) {
            return Err(SchemaError::Newer);
        }
        Ok(schema)
    }

    /// Whether the schema has migrations that this program does not know.
    fn is_newer(&self) -> bool {
        !self.applied.iter().all(|name| is_known(name) || squashed::is_replaced(name))
    }

    /// Whether this program can work on the schema, although a newer program made it.
    async fn serves_this_program<'db, C>(&self, db: &'db C) -> Result<bool, DbErr>
    where
        C: ConnectionTrait,
        &'db C: IntoSchemaManagerConnection<'db>,
    {
        let required = compatibility::required_migration(db).await?;
        Ok(!self.lacks_migrations() && required.is_some_and(|name| is_known(&name)))
    }

    /// The migrations that are not applied. A baseline that is adopted counts as applied.
    fn pending_migrations(&self) -> impl Iterator<Item = &'static str> {
        let is_adopted = squashed::is_complete(&self.applied);
        let is_applied = move |name: &&str| {
            (is_adopted && *name == m0001_baseline::MIGRATION.name)
                || self.applied.iter().any(|applied| applied == name)
        };
        MIGRATIONS.iter().map(|migration| migration.name).filter(move |name| !is_applied(name))
    }

    fn lacks_migrations(&self) -> bool {
        self.pending_migrations().next().is_some()
    }

    fn is_outdated(&self) -> bool {
        self.lacks_migrations() || !functions::are_installed(self.backend, &self.functions)
    }
}

async fn applied_migrations<'db, C>(db: &'db C) -> Result<Vec<String>, DbErr>
where
    C: ConnectionTrait,
    &'db C: IntoSchemaManagerConnection<'db>,
{
    if !SchemaManager::new(db).has_table(seaql_migrations::Entity.table_name()).await? {
        return Ok(Vec::new());
    }
    let rows = seaql_migrations::Entity::find().all(db).await?;
    Ok(rows.into_iter().map(|migration| migration.version).collect())
}
