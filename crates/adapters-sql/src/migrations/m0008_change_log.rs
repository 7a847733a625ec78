//! Creates the change log. `functions` has the triggers that append to it.
//!
//! A row holds the changes of one statement and tenant. On PostgreSQL the rows are divided by week into 16 partitions that
//! are used in turn, so that old rows are dropped without reading them, by a role that cannot alter the schema.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0008_change_log",
    serves_older_programs: true,
    statements: &[
        Sql::Postgres(
            "CREATE TABLE change_log (
                tenant_id TEXT COLLATE \"C\" NOT NULL,
                sequence BIGINT NOT NULL,
                tag BIGINT NOT NULL,
                kind SMALLINT NOT NULL,
                occurred_at BIGINT NOT NULL,
                last_index BIGINT NOT NULL,
                refs TEXT NOT NULL,
                slot SMALLINT NOT NULL,
                PRIMARY KEY (tenant_id, sequence, slot)
            ) PARTITION BY LIST (slot)",
        ),
        Sql::Postgres(
            "DO $$ BEGIN FOR slot IN 0..15 LOOP
                EXECUTE format('CREATE TABLE change_log_%s PARTITION OF change_log FOR VALUES IN (%s)', slot, slot);
            END LOOP; END $$",
        ),
        // The first number is 2, so that each number is greater than the last value before it.
        Sql::Postgres("CREATE SEQUENCE change_log_sequence"),
        Sql::Postgres("SELECT setval('change_log_sequence', 1)"),
        Sql::Sqlite(
            "CREATE TABLE change_log (
                tenant_id TEXT NOT NULL,
                sequence BIGINT NOT NULL,
                tag BIGINT NOT NULL,
                kind SMALLINT NOT NULL,
                occurred_at BIGINT NOT NULL,
                last_index BIGINT NOT NULL,
                refs TEXT NOT NULL,
                PRIMARY KEY (tenant_id, sequence)
            ) WITHOUT ROWID",
        ),
        // The last dropped event of each tenant.
        Sql::Any(
            "CREATE TABLE change_log_dropped (
                tenant_id {KEY} NOT NULL PRIMARY KEY,
                sequence BIGINT NOT NULL,
                tag BIGINT NOT NULL,
                last_index BIGINT NOT NULL
            ){CLUSTERED}",
        ),
        // The newest revision of each complete day of a feed. A trigger appends each to the change log.
        Sql::Any(
            "CREATE TABLE feed_changes (
                tenant_id {KEY} NOT NULL,
                feed {KEY} NOT NULL,
                day BIGINT NOT NULL,
                revision BIGINT NOT NULL,
                PRIMARY KEY (tenant_id, feed, day)
            ){CLUSTERED}",
        ),
        // Roles that write messages append to the log, and drop what is old.
        Sql::Postgres(
            "DO $$ DECLARE role regrole; BEGIN
                FOR role IN SELECT DISTINCT grantee::regrole FROM pg_class, aclexplode(relacl)
                    WHERE oid = 'messages'::regclass AND privilege_type = 'INSERT' AND grantee <> 0 LOOP
                    EXECUTE format('GRANT USAGE, SELECT ON SEQUENCE change_log_sequence TO %s', role);
                    FOR slot IN 0..15 LOOP
                        EXECUTE format('GRANT TRUNCATE ON change_log_%s TO %s', slot, role);
                    END LOOP;
                END LOOP;
            END $$",
        ),
    ],
};
