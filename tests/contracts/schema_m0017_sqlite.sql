-- The schema that the migrations up to m0017_changes_before_the_audit_log created on SQLite, and their names.
CREATE TABLE "seaql_migrations" ( "version" varchar NOT NULL PRIMARY KEY, "applied_at" integer NOT NULL );
CREATE TABLE credentials (
        tenant_id TEXT NOT NULL,
        api_id TEXT NOT NULL,
        name TEXT NOT NULL,
        permissions TEXT NOT NULL,
        secret_digest BLOB NOT NULL,
        previous_digest BLOB,
        previous_until BIGINT,
        created_at BIGINT NOT NULL,
        revoked_at BIGINT,
        PRIMARY KEY (tenant_id, api_id)
    ) WITHOUT ROWID;
CREATE TABLE conversations (
        tenant_id TEXT NOT NULL,
        id TEXT NOT NULL,
        external_id TEXT NOT NULL,
        agent_external_id TEXT,
        agent_name TEXT,
        customer_external_id TEXT NOT NULL,
        customer_name TEXT,
        metadata TEXT,
        started_at BIGINT NOT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, id),
        UNIQUE (tenant_id, external_id)
    ) WITHOUT ROWID;
CREATE TABLE messages (
        tenant_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        sent_at BIGINT NOT NULL,
        id TEXT NOT NULL,
        sender_role SMALLINT NOT NULL,
        sender_external_id TEXT NOT NULL,
        text TEXT NOT NULL,
        created_at BIGINT NOT NULL, masked_with TEXT NOT NULL DEFAULT '0',
        PRIMARY KEY (tenant_id, conversation_id, sent_at, id),
        FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id)
    ) WITHOUT ROWID;
CREATE TABLE configuration_versions (
        tenant_id TEXT NOT NULL,
        vocabulary_version BIGINT NOT NULL,
        changed_at BIGINT NOT NULL, pending_since BIGINT, delivered_version BIGINT, delivered_at BIGINT, failures BIGINT NOT NULL DEFAULT 0, failure TEXT, failed_at BIGINT, next_attempt_at BIGINT,
        PRIMARY KEY (tenant_id)
    ) WITHOUT ROWID;
CREATE TABLE vocabularies (
        tenant_id TEXT NOT NULL,
        id TEXT NOT NULL,
        phrase TEXT NOT NULL,
        sounds_like TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, id),
        UNIQUE (tenant_id, phrase)
    ) WITHOUT ROWID;
CREATE TABLE redaction_flags (
        tenant_id TEXT NOT NULL,
        label TEXT NOT NULL,
        active BOOLEAN NOT NULL,
        PRIMARY KEY (tenant_id, label)
    ) WITHOUT ROWID;
CREATE TABLE redaction_audit (
        tenant_id TEXT NOT NULL,
        switched_at BIGINT NOT NULL,
        id TEXT NOT NULL,
        label TEXT NOT NULL,
        was_active BOOLEAN NOT NULL,
        is_active BOOLEAN NOT NULL,
        credential TEXT,
        reference TEXT,
        first_approver TEXT,
        second_approver TEXT,
        PRIMARY KEY (tenant_id, switched_at, id)
    ) WITHOUT ROWID;
CREATE TABLE leases (
        duty TEXT NOT NULL PRIMARY KEY,
        replica_id TEXT NOT NULL,
        term BIGINT NOT NULL,
        held_until BIGINT NOT NULL
    ) WITHOUT ROWID;
CREATE TABLE vocabulary_changes (
        tenant_id TEXT NOT NULL,
        changed_at BIGINT NOT NULL,
        id TEXT NOT NULL,
        vocabulary_id TEXT NOT NULL,
        kind SMALLINT NOT NULL,
        phrase TEXT NOT NULL,
        sounds_like TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, changed_at, id)
    ) WITHOUT ROWID;
CREATE TABLE late_changes (
        tenant_id TEXT NOT NULL,
        feed TEXT NOT NULL,
        day BIGINT NOT NULL,
        id TEXT NOT NULL,
        PRIMARY KEY (tenant_id, feed, day, id)
    ) WITHOUT ROWID;
CREATE TABLE audit_heads (
        tenant_id TEXT NOT NULL,
        sequence BIGINT NOT NULL,
        hash BLOB NOT NULL, signature BLOB, signed_by BLOB,
        PRIMARY KEY (tenant_id)
    ) WITHOUT ROWID;
CREATE TABLE audit_records (
        tenant_id TEXT NOT NULL,
        sequence BIGINT NOT NULL,
        recorded_at BIGINT NOT NULL,
        action TEXT NOT NULL,
        subject TEXT NOT NULL,
        details TEXT NOT NULL,
        previous BLOB NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (tenant_id, sequence)
    ) WITHOUT ROWID;
CREATE TABLE receipts (
        tenant_id TEXT NOT NULL,
        operation TEXT NOT NULL,
        key_digest BLOB NOT NULL,
        request_digest BLOB NOT NULL,
        ids TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, operation, key_digest)
    ) WITHOUT ROWID;
CREATE INDEX messages_by_creation ON messages (tenant_id, created_at, id);
CREATE INDEX conversations_by_creation ON conversations (tenant_id, created_at, id);
CREATE INDEX receipts_by_age ON receipts (created_at);
CREATE TRIGGER late_new_messages AFTER INSERT ON messages WHEN NEW.created_at / 86400000000 < unixepoch() / 86400
        BEGIN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, 'messages', NEW.created_at / 86400000000, hex(randomblob(16)));
        END;
CREATE TRIGGER late_messages AFTER UPDATE OF text ON messages WHEN NEW.created_at / 86400000000 < unixepoch() / 86400
        BEGIN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, 'messages', NEW.created_at / 86400000000, hex(randomblob(16)));
        END;
CREATE TRIGGER late_new_conversations AFTER INSERT ON conversations WHEN NEW.created_at / 86400000000 < unixepoch() / 86400
        BEGIN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, 'conversations', NEW.created_at / 86400000000, hex(randomblob(16)));
        END;
CREATE TRIGGER late_conversations AFTER UPDATE ON conversations WHEN NEW.created_at / 86400000000 < unixepoch() / 86400
        BEGIN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, 'conversations', NEW.created_at / 86400000000, hex(randomblob(16)));
        END;
INSERT INTO seaql_migrations (version, applied_at) VALUES
    ('m0001_conversations', 1795529000),
    ('m0002_vocabularies', 1795529001),
    ('m0003_redaction', 1795529002),
    ('m0004_leases', 1795529003),
    ('m0005_vocabulary_delivery', 1795529004),
    ('m0006_feeds', 1795529005),
    ('m0008_audit', 1795529006),
    ('m0010_receipts', 1795529007),
    ('m0011_ways_to_find', 1795529008),
    ('m0012_adding_messages', 1795529009),
    ('m0013_cheaper_writes', 1795529010),
    ('m0014_fewer_looks', 1795529011),
    ('m0015_leaner_additions', 1795529012),
    ('m0016_signed_heads', 1795529013),
    ('m0017_changes_before_the_audit_log', 1795529014);
