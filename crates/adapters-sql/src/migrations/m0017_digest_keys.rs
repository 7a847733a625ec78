//! Creates the table of the encrypted key of digests. It is empty until the master key is rotated.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0017_digest_keys",
    serves_older_programs: true,
    statements: &[Sql::Any(
        "CREATE TABLE digest_keys (
            purpose {KEY} NOT NULL PRIMARY KEY,
            sealed_key {BYTES} NOT NULL
        ){CLUSTERED}",
    )],
};
