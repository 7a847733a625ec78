//! Creates the table of the installed functions and triggers, with the digest of each text.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0002_schema_functions",
    serves_older_programs: false,
    statements: &[Sql::Any(
        "CREATE TABLE schema_functions (
        name {KEY} NOT NULL PRIMARY KEY,
        sha256 {BYTES} NOT NULL
    ){CLUSTERED}",
    )],
};
