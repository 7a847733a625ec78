-- A write is late if it adds or rewrites a row of a past UTC day, by the clock of the machine. The trigger records a
-- late write in its transaction, whichever program writes.
DROP TRIGGER IF EXISTS {NAME};
CREATE TRIGGER {NAME} AFTER {WRITE} WHEN NEW.created_at / {DAY_MICROS} < unixepoch() / {DAY_SECONDS}
        BEGIN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, '{FEED}', NEW.created_at / {DAY_MICROS}, hex(randomblob(16)));
        END;
