-- A write is late if it adds or rewrites a row of a past UTC day, by the clock of the database. The triggers record
-- late writes in their transaction, whichever program writes. If a write is not late, its trigger costs one comparison.
--
-- The comparison is in the function, which is prepared once per session. PostgreSQL prepares the condition of a trigger
-- for each statement, which costs half as much as an insertion. The comparison does not use the exact numbers of
-- extract(), whose division costs as much as the rest of the comparison.
CREATE OR REPLACE FUNCTION note_late_change_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.created_at / {DAY_MICROS} < floor(date_part('epoch', clock_timestamp()) / {DAY_SECONDS}) THEN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, TG_ARGV[0], NEW.created_at / {DAY_MICROS}, gen_random_uuid()::text);
        END IF;
        RETURN NULL;
    END $$;

-- One comparison per statement finds out whether inserted messages are late.
CREATE OR REPLACE FUNCTION note_late_additions_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        today bigint := floor(date_part('epoch', clock_timestamp()) / {DAY_SECONDS});
    BEGIN
        IF EXISTS (SELECT FROM written WHERE created_at < today * {DAY_MICROS}) THEN
            INSERT INTO late_changes SELECT tenant_id, TG_ARGV[0], day, gen_random_uuid()::text
                FROM (SELECT DISTINCT tenant_id, created_at / {DAY_MICROS} AS day FROM written) AS days
                WHERE day < today;
        END IF;
        RETURN NULL;
    END $$;

DROP TRIGGER IF EXISTS late_new_messages ON messages;
CREATE TRIGGER late_new_messages AFTER INSERT ON messages REFERENCING NEW TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION note_late_additions_v1('messages');

-- Updates are compared row by row, because PostgreSQL has no transition tables for triggers on certain columns.
DROP TRIGGER IF EXISTS late_messages ON messages;
CREATE TRIGGER late_messages AFTER UPDATE OF text ON messages FOR EACH ROW
    EXECUTE FUNCTION note_late_change_v1('messages');

DROP TRIGGER IF EXISTS late_conversations ON conversations;
CREATE TRIGGER late_conversations AFTER INSERT OR UPDATE ON conversations FOR EACH ROW
    EXECUTE FUNCTION note_late_change_v1('conversations');
