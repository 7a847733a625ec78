//! Adds the revision of a period of a feed that was counted last for a privacy request.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0018_last_feed_revisions",
    serves_older_programs: true,
    statements: &[Sql::Any("ALTER TABLE privacy_requests ADD COLUMN last_feed_revision TEXT")],
};
