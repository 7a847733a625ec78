-- The digests of the pairs of a conversation's metadata. The digests are the same in every version of the server. Metadata
-- that was damaged has no pairs, so that it can still be replaced.
CREATE OR REPLACE FUNCTION metadata_pairs_v1(metadata text) RETURNS SETOF bytea LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
        RETURN QUERY SELECT substr(sha256(convert_to(member.key || chr(10) || member.value, 'UTF8')), 1, 16)
            FROM json_each_text(metadata::json) AS member;
    EXCEPTION WHEN data_exception THEN
        RETURN;
    END $$;

-- One statement adds the pairs of all new conversations of a batch. A new conversation was not updated in another hour.
CREATE OR REPLACE FUNCTION index_new_conversations_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO conversation_metadata SELECT tenant_id,
                substr(sha256(convert_to(member.key || chr(10) || member.value, 'UTF8')), 1, 16), started_at, id
            FROM written, json_each_text(written.metadata::json) AS member;
        RETURN NULL;
    END $$;

-- An update changes only the pairs that differ.
CREATE OR REPLACE FUNCTION index_conversation_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF OLD.metadata IS DISTINCT FROM NEW.metadata THEN
            DELETE FROM conversation_metadata WHERE tenant_id = NEW.tenant_id
                AND pair = ANY (ARRAY(SELECT metadata_pairs_v1(OLD.metadata) EXCEPT SELECT metadata_pairs_v1(NEW.metadata)))
                AND started_at = NEW.started_at AND conversation_id = NEW.id;
            INSERT INTO conversation_metadata SELECT NEW.tenant_id, pair, NEW.started_at, NEW.id
                FROM (SELECT metadata_pairs_v1(NEW.metadata) EXCEPT SELECT metadata_pairs_v1(OLD.metadata)) AS added (pair)
                ON CONFLICT DO NOTHING;
        END IF;
        IF OLD.updated_at / {HOUR_MICROS} <> NEW.updated_at / {HOUR_MICROS} THEN
            DELETE FROM conversation_updates WHERE tenant_id = NEW.tenant_id
                AND hour = OLD.updated_at / {HOUR_MICROS} AND conversation_id = NEW.id;
            INSERT INTO conversation_updates SELECT NEW.tenant_id, NEW.updated_at / {HOUR_MICROS}, NEW.id
                WHERE NEW.updated_at / {HOUR_MICROS} <> NEW.created_at / {HOUR_MICROS} ON CONFLICT DO NOTHING;
        END IF;
        RETURN NULL;
    END $$;

DROP TRIGGER IF EXISTS index_new_conversations ON conversations;
CREATE TRIGGER index_new_conversations AFTER INSERT ON conversations REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION index_new_conversations_v1();

-- Most updates change neither, and do not call the function.
DROP TRIGGER IF EXISTS index_conversation ON conversations;
CREATE TRIGGER index_conversation AFTER UPDATE ON conversations FOR EACH ROW
    WHEN (OLD.metadata IS DISTINCT FROM NEW.metadata
        OR OLD.updated_at / {HOUR_MICROS} <> NEW.updated_at / {HOUR_MICROS})
    EXECUTE FUNCTION index_conversation_v1();
