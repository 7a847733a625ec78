//! The statements on `messages` that are run so often that they are written out. Every one names its tenant.

/// Adds one message. Where it has no conversation, the foreign key is broken.
pub(crate) const INSERT: &str = "INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, \
    sender_external_id, text, created_at, masked_with) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// Adds the messages whose columns are given as arrays, as the function of the schema says that this calls
/// (`schema/m0012_adding_messages.rs`). For PostgreSQL.
pub(crate) const ADD_ALL: &str =
    "SELECT place, has_conversation FROM add_messages($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";

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

/// Puts a text in the place of another.
pub(crate) const MASK: &str = concat!(
    "UPDATE messages SET text = $1 WHERE tenant_id = $2 AND conversation_id = $3 AND sent_at = $4 AND id = $5 ",
    "AND text = $6"
);
