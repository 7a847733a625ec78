-- An erasure deletes a conversation with its messages, and inserts a row into erased_conversations.
--
-- The first trigger runs in the transaction of an upsert, and refuses to create an erased conversation again. An upsert can
-- begin before an erasure is committed, wait for its lock, and then insert the conversation: its snapshot is too old to show
-- the row of the erasure. The trigger runs after the insertion. At the isolation level READ COMMITTED, a statement in it has
-- a new snapshot, which shows the row. An erasure that begins later waits for the upsert.
-- A conversation of an older program has no digest, and is not compared.
CREATE OR REPLACE FUNCTION refuse_erased_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM tenant_id FROM written WHERE external_digest IS NOT NULL AND (SELECT true FROM erased_conversations
            WHERE erased_conversations.tenant_id = written.tenant_id
                AND erased_conversations.digest = written.external_digest LIMIT 1) IS NOT NULL LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION USING ERRCODE = '{REFUSED}', MESSAGE = 'the conversation was erased';
        END IF;
        RETURN NULL;
    END $$;

DROP TRIGGER IF EXISTS refuse_erased ON conversations;
CREATE TRIGGER refuse_erased AFTER INSERT ON conversations REFERENCING NEW TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_erased_v1();

-- The other triggers run in the transaction of the erasure. The hours in which the removed rows were created count as changed,
-- so that feeds are written again without them. The function was made for added rows: it notes the hours of the rows that
-- are named `written`, except the present hour, which no feed contains yet.
DROP TRIGGER IF EXISTS late_removed_messages ON messages;
CREATE TRIGGER late_removed_messages AFTER DELETE ON messages REFERENCING OLD TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION note_late_additions_v2('messages');

DROP TRIGGER IF EXISTS late_removed_conversations ON conversations;
CREATE TRIGGER late_removed_conversations AFTER DELETE ON conversations REFERENCING OLD TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_late_additions_v2('conversations');

-- Deletes the rows by which a conversation is found by its metadata and by the hour of its last update.
CREATE OR REPLACE FUNCTION unindex_conversation_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM conversation_metadata WHERE tenant_id = OLD.tenant_id
            AND pair = ANY (ARRAY(SELECT metadata_pairs_v1(OLD.metadata)))
            AND started_at = OLD.started_at AND conversation_id = OLD.id;
        DELETE FROM conversation_updates WHERE tenant_id = OLD.tenant_id
            AND hour = OLD.updated_at / {HOUR_MICROS} AND conversation_id = OLD.id;
        RETURN NULL;
    END $$;

DROP TRIGGER IF EXISTS unindex_conversation ON conversations;
CREATE TRIGGER unindex_conversation AFTER DELETE ON conversations FOR EACH ROW
    EXECUTE FUNCTION unindex_conversation_v1();
