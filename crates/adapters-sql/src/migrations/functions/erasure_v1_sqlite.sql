-- An erasure deletes a conversation with its messages. These triggers do what belongs to it, in its transaction.
--
-- The hours of removed rows count as changed, so that feeds are written again without them.
DROP TRIGGER IF EXISTS late_removed_messages;
CREATE TRIGGER late_removed_messages AFTER DELETE ON messages
        WHEN OLD.created_at / {HOUR_MICROS} < unixepoch() / {HOUR_SECONDS}
        BEGIN
            INSERT INTO late_changes VALUES (OLD.tenant_id, 'messages', OLD.created_at / {DAY_MICROS},
                hex(randomblob(16)), OLD.created_at % {DAY_MICROS} / {HOUR_MICROS});
        END;

DROP TRIGGER IF EXISTS late_removed_conversations;
CREATE TRIGGER late_removed_conversations AFTER DELETE ON conversations
        WHEN OLD.created_at / {HOUR_MICROS} < unixepoch() / {HOUR_SECONDS}
        BEGIN
            INSERT INTO late_changes VALUES (OLD.tenant_id, 'conversations', OLD.created_at / {DAY_MICROS},
                hex(randomblob(16)), OLD.created_at % {DAY_MICROS} / {HOUR_MICROS});
        END;

DROP TRIGGER IF EXISTS unindex_conversation;
CREATE TRIGGER unindex_conversation AFTER DELETE ON conversations
        BEGIN
            DELETE FROM conversation_metadata WHERE tenant_id = OLD.tenant_id AND started_at = OLD.started_at
                AND conversation_id = OLD.id AND pair IN (SELECT key || char(10) || value
                    FROM json_each(CASE WHEN json_valid(OLD.metadata) THEN OLD.metadata ELSE '{}' END));
            DELETE FROM conversation_updates WHERE tenant_id = OLD.tenant_id
                AND hour = OLD.updated_at / {HOUR_MICROS} AND conversation_id = OLD.id;
        END;
