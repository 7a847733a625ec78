//! Names the table of the vocabularies' versions and deliveries after its content.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0003_vocabulary_delivery",
    serves_older_programs: false,
    statements: &[
        Sql::Any("ALTER TABLE configuration_versions RENAME TO vocabulary_delivery"),
        Sql::Postgres("ALTER INDEX configuration_versions_pkey RENAME TO vocabulary_delivery_pkey"),
    ],
};
