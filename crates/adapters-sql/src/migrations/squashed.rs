//! The migrations that the baseline replaces. A database with all of them has the schema of the baseline.

use sea_orm::{ConnectionTrait, DbErr, Statement};

use super::m0001_baseline;

/// The stored names of the replaced migrations, in the order in which they were applied.
const REPLACED: [&str; 15] = [
    "m0001_conversations",
    "m0002_vocabularies",
    "m0003_redaction",
    "m0004_leases",
    "m0005_vocabulary_delivery",
    "m0006_feeds",
    "m0008_audit",
    "m0010_receipts",
    "m0011_ways_to_find",
    "m0012_adding_messages",
    "m0013_cheaper_writes",
    "m0014_fewer_looks",
    "m0015_leaner_additions",
    "m0016_signed_heads",
    "m0017_changes_before_the_audit_log",
];

/// Replaces the stored names by the name of the baseline, which keeps the time of the last of them.
const ADOPT: [&str; 2] = [
    "INSERT INTO seaql_migrations (version, applied_at) SELECT $1, max(applied_at) FROM seaql_migrations",
    "DELETE FROM seaql_migrations WHERE version <> $1",
];

/// Whether the baseline replaces the migration with this name.
pub(super) fn is_replaced(name: &str) -> bool {
    REPLACED.contains(&name)
}

/// Whether these are the names of all replaced migrations, and no others.
pub(super) fn is_complete(applied: &[String]) -> bool {
    applied.len() == REPLACED.len() && applied.iter().all(|name| is_replaced(name))
}

/// Records the baseline as applied, in a database with all of the replaced migrations.
pub(super) async fn adopt<C: ConnectionTrait>(db: &C) -> Result<(), DbErr> {
    for sql in ADOPT {
        let values = [m0001_baseline::MIGRATION.name.into()];
        db.execute_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).await?;
    }
    Ok(())
}
