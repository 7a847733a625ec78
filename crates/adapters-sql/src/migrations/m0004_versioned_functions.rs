//! Drops the functions whose names have no version, which no released program calls, and creates the table that tells
//! older programs whether they can work on the schema.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0004_versioned_functions",
    serves_older_programs: false,
    statements: &[
        Sql::Postgres("DROP FUNCTION IF EXISTS add_messages, add_messages_to_known"),
        Sql::Postgres("DROP FUNCTION IF EXISTS note_late_change, note_late_additions CASCADE"),
        Sql::Any("DELETE FROM schema_functions"),
        Sql::Any("CREATE TABLE schema_compatibility (required_migration {KEY} NOT NULL PRIMARY KEY){CLUSTERED}"),
    ],
};
