//! Creates the table of erased conversations. A row holds no content. `functions` has the triggers.
//!
//! On PostgreSQL, where an upsert and an erasure can run at the same time, each new conversation holds the digest of its
//! external identifier, so that a trigger can refuse it. SQLite has one writer, which looks the digest up before.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0011_erased_conversations",
    serves_older_programs: true,
    statements: &[
        // The number is that of the audit record of the erasure: the chain of a tenant is locked until the erasure is
        // committed, so that a smaller number never becomes visible after a greater one.
        Sql::Any(
            "CREATE TABLE erased_conversations (
                tenant_id {KEY} NOT NULL,
                conversation_id {KEY} NOT NULL,
                sequence BIGINT NOT NULL,
                digest {BYTES} NOT NULL,
                erased_at BIGINT NOT NULL,
                messages BIGINT NOT NULL,
                PRIMARY KEY (tenant_id, conversation_id)
            ){CLUSTERED}",
        ),
        Sql::Any("CREATE UNIQUE INDEX erased_conversations_in_order ON erased_conversations (tenant_id, sequence)"),
        Sql::Any("CREATE INDEX erased_conversations_by_digest ON erased_conversations (tenant_id, digest)"),
        Sql::Postgres("ALTER TABLE conversations ADD COLUMN external_digest BYTEA"),
        // A role that may only add to the audit log may only add to these records.
        Sql::Postgres(
            "DO $$ DECLARE role regrole; BEGIN
                FOR role IN SELECT DISTINCT grantee::regrole FROM pg_class, aclexplode(relacl)
                    WHERE oid = 'audit_records'::regclass AND privilege_type = 'INSERT'
                        AND grantee <> 0 AND grantee <> relowner LOOP
                    EXECUTE format('REVOKE UPDATE, DELETE ON erased_conversations FROM %s', role);
                END LOOP;
            END $$",
        ),
    ],
};
