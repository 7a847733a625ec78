//! The errors of reading and changing the schema.

use sea_orm::DbErr;

use crate::error::{INSUFFICIENT_PRIVILEGE, db_err_message, sqlstate};

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
    /// The schema has migrations that this program does not know and must know.
    #[error("has a newer schema than this program knows: run the program that wrote it, or a later one")]
    Newer,
    /// The database has no table at all.
    #[error("is empty: run `parlance migrate`")]
    Empty,
    /// The role may not change the schema.
    #[error(
        "has a schema that this role may not change: run `parlance migrate` as the owner of the schema, such as \
         parlance_owner of docs/roles.sql"
    )]
    NotOwner,
    /// The database has tables, but no schema of this program.
    #[error("is not a database of Parlance: run `parlance migrate` to make it one")]
    Missing,
    /// The database failed.
    #[error("failed while its schema was read or changed: {0}")]
    Database(Box<str>),
}

impl From<DbErr> for SchemaError {
    fn from(error: DbErr) -> Self {
        Self::Database(db_err_message(&error).into())
    }
}

/// Whether the role lacks a right.
pub(super) fn is_missing_right(error: &DbErr) -> bool {
    sqlstate(error).is_some_and(|code| code == INSUFFICIENT_PRIVILEGE)
}

/// The error of a schema, or of a statement.
pub(super) enum MigrateError {
    Schema(SchemaError),
    Statement(DbErr),
}

impl From<SchemaError> for MigrateError {
    fn from(error: SchemaError) -> Self {
        Self::Schema(error)
    }
}

impl From<DbErr> for MigrateError {
    fn from(error: DbErr) -> Self {
        Self::Statement(error)
    }
}
