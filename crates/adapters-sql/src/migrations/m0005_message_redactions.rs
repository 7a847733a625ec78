//! Adds the masked ranges of each message's text.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0005_message_redactions",
    serves_older_programs: true,
    statements: &[Sql::Any("ALTER TABLE messages ADD COLUMN redactions TEXT")],
};
