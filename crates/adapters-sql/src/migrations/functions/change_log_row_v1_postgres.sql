
CREATE OR REPLACE FUNCTION {NAME}_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moment bigint := floor(date_part('epoch', clock_timestamp()) * 1000000);
    BEGIN
        INSERT INTO change_log (tenant_id, sequence, tag, kind, occurred_at, last_index, refs, slot)
            VALUES ({ROW}.tenant_id, next_change_v1(), change_tag_v1(), {KIND}, moment, 0, {REFERENCE},
                moment / {SLOT_MICROS} % {SLOTS});
        RETURN NULL;
    END $$;

DROP TRIGGER IF EXISTS {NAME} ON {TABLE};
CREATE TRIGGER {NAME} AFTER {WRITE} ON {TABLE} FOR EACH ROW EXECUTE FUNCTION {NAME}_v1();
