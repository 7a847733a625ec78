//! Creates the tables and indexes of the first schema that this program upgrades.
//!
//! Every key of tenants' data starts with `tenant_id`, so that the tables can be sharded by tenant. Times are
//! microseconds since 1970 UTC, so that both databases order them alike.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0001_baseline",
    serves_older_programs: false,
    statements: &[Sql::Any(include_str!("m0001_baseline.sql"))],
};
