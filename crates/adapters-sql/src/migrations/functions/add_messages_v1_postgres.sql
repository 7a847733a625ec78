-- Inserts messages, whose columns are passed as arrays. The function inserts each message whose conversation exists and
-- whose precondition holds: the digest of the newest messages of the conversation, up to `most` of them, equals the
-- element of `presumptions`, or the element is NULL. For each rejected message the function returns the position in the
-- arrays, starting at 1, and whether the conversation exists.
--
-- The function takes an advisory lock on each name in `held`, until the transaction ends. Its second statement sees the
-- rows that were committed while the first one waited for a lock. A single statement would not see them, and two
-- separate statements would need two round trips. The function searches for rejected messages only if a message was
-- rejected, which is rare: collecting them during the insertion took a tenth of the time of a batch.
--
-- Conversations are never deleted, so a conversation that is found still exists when its message is inserted. Scalar
-- subqueries look up the rows that belong to a message, because PostgreSQL could plan a join or EXISTS as a scan of all
-- conversations. The newest messages are aggregated in the order in which they are read, because an aggregate with its
-- own ORDER BY sorts its input, which costs five times as much.
CREATE OR REPLACE FUNCTION {NAME}(held text[], tenants text[], conversations text[],
    moments bigint[], ids text[], roles smallint[], senders text[], texts text[], creations bigint[], sets text[],
    presumptions bytea[], most bigint) RETURNS TABLE (place bigint, has_conversation boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    added bigint;
BEGIN
    IF cardinality(held) > 0 THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(held) AS name;
    END IF;
    INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at,
        masked_with)
    SELECT tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at, masked_with
    FROM unnest(tenants, conversations, moments, ids, roles, senders, texts, creations, sets, presumptions)
        AS message (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at,
        masked_with, presumed)
    WHERE {HAS_CONVERSATION} AND (presumed IS NULL OR presumed = (
        SELECT {TAIL_DIGEST}
        FROM (SELECT sent_at, id, text FROM messages WHERE messages.tenant_id = message.tenant_id
            AND messages.conversation_id = message.conversation_id
            ORDER BY sent_at DESC, id DESC LIMIT most) AS newest
    ));
    GET DIAGNOSTICS added = ROW_COUNT;
    IF added < cardinality(ids) THEN
        RETURN QUERY SELECT place, (SELECT true FROM conversations WHERE conversations.tenant_id = message.tenant_id
            AND conversations.id = message.conversation_id) IS NOT NULL
        FROM unnest(tenants, conversations, moments, ids) WITH ORDINALITY
            AS message (tenant_id, conversation_id, sent_at, id, place)
        WHERE (SELECT true FROM messages WHERE messages.tenant_id = message.tenant_id
            AND messages.conversation_id = message.conversation_id AND messages.sent_at = message.sent_at
            AND messages.id = message.id) IS NULL;
    END IF;
END $$;
