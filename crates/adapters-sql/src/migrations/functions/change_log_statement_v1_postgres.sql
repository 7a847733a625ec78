
-- Appends one row for all rows that a statement writes for a tenant, in the order in which they were written.
CREATE OR REPLACE FUNCTION {NAME}_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moment bigint := floor(date_part('epoch', clock_timestamp()) * 1000000);
        number bigint;
    BEGIN
        IF EXISTS (SELECT FROM written) THEN
            number := next_change_v1();
            INSERT INTO change_log (tenant_id, sequence, tag, kind, occurred_at, last_index, refs, slot)
                SELECT tenant_id, number, change_tag_v1(), {KIND}, moment, count(*) - 1,
                    string_agg({REFERENCE}, chr(10)), moment / {SLOT_MICROS} % {SLOTS}
                FROM written GROUP BY tenant_id;
        END IF;
        RETURN NULL;
    END $$;

DROP TRIGGER IF EXISTS {NAME} ON {TABLE};
CREATE TRIGGER {NAME} AFTER {WRITE} ON {TABLE} REFERENCING NEW TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION {NAME}_v1();
