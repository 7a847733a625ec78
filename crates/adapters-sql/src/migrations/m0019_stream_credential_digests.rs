//! Adds the digest of the credential's secret with which the address of a stream was asked for.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0019_stream_credential_digests",
    serves_older_programs: true,
    statements: &[Sql::Any("ALTER TABLE stream_addresses ADD COLUMN credential_digest TEXT")],
};
