//! Creates the addresses that open a stream once. A program that does not know them issues and opens none.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0009_stream_addresses",
    serves_older_programs: true,
    statements: &[Sql::Any(
        "CREATE TABLE stream_addresses (
            tenant_id {KEY} NOT NULL,
            stream_id {KEY} NOT NULL,
            secret_digest {KEY} NOT NULL,
            api_id TEXT NOT NULL,
            conversation_id TEXT,
            resume_after TEXT,
            event_types TEXT,
            event_view TEXT NOT NULL,
            expires_at BIGINT NOT NULL,
            PRIMARY KEY (tenant_id, stream_id)
        ){CLUSTERED}",
    )],
};
