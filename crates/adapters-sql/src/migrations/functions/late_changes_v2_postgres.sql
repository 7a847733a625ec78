-- A write is late if it adds or rewrites a row of a past hour, by the clock of the database. The triggers record
-- late writes in their transaction, whichever program writes. If a write is not late, its trigger costs one comparison.
--
-- The comparison is in the function, which is prepared once per session. PostgreSQL prepares the condition of a trigger
-- for each statement, which costs half as much as an insertion. The comparison does not use the exact numbers of
-- extract(), whose division costs as much as the rest of the comparison.
CREATE OR REPLACE FUNCTION note_late_change_v2() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.created_at / {HOUR_MICROS} < floor(date_part('epoch', clock_timestamp()) / {HOUR_SECONDS}) THEN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, TG_ARGV[0], NEW.created_at / {DAY_MICROS}, gen_random_uuid()::text,
                    NEW.created_at % {DAY_MICROS} / {HOUR_MICROS});
        END IF;
        RETURN NULL;
    END $$;

-- One comparison per statement finds out whether inserted messages are late.
CREATE OR REPLACE FUNCTION note_late_additions_v2() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        this_hour bigint := floor(date_part('epoch', clock_timestamp()) / {HOUR_SECONDS});
    BEGIN
        IF EXISTS (SELECT FROM written WHERE created_at < this_hour * {HOUR_MICROS}) THEN
            INSERT INTO late_changes
                SELECT tenant_id, TG_ARGV[0], created_hour / 24, gen_random_uuid()::text, created_hour % 24
                FROM (SELECT DISTINCT tenant_id, created_at / {HOUR_MICROS} AS created_hour FROM written) AS hours
                WHERE created_hour < this_hour;
        END IF;
        RETURN NULL;
    END $$;

DROP TRIGGER IF EXISTS late_new_messages ON messages;
CREATE TRIGGER late_new_messages AFTER INSERT ON messages REFERENCING NEW TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION note_late_additions_v2('messages');

-- Updates are compared row by row, because PostgreSQL has no transition tables for triggers on certain columns.
DROP TRIGGER IF EXISTS late_messages ON messages;
CREATE TRIGGER late_messages AFTER UPDATE OF text ON messages FOR EACH ROW
    EXECUTE FUNCTION note_late_change_v2('messages');

DROP TRIGGER IF EXISTS late_conversations ON conversations;
CREATE TRIGGER late_conversations AFTER INSERT OR UPDATE ON conversations FOR EACH ROW
    EXECUTE FUNCTION note_late_change_v2('conversations');
