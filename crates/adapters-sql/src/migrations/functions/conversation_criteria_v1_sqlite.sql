-- A pair is a key and a value, with a line feed between them, which no key contains. Metadata that was damaged has no pairs,
-- so that it can still be replaced. A new conversation was not updated in another hour. The conflict clause of an upsert
-- overrides OR IGNORE in a trigger that it fires, so a trigger looks for the row itself.
DROP TRIGGER IF EXISTS index_new_conversation;
CREATE TRIGGER index_new_conversation AFTER INSERT ON conversations WHEN NEW.metadata IS NOT NULL
        BEGIN
            INSERT INTO conversation_metadata SELECT NEW.tenant_id, key || char(10) || value, NEW.started_at, NEW.id
                FROM json_each(CASE WHEN json_valid(NEW.metadata) THEN NEW.metadata ELSE '{}' END) AS member
                WHERE member.type = 'text';
        END;

DROP TRIGGER IF EXISTS index_changed_metadata;
CREATE TRIGGER index_changed_metadata AFTER UPDATE OF metadata ON conversations WHEN OLD.metadata IS NOT NEW.metadata
        BEGIN
            DELETE FROM conversation_metadata WHERE tenant_id = NEW.tenant_id AND started_at = NEW.started_at
                AND conversation_id = NEW.id AND pair IN (SELECT key || char(10) || value
                    FROM json_each(CASE WHEN json_valid(OLD.metadata) THEN OLD.metadata ELSE '{}' END));
            INSERT INTO conversation_metadata
                SELECT NEW.tenant_id, key || char(10) || value, NEW.started_at, NEW.id
                FROM json_each(CASE WHEN json_valid(NEW.metadata) THEN NEW.metadata ELSE '{}' END) AS member
                WHERE member.type = 'text' AND member.key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM conversation_metadata
                    WHERE tenant_id = NEW.tenant_id AND pair = member.key || char(10) || member.value
                        AND started_at = NEW.started_at AND conversation_id = NEW.id);
        END;

DROP TRIGGER IF EXISTS index_updated_hour;
CREATE TRIGGER index_updated_hour AFTER UPDATE OF updated_at ON conversations
        WHEN OLD.updated_at / {HOUR_MICROS} <> NEW.updated_at / {HOUR_MICROS}
        BEGIN
            DELETE FROM conversation_updates WHERE tenant_id = NEW.tenant_id
                AND hour = OLD.updated_at / {HOUR_MICROS} AND conversation_id = NEW.id;
            INSERT INTO conversation_updates SELECT NEW.tenant_id, NEW.updated_at / {HOUR_MICROS}, NEW.id
                WHERE NEW.updated_at / {HOUR_MICROS} <> NEW.created_at / {HOUR_MICROS}
                    AND NOT EXISTS (SELECT 1 FROM conversation_updates WHERE tenant_id = NEW.tenant_id
                        AND hour = NEW.updated_at / {HOUR_MICROS} AND conversation_id = NEW.id);
        END;
