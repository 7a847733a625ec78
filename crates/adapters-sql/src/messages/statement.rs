//! The statements on `messages` that are run so often that they are written out. Every one names its tenant.

/// Adds one message. Where it has no conversation, the foreign key is broken.
pub(crate) const INSERT: &str = "INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, \
    sender_external_id, text, created_at, masked_with) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// Adds the messages whose columns are given as arrays, and tells the places, from one, of those that have no
/// conversation, which are not added. For PostgreSQL.
///
/// Conversations are never deleted, so one that is found still exists when its message is added. Each is looked up by
/// a subquery of its own, since a join could be planned as a scan of all conversations.
pub(crate) const INSERT_ALL: &str = "WITH given AS MATERIALIZED (
    SELECT message.*, (SELECT true FROM conversations WHERE conversations.tenant_id = message.tenant_id
        AND conversations.id = message.conversation_id) AS has_conversation
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::smallint[], $6::text[], $7::text[], $8::bigint[],
        $9::text[]) WITH ORDINALITY AS message (tenant_id, conversation_id, sent_at, id, sender_role,
        sender_external_id, text, created_at, masked_with, place)
), added AS (
    INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at,
        masked_with)
    SELECT tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at, masked_with
    FROM given WHERE has_conversation
)
SELECT place FROM given WHERE has_conversation IS NOT TRUE";

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
