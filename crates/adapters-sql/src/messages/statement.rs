//! The statements on `messages` that are run so often that they are written out. Every one names its tenant.

/// Adds one message. Where it has no conversation, the foreign key is broken.
pub(crate) const INSERT: &str = "INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, \
    sender_external_id, text, created_at, masked_with) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// Adds the messages whose columns are given as arrays, all or none. Where one has no conversation, the foreign key is
/// broken. For PostgreSQL.
pub(crate) const INSERT_ALL: &str = "INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, \
    sender_external_id, text, created_at, masked_with) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], \
    $4::text[], $5::smallint[], $6::text[], $7::text[], $8::bigint[], $9::text[])";

/// Adds the messages whose columns are given in the same way, and of which some presume something ($11) of conversations
/// that are held ($10), as the function of the schema says that this calls (`schema/m0012_adding_messages.rs`).
pub(crate) const ADD_ALL: &str =
    "SELECT place, has_conversation FROM add_messages($10, $1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12)";

/// [`ADD_ALL`] to conversations that are taken to exist. Where one does not, the foreign key is broken.
pub(crate) const ADD_ALL_TO_KNOWN: &str =
    "SELECT place, has_conversation FROM add_messages_to_known($10, $1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12)";

/// The messages of a conversation after a position, the nearest first.
pub(super) const AFTER: &str = concat!(
    "SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages ",
    "WHERE tenant_id = $1 AND conversation_id = $2 AND (sent_at, id) > ($3, $4) ORDER BY sent_at, id LIMIT $5"
);

/// The messages of a conversation before a position, the nearest first.
pub(super) const BEFORE: &str = concat!(
    "SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages ",
    "WHERE tenant_id = $1 AND conversation_id = $2 AND (sent_at, id) < ($3, $4) ORDER BY sent_at DESC, id DESC LIMIT $5"
);

/// [`AFTER`], as far as the texts that stand seven or more before a message have fewer than so many bytes: a page has the sixth
/// from the one that reaches them, and one more message shows that more follow. The database adds the lengths up as it goes
/// along the index, and gives only what is wanted. For PostgreSQL.
pub(super) const AFTER_WITHIN: &str =
    "SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM (
        SELECT *, sum(octet_length(text)) OVER
            (ORDER BY sent_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 7 PRECEDING) AS bytes_before
        FROM messages WHERE tenant_id = $1 AND conversation_id = $2 AND (sent_at, id) > ($3, $4)
        ORDER BY sent_at, id LIMIT $5) AS near WHERE coalesce(bytes_before, 0) < $6";

/// [`AFTER_WITHIN`] for tenants, conversations, positions and bounds that are given as arrays: each message with the number of
/// its place in them, from one.
pub(crate) const ALL_AFTER_WITHIN: &str = "SELECT run.*, place.number
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[])
        WITH ORDINALITY AS place (tenant_id, conversation_id, sent_at, id, most, bytes, number)
    CROSS JOIN LATERAL (
        SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM (
            SELECT *, sum(octet_length(text)) OVER
                (ORDER BY sent_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 7 PRECEDING) AS bytes_before
            FROM messages WHERE tenant_id = place.tenant_id AND conversation_id = place.conversation_id
            AND (sent_at, id) > (place.sent_at, place.id)
            ORDER BY sent_at, id LIMIT place.most) AS near WHERE coalesce(bytes_before, 0) < place.bytes) AS run";

/// [`AFTER`], where a text of more than 8 KiB is null. For PostgreSQL.
pub(super) const AFTER_SHORT: &str = concat!(
    "SELECT id, sent_at, sender_role, sender_external_id, CASE WHEN octet_length(text) <= 8192 THEN text END, masked_with, ",
    "created_at FROM messages WHERE tenant_id = $1 AND conversation_id = $2 AND (sent_at, id) > ($3, $4) ",
    "ORDER BY sent_at, id LIMIT $5"
);

/// [`AFTER_SHORT`] for places and bounds that are given as arrays, as those of [`ALL_AFTER`] are.
pub(crate) const ALL_AFTER_SHORT: &str = "SELECT run.*, place.number
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
        WITH ORDINALITY AS place (tenant_id, conversation_id, sent_at, id, most, number)
    CROSS JOIN LATERAL (
        SELECT id, sent_at, sender_role, sender_external_id, CASE WHEN octet_length(text) <= 8192 THEN text END AS text, masked_with, created_at FROM messages
        WHERE tenant_id = place.tenant_id AND conversation_id = place.conversation_id
        AND (sent_at, id) > (place.sent_at, place.id) ORDER BY sent_at, id LIMIT place.most) AS run";

/// [`AFTER`] for tenants, conversations, positions and bounds that are given as arrays: each message with the number of its
/// place in them, from one. For PostgreSQL.
pub(crate) const ALL_AFTER: &str = "SELECT run.*, place.number
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
        WITH ORDINALITY AS place (tenant_id, conversation_id, sent_at, id, most, number)
    CROSS JOIN LATERAL (
        SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages
        WHERE tenant_id = place.tenant_id AND conversation_id = place.conversation_id
        AND (sent_at, id) > (place.sent_at, place.id) ORDER BY sent_at, id LIMIT place.most) AS run";

/// [`BEFORE`] for tenants, conversations, positions and bounds that are given in the same way. For PostgreSQL.
pub(crate) const ALL_BEFORE: &str = "SELECT run.*, place.number
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
        WITH ORDINALITY AS place (tenant_id, conversation_id, sent_at, id, most, number)
    CROSS JOIN LATERAL (
        SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages
        WHERE tenant_id = place.tenant_id AND conversation_id = place.conversation_id
        AND (sent_at, id) < (place.sent_at, place.id) ORDER BY sent_at DESC, id DESC LIMIT place.most) AS run";

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
