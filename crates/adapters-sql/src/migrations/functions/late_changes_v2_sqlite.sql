-- A write is late if it adds or rewrites a row of a past hour, by the clock of the machine. The trigger records a
-- late write in its transaction, whichever program writes.
DROP TRIGGER IF EXISTS {NAME};
CREATE TRIGGER {NAME} AFTER {WRITE} WHEN NEW.created_at / {HOUR_MICROS} < unixepoch() / {HOUR_SECONDS}
        BEGIN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, '{FEED}', NEW.created_at / {DAY_MICROS}, hex(randomblob(16)),
                    NEW.created_at % {DAY_MICROS} / {HOUR_MICROS});
        END;
