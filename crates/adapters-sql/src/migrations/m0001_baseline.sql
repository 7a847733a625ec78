-- The tables and indexes, grouped by table. Placeholders stand for the terms of the dialect (`dialect.rs`).

CREATE TABLE credentials (
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
){CLUSTERED};

CREATE TABLE conversations (
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
){CLUSTERED};
-- While a table is small or its statistics are old, PostgreSQL rates two indexes with the same first column as equally
-- good, and may then search for one conversation among all conversations of its tenant. An index that starts with
-- `external_id` cannot serve a search by tenant alone. PostgreSQL uses a partial index only for a statement that implies
-- its condition: here, a statement that compares `created_at`. SQLite does not choose wrong indexes, and does not treat
-- such a condition on a column that is never NULL as implied.
{EXTERNAL_ID_INDEX}
CREATE INDEX conversations_by_creation ON conversations (tenant_id, created_at, id){IF_COMPARED};

-- Messages cluster by conversation and client time: with `WITHOUT ROWID` on SQLite, a transcript is one range read.
CREATE TABLE messages (
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
){CLUSTERED};
CREATE INDEX messages_by_creation ON messages (tenant_id, created_at, id){IF_COMPARED};

-- A late change adds or rewrites a row of a past day. Each late change is a separate row, so that transactions with
-- late changes of the same day do not wait for each other. The triggers are in `functions/late_changes_*.sql`.
CREATE TABLE late_changes (
    tenant_id {KEY} NOT NULL,
    feed {KEY} NOT NULL,
    day BIGINT NOT NULL,
    id {KEY} NOT NULL,
    PRIMARY KEY (tenant_id, feed, day, id)
){CLUSTERED};

-- A change of a vocabulary first writes the tenant's row, so that changes run one after another, each with its own
-- version. The change makes its delivery pending in the same step. A tenant has no row before its first change.
CREATE TABLE configuration_versions (
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
){CLUSTERED};

CREATE TABLE vocabularies (
    tenant_id {KEY} NOT NULL,
    id {KEY} NOT NULL,
    phrase {KEY} NOT NULL,
    sounds_like TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, phrase)
){CLUSTERED};

CREATE TABLE vocabulary_changes (
    tenant_id {KEY} NOT NULL,
    changed_at BIGINT NOT NULL,
    id {KEY} NOT NULL,
    vocabulary_id {KEY} NOT NULL,
    kind {SMALL} NOT NULL,
    phrase TEXT NOT NULL,
    sounds_like TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, changed_at, id)
){CLUSTERED};

CREATE TABLE redaction_flags (
    tenant_id {KEY} NOT NULL,
    label {KEY} NOT NULL,
    active BOOLEAN NOT NULL,
    PRIMARY KEY (tenant_id, label)
){CLUSTERED};

CREATE TABLE redaction_audit (
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
){CLUSTERED};

-- An append to the audit log first writes the tenant's row, so that appends to one chain run one after another.
CREATE TABLE audit_heads (
    tenant_id {KEY} NOT NULL,
    sequence BIGINT NOT NULL,
    hash {BYTES} NOT NULL,
    signature {BYTES},
    signed_by {BYTES},
    PRIMARY KEY (tenant_id)
){CLUSTERED};

CREATE TABLE audit_records (
    tenant_id {KEY} NOT NULL,
    sequence BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL,
    previous {BYTES} NOT NULL,
    hash {BYTES} NOT NULL,
    PRIMARY KEY (tenant_id, sequence)
){CLUSTERED};

CREATE TABLE leases (
    duty {KEY} NOT NULL PRIMARY KEY,
    replica_id TEXT NOT NULL,
    term BIGINT NOT NULL,
    held_until BIGINT NOT NULL
){CLUSTERED};

CREATE TABLE receipts (
    tenant_id {KEY} NOT NULL,
    operation {KEY} NOT NULL,
    key_digest {BYTES} NOT NULL,
    request_digest {BYTES} NOT NULL,
    ids TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, operation, key_digest)
){CLUSTERED};
-- For the deletion of expired records of all tenants.
CREATE INDEX receipts_by_age ON receipts (created_at);
