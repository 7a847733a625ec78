//! Adds the reason of a privacy request that failed.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0016_privacy_request_failures",
    serves_older_programs: true,
    statements: &[Sql::Any("ALTER TABLE privacy_requests ADD COLUMN failure TEXT")],
};
