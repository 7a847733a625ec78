-- The schema that the migrations up to m0017_changes_before_the_audit_log created on PostgreSQL, as pg_dump wrote it, and
-- their names.
CREATE FUNCTION public.add_messages(held text[], tenants text[], conversations text[], moments bigint[], ids text[], roles smallint[], senders text[], texts text[], creations bigint[], sets text[], presumptions bytea[], most bigint) RETURNS TABLE(place bigint, has_conversation boolean)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    added bigint;
BEGIN
    IF cardinality(held) > 0 THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(held) AS name;
    END IF;
    INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at,
        masked_with)
    SELECT tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at, masked_with
    FROM unnest(tenants, conversations, moments, ids, roles, senders, texts, creations, sets, presumptions)
        AS message (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at,
        masked_with, presumed)
    WHERE (SELECT true FROM conversations WHERE conversations.tenant_id = message.tenant_id
        AND conversations.id = message.conversation_id) IS NOT NULL AND (presumed IS NULL OR presumed = (
        SELECT sha256(convert_to(coalesce(string_agg(sent_at || ' ' || id || ' ' || octet_length(text) || ' '
            || text, ''), ''), 'UTF8'))
        FROM (SELECT sent_at, id, text FROM messages WHERE messages.tenant_id = message.tenant_id
            AND messages.conversation_id = message.conversation_id
            ORDER BY sent_at DESC, id DESC LIMIT most) AS newest
    ));
    GET DIAGNOSTICS added = ROW_COUNT;
    IF added < cardinality(ids) THEN
        RETURN QUERY SELECT place, (SELECT true FROM conversations WHERE conversations.tenant_id = message.tenant_id
            AND conversations.id = message.conversation_id) IS NOT NULL
        FROM unnest(tenants, conversations, moments, ids) WITH ORDINALITY
            AS message (tenant_id, conversation_id, sent_at, id, place)
        WHERE (SELECT true FROM messages WHERE messages.tenant_id = message.tenant_id
            AND messages.conversation_id = message.conversation_id AND messages.sent_at = message.sent_at
            AND messages.id = message.id) IS NULL;
    END IF;
END $$;
CREATE FUNCTION public.add_messages_to_known(held text[], tenants text[], conversations text[], moments bigint[], ids text[], roles smallint[], senders text[], texts text[], creations bigint[], sets text[], presumptions bytea[], most bigint) RETURNS TABLE(place bigint, has_conversation boolean)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    added bigint;
BEGIN
    IF cardinality(held) > 0 THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(held) AS name;
    END IF;
    INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at,
        masked_with)
    SELECT tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at, masked_with
    FROM unnest(tenants, conversations, moments, ids, roles, senders, texts, creations, sets, presumptions)
        AS message (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at,
        masked_with, presumed)
    WHERE true AND (presumed IS NULL OR presumed = (
        SELECT sha256(convert_to(coalesce(string_agg(sent_at || ' ' || id || ' ' || octet_length(text) || ' '
            || text, ''), ''), 'UTF8'))
        FROM (SELECT sent_at, id, text FROM messages WHERE messages.tenant_id = message.tenant_id
            AND messages.conversation_id = message.conversation_id
            ORDER BY sent_at DESC, id DESC LIMIT most) AS newest
    ));
    GET DIAGNOSTICS added = ROW_COUNT;
    IF added < cardinality(ids) THEN
        RETURN QUERY SELECT place, (SELECT true FROM conversations WHERE conversations.tenant_id = message.tenant_id
            AND conversations.id = message.conversation_id) IS NOT NULL
        FROM unnest(tenants, conversations, moments, ids) WITH ORDINALITY
            AS message (tenant_id, conversation_id, sent_at, id, place)
        WHERE (SELECT true FROM messages WHERE messages.tenant_id = message.tenant_id
            AND messages.conversation_id = message.conversation_id AND messages.sent_at = message.sent_at
            AND messages.id = message.id) IS NULL;
    END IF;
END $$;
CREATE FUNCTION public.note_late_additions() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    DECLARE
        today bigint := floor(date_part('epoch', clock_timestamp()) / 86400);
    BEGIN
        IF EXISTS (SELECT FROM written WHERE created_at < today * 86400000000) THEN
            INSERT INTO late_changes SELECT tenant_id, TG_ARGV[0], day, gen_random_uuid()::text
                FROM (SELECT DISTINCT tenant_id, created_at / 86400000000 AS day FROM written) AS days
                WHERE day < today;
        END IF;
        RETURN NULL;
    END $$;
CREATE FUNCTION public.note_late_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
        IF NEW.created_at / 86400000000 < floor(date_part('epoch', clock_timestamp()) / 86400) THEN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, TG_ARGV[0], NEW.created_at / 86400000000, gen_random_uuid()::text);
        END IF;
        RETURN NULL;
    END $$;
CREATE TABLE public.audit_heads (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    sequence bigint NOT NULL,
    hash bytea NOT NULL,
    signature bytea,
    signed_by bytea
);
CREATE TABLE public.audit_records (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    sequence bigint NOT NULL,
    recorded_at bigint NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    details text NOT NULL,
    previous bytea NOT NULL,
    hash bytea NOT NULL
);
CREATE TABLE public.configuration_versions (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    vocabulary_version bigint NOT NULL,
    changed_at bigint NOT NULL,
    pending_since bigint,
    delivered_version bigint,
    delivered_at bigint,
    failures bigint DEFAULT 0 NOT NULL,
    failure text,
    failed_at bigint,
    next_attempt_at bigint
);
CREATE TABLE public.conversations (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    external_id text NOT NULL COLLATE pg_catalog."C",
    agent_external_id text,
    agent_name text,
    customer_external_id text NOT NULL,
    customer_name text,
    metadata text,
    started_at bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.credentials (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    api_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    permissions text NOT NULL,
    secret_digest bytea NOT NULL,
    previous_digest bytea,
    previous_until bigint,
    created_at bigint NOT NULL,
    revoked_at bigint
);
CREATE TABLE public.late_changes (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    feed text NOT NULL COLLATE pg_catalog."C",
    day bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.leases (
    duty text NOT NULL COLLATE pg_catalog."C",
    replica_id text NOT NULL,
    term bigint NOT NULL,
    held_until bigint NOT NULL
);
CREATE TABLE public.messages (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    sent_at bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    sender_role smallint NOT NULL,
    sender_external_id text NOT NULL,
    text text NOT NULL,
    created_at bigint NOT NULL,
    masked_with text DEFAULT '0'::text NOT NULL
);
CREATE TABLE public.receipts (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL COLLATE pg_catalog."C",
    key_digest bytea NOT NULL,
    request_digest bytea NOT NULL,
    ids text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.redaction_audit (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    switched_at bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    label text NOT NULL,
    was_active boolean NOT NULL,
    is_active boolean NOT NULL,
    credential text,
    reference text,
    first_approver text,
    second_approver text
);
CREATE TABLE public.redaction_flags (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    label text NOT NULL COLLATE pg_catalog."C",
    active boolean NOT NULL
);
CREATE TABLE public.seaql_migrations (
    version character varying NOT NULL,
    applied_at bigint NOT NULL
);
CREATE TABLE public.vocabularies (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    phrase text NOT NULL COLLATE pg_catalog."C",
    sounds_like text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.vocabulary_changes (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    changed_at bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    vocabulary_id text NOT NULL COLLATE pg_catalog."C",
    kind smallint NOT NULL,
    phrase text NOT NULL,
    sounds_like text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE ONLY public.audit_heads
    ADD CONSTRAINT audit_heads_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY public.audit_records
    ADD CONSTRAINT audit_records_pkey PRIMARY KEY (tenant_id, sequence);
ALTER TABLE ONLY public.configuration_versions
    ADD CONSTRAINT configuration_versions_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (tenant_id, api_id);
ALTER TABLE ONLY public.late_changes
    ADD CONSTRAINT late_changes_pkey PRIMARY KEY (tenant_id, feed, day, id);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (duty);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (tenant_id, conversation_id, sent_at, id);
ALTER TABLE ONLY public.receipts
    ADD CONSTRAINT receipts_pkey PRIMARY KEY (tenant_id, operation, key_digest);
ALTER TABLE ONLY public.redaction_audit
    ADD CONSTRAINT redaction_audit_pkey PRIMARY KEY (tenant_id, switched_at, id);
ALTER TABLE ONLY public.redaction_flags
    ADD CONSTRAINT redaction_flags_pkey PRIMARY KEY (tenant_id, label);
ALTER TABLE ONLY public.seaql_migrations
    ADD CONSTRAINT seaql_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.vocabularies
    ADD CONSTRAINT vocabularies_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.vocabularies
    ADD CONSTRAINT vocabularies_tenant_id_phrase_key UNIQUE (tenant_id, phrase);
ALTER TABLE ONLY public.vocabulary_changes
    ADD CONSTRAINT vocabulary_changes_pkey PRIMARY KEY (tenant_id, changed_at, id);
CREATE INDEX conversations_by_creation ON public.conversations USING btree (tenant_id, created_at, id) WHERE (created_at IS NOT NULL);
CREATE UNIQUE INDEX conversations_by_external_id ON public.conversations USING btree (external_id, tenant_id);
CREATE INDEX messages_by_creation ON public.messages USING btree (tenant_id, created_at, id) WHERE (created_at IS NOT NULL);
CREATE INDEX receipts_by_age ON public.receipts USING btree (created_at);
CREATE TRIGGER late_conversations AFTER INSERT OR UPDATE ON public.conversations FOR EACH ROW EXECUTE FUNCTION public.note_late_change('conversations');
CREATE TRIGGER late_messages AFTER UPDATE OF text ON public.messages FOR EACH ROW EXECUTE FUNCTION public.note_late_change('messages');
CREATE TRIGGER late_new_messages AFTER INSERT ON public.messages REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION public.note_late_additions('messages');
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_tenant_id_conversation_id_fkey FOREIGN KEY (tenant_id, conversation_id) REFERENCES public.conversations(tenant_id, id);
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
