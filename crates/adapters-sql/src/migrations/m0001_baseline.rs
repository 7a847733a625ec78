//! Creates the tables and indexes of the first schema that this program upgrades.
//!
//! Every key of tenants' data starts with `tenant_id`, so that the tables can be sharded by tenant. Times are
//! microseconds since 1970 UTC, so that both databases order them alike.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration { name: "m0001_baseline", statements: &STATEMENTS };

const STATEMENTS: [Sql; 19] = [
    Sql::Any(
        "CREATE TABLE credentials (
        tenant_id {KEY} NOT NULL,
        api_id {KEY} NOT NULL,
        name TEXT NOT NULL,
        permissions TEXT NOT NULL,
        secret_digest {BYTES} NOT NULL,
        previous_digest {BYTES},
        previous_until BIGINT,
        created_at BIGINT NOT NULL,
        revoked_at BIGINT,
        PRIMARY KEY (tenant_id, api_id)
    ){CLUSTERED}",
    ),
    Sql::Any(
        "CREATE TABLE conversations (
        tenant_id {KEY} NOT NULL,
        id {KEY} NOT NULL,
        external_id {KEY} NOT NULL,
        agent_external_id TEXT,
        agent_name TEXT,
        customer_external_id TEXT NOT NULL,
        customer_name TEXT,
        metadata TEXT,
        started_at BIGINT NOT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, id){EXTERNAL_ID_KEY}
    ){CLUSTERED}",
    ),
    // While a table is small or its statistics are old, PostgreSQL rates two indexes with the same first column as
    // equally good, and may then search for one conversation among all conversations of its tenant. An index that
    // starts with `external_id` cannot serve a search by tenant alone. PostgreSQL uses a partial index only for a
    // statement that implies its condition: here, a statement that compares `created_at`. SQLite does not choose wrong
    // indexes, and does not treat such a condition on a column that is never NULL as implied.
    Sql::Postgres("CREATE UNIQUE INDEX conversations_by_external_id ON conversations (external_id, tenant_id)"),
    Sql::Sqlite("CREATE INDEX conversations_by_creation ON conversations (tenant_id, created_at, id)"),
    Sql::Postgres(
        "CREATE INDEX conversations_by_creation ON conversations (tenant_id, created_at, id) \
         WHERE created_at IS NOT NULL",
    ),
    // Messages cluster by conversation and client time: with `WITHOUT ROWID` on SQLite, a transcript is one range read.
    Sql::Any(
        "CREATE TABLE messages (
        tenant_id {KEY} NOT NULL,
        conversation_id {KEY} NOT NULL,
        sent_at BIGINT NOT NULL,
        id {KEY} NOT NULL,
        sender_role {SMALL} NOT NULL,
        sender_external_id TEXT NOT NULL,
        text TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        masked_with TEXT NOT NULL DEFAULT '0',
        PRIMARY KEY (tenant_id, conversation_id, sent_at, id),
        FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id)
    ){CLUSTERED}",
    ),
    Sql::Sqlite("CREATE INDEX messages_by_creation ON messages (tenant_id, created_at, id)"),
    Sql::Postgres(
        "CREATE INDEX messages_by_creation ON messages (tenant_id, created_at, id) WHERE created_at IS NOT NULL",
    ),
    // A late change adds or rewrites a row of a past day. Each late change is a separate row, so that transactions with
    // late changes of the same day do not wait for each other. The triggers are in `functions/late_changes_*.sql`.
    Sql::Any(
        "CREATE TABLE late_changes (
        tenant_id {KEY} NOT NULL,
        feed {KEY} NOT NULL,
        day BIGINT NOT NULL,
        id {KEY} NOT NULL,
        PRIMARY KEY (tenant_id, feed, day, id)
    ){CLUSTERED}",
    ),
    // A change of a vocabulary first writes the tenant's row, so that changes run one after another, each with its own
    // version. The change makes its delivery pending in the same step. A tenant has no row before its first change.
    Sql::Any(
        "CREATE TABLE configuration_versions (
        tenant_id {KEY} NOT NULL,
        vocabulary_version BIGINT NOT NULL,
        changed_at BIGINT NOT NULL,
        pending_since BIGINT,
        delivered_version BIGINT,
        delivered_at BIGINT,
        failures BIGINT NOT NULL DEFAULT 0,
        failure TEXT,
        failed_at BIGINT,
        next_attempt_at BIGINT,
        PRIMARY KEY (tenant_id)
    ){CLUSTERED}",
    ),
    Sql::Any(
        "CREATE TABLE vocabularies (
        tenant_id {KEY} NOT NULL,
        id {KEY} NOT NULL,
        phrase {KEY} NOT NULL,
        sounds_like TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, id),
        UNIQUE (tenant_id, phrase)
    ){CLUSTERED}",
    ),
    Sql::Any(
        "CREATE TABLE vocabulary_changes (
        tenant_id {KEY} NOT NULL,
        changed_at BIGINT NOT NULL,
        id {KEY} NOT NULL,
        vocabulary_id {KEY} NOT NULL,
        kind {SMALL} NOT NULL,
        phrase TEXT NOT NULL,
        sounds_like TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, changed_at, id)
    ){CLUSTERED}",
    ),
    Sql::Any(
        "CREATE TABLE redaction_flags (
        tenant_id {KEY} NOT NULL,
        label {KEY} NOT NULL,
        active BOOLEAN NOT NULL,
        PRIMARY KEY (tenant_id, label)
    ){CLUSTERED}",
    ),
    Sql::Any(
        "CREATE TABLE redaction_audit (
        tenant_id {KEY} NOT NULL,
        switched_at BIGINT NOT NULL,
        id {KEY} NOT NULL,
        label TEXT NOT NULL,
        was_active BOOLEAN NOT NULL,
        is_active BOOLEAN NOT NULL,
        credential TEXT,
        reference TEXT,
        first_approver TEXT,
        second_approver TEXT,
        PRIMARY KEY (tenant_id, switched_at, id)
    ){CLUSTERED}",
    ),
    // An append to the audit log first writes the tenant's row, so that appends to one chain run one after another.
    Sql::Any(
        "CREATE TABLE audit_heads (
        tenant_id {KEY} NOT NULL,
        sequence BIGINT NOT NULL,
        hash {BYTES} NOT NULL,
        signature {BYTES},
        signed_by {BYTES},
        PRIMARY KEY (tenant_id)
    ){CLUSTERED}",
    ),
    Sql::Any(
        "CREATE TABLE audit_records (
        tenant_id {KEY} NOT NULL,
        sequence BIGINT NOT NULL,
        recorded_at BIGINT NOT NULL,
        action TEXT NOT NULL,
        subject TEXT NOT NULL,
        details TEXT NOT NULL,
        previous {BYTES} NOT NULL,
        hash {BYTES} NOT NULL,
        PRIMARY KEY (tenant_id, sequence)
    ){CLUSTERED}",
    ),
    Sql::Any(
        "CREATE TABLE leases (
        duty {KEY} NOT NULL PRIMARY KEY,
        replica_id TEXT NOT NULL,
        term BIGINT NOT NULL,
        held_until BIGINT NOT NULL
    ){CLUSTERED}",
    ),
    Sql::Any(
        "CREATE TABLE receipts (
        tenant_id {KEY} NOT NULL,
        operation {KEY} NOT NULL,
        key_digest {BYTES} NOT NULL,
        request_digest {BYTES} NOT NULL,
        ids TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, operation, key_digest)
    ){CLUSTERED}",
    ),
    // For the deletion of expired records of all tenants.
    Sql::Any("CREATE INDEX receipts_by_age ON receipts (created_at)"),
];
