//! Adds the hour of the row to each late change. A change that was recorded before has none.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0007_hours_of_late_changes",
    serves_older_programs: true,
    statements: &[Sql::Any("ALTER TABLE late_changes ADD COLUMN hour BIGINT")],
};
