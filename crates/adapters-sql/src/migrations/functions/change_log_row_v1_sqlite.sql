-- Appends a row to the change log in the transaction of the change. The one writer of the database numbers the rows of a
-- tenant. The tag is random: it tells apart rows with the same number of two copies of a database.
DROP TRIGGER IF EXISTS {NAME};
CREATE TRIGGER {NAME} AFTER {WRITE} ON {TABLE}
        BEGIN
            INSERT INTO change_log (tenant_id, sequence, tag, kind, occurred_at, last_index, refs)
                VALUES ({ROW}.tenant_id, 1 + coalesce(
                    (SELECT sequence FROM change_log WHERE tenant_id = {ROW}.tenant_id ORDER BY sequence DESC LIMIT 1),
                    (SELECT sequence FROM change_log_dropped WHERE tenant_id = {ROW}.tenant_id), 0),
                    random(), {KIND}, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000, 0, {REFERENCE});
        END;
