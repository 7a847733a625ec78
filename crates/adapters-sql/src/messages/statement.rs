//! The statements on `messages` that are run so often that they are written out. Every one names its tenant.

/// Adds one message. Where it has no conversation, the foreign key is broken.
pub(crate) const INSERT: &str = "INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, \
    sender_external_id, text, created_at, masked_with) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// Adds the messages whose columns are given as arrays, those whose conversation exists and has the newest messages that
/// they presume (NULL for none), see [`Context::presumed`](super::new::Context::presumed). Tells of the others their places,
/// from one, and whether there is a conversation. For PostgreSQL.
///
/// Conversations are never deleted, so one that is found still exists when its message is added. What belongs to a
/// message is looked up by subqueries of its own, since a join could be planned as a scan of all conversations.
pub(crate) const INSERT_ALL: &str = "WITH given AS MATERIALIZED (
    SELECT message.*, EXISTS (SELECT FROM conversations WHERE conversations.tenant_id = message.tenant_id
        AND conversations.id = message.conversation_id) AS has_conversation,
        message.presumed IS NULL OR message.presumed = (
            SELECT coalesce(string_agg(sent_at || ' ' || id || ' ' || octet_length(text) || ' ' || text, ''
                ORDER BY sent_at DESC, id DESC), '')
            FROM (SELECT sent_at, id, text FROM messages WHERE messages.tenant_id = message.tenant_id
                AND messages.conversation_id = message.conversation_id ORDER BY sent_at DESC, id DESC LIMIT $11) AS newest
        ) AS holds
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::smallint[], $6::text[], $7::text[], $8::bigint[],
        $9::text[], $10::text[]) WITH ORDINALITY AS message (tenant_id, conversation_id, sent_at, id, sender_role,
        sender_external_id, text, created_at, masked_with, presumed, place)
), added AS (
    INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at,
        masked_with)
    SELECT tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at, masked_with
    FROM given WHERE has_conversation AND holds
)
SELECT place, has_conversation FROM given WHERE NOT (has_conversation AND holds)";

/// A page of a conversation from its beginning.
pub(crate) const PAGE: &str = concat!(
    "SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages ",
    "WHERE tenant_id = $1 AND conversation_id = $2 ORDER BY sent_at, id LIMIT $3"
);

/// A page of a conversation after a position.
pub(crate) const PAGE_AFTER: &str = concat!(
    "SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages ",
    "WHERE tenant_id = $1 AND conversation_id = $2 AND (sent_at, id) > ($3, $4) ORDER BY sent_at, id LIMIT $5"
);

/// The newest messages of a conversation, the newest first.
pub(crate) const NEWEST: &str = concat!(
    "SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages ",
    "WHERE tenant_id = $1 AND conversation_id = $2 ORDER BY sent_at DESC, id DESC LIMIT $3"
);

/// The newest messages before a position, the newest first.
pub(crate) const NEWEST_BEFORE: &str = concat!(
    "SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages ",
    "WHERE tenant_id = $1 AND conversation_id = $2 AND (sent_at, id) < ($3, $4) ORDER BY sent_at DESC, id DESC LIMIT $5"
);

/// What stands beside positions that are given as arrays: of each the newest messages before it and the first after it,
/// with its number, from one. For PostgreSQL.
pub(crate) const NEIGHBOURS: &str = "SELECT beside.*, place.number
    FROM unnest($2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY AS place (conversation_id, sent_at, id, number)
    CROSS JOIN LATERAL (
        (SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages
            WHERE tenant_id = $1 AND conversation_id = place.conversation_id
            AND (sent_at, id) < (place.sent_at, place.id) ORDER BY sent_at DESC, id DESC LIMIT $5)
        UNION ALL
        (SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages
            WHERE tenant_id = $1 AND conversation_id = place.conversation_id
            AND (sent_at, id) > (place.sent_at, place.id) ORDER BY sent_at, id LIMIT $5)
    ) AS beside ORDER BY place.number, beside.sent_at, beside.id";

/// The newest messages of a conversation as far as others presume them, the newest first. For SQLite.
pub(crate) const NEWEST_TEXTS: &str = concat!(
    "SELECT sent_at, id, text FROM messages WHERE tenant_id = $1 AND conversation_id = $2 ",
    "ORDER BY sent_at DESC, id DESC LIMIT $3"
);

/// Whether there is a conversation. For SQLite, where a transaction that writes is alone.
pub(crate) const CONVERSATION: &str = "SELECT 1 FROM conversations WHERE tenant_id = $1 AND id = $2";

/// Holds what has these names until the transaction ends, against all others that hold it, in the order given. Nothing is
/// written, unlike by a lock on a row. For PostgreSQL.
pub(crate) const HOLD_ALL: &str =
    "SELECT count(pg_advisory_xact_lock(hashtextextended(name, 0))) FROM unnest($1::text[]) AS name";

/// Puts a text in the place of another.
pub(crate) const MASK: &str = concat!(
    "UPDATE messages SET text = $1 WHERE tenant_id = $2 AND conversation_id = $3 AND sent_at = $4 AND id = $5 ",
    "AND text = $6"
);
