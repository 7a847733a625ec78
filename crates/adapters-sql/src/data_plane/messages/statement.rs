//! The statements on `messages`. Each is limited to a tenant.

/// Inserts a message. If its conversation does not exist, the statement violates the foreign key.
pub(crate) const INSERT: &str = "INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, \
    sender_external_id, text, created_at, masked_with) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// Inserts the messages whose columns are bound as arrays, all or none. If a conversation does not exist, the statement
/// violates the foreign key. For PostgreSQL.
pub(crate) const INSERT_PLAIN: &str = "INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, \
    sender_external_id, text, created_at, masked_with) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], \
    $4::text[], $5::smallint[], $6::text[], $7::text[], $8::bigint[], $9::text[])";

/// Inserts the messages whose columns are bound as arrays. `$10` names the conversations to lock, and `$11` holds the
/// digests of the preconditions. `migrations/functions/add_messages_postgres.sql` defines the function. For PostgreSQL.
pub(crate) const INSERT_ALL: &str =
    "SELECT place, has_conversation FROM add_messages($10, $1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12)";

/// [`INSERT_ALL`] without a look-up of the conversations. If one does not exist, the statement violates the foreign key.
pub(crate) const INSERT_ALL_UNCHECKED: &str =
    "SELECT place, has_conversation FROM add_messages_to_known($10, $1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12)";

/// The messages of a conversation after a position, nearest first.
pub(super) const AFTER: &str = concat!(
    "SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages ",
    "WHERE tenant_id = $1 AND conversation_id = $2 AND (sent_at, id) > ($3, $4) ORDER BY sent_at, id LIMIT $5"
);

/// The messages of a conversation before a position, nearest first.
pub(super) const BEFORE: &str = concat!(
    "SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages ",
    "WHERE tenant_id = $1 AND conversation_id = $2 AND (sent_at, id) < ($3, $4) ORDER BY sent_at DESC, id DESC LIMIT $5"
);

/// [`AFTER`] with a byte limit: returns only the messages for which all texts that are seven or more places earlier
/// have together fewer than `$6` bytes. A page ends with the sixth message, counted from the one that reaches the
/// limit, and one more message shows that another page follows. The database adds up the lengths while it scans the
/// index. For PostgreSQL.
pub(super) const PAGE_AFTER: &str =
    "SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM (
        SELECT *, sum(octet_length(text)) OVER
            (ORDER BY sent_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 7 PRECEDING) AS bytes_before
        FROM messages WHERE tenant_id = $1 AND conversation_id = $2 AND (sent_at, id) > ($3, $4)
        ORDER BY sent_at, id LIMIT $5) AS near WHERE coalesce(bytes_before, 0) < $6";

/// [`PAGE_AFTER`] for many queries, whose tenants, conversations, positions and limits are bound as arrays. The last
/// column of a row is the number of its query, starting at 1.
pub(crate) const ALL_PAGES_AFTER: &str = "SELECT run.*, requested.number
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[])
        WITH ORDINALITY AS requested (tenant_id, conversation_id, sent_at, id, max_messages, max_bytes, number)
    CROSS JOIN LATERAL (
        SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM (
            SELECT *, sum(octet_length(text)) OVER
                (ORDER BY sent_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 7 PRECEDING) AS bytes_before
            FROM messages WHERE tenant_id = requested.tenant_id AND conversation_id = requested.conversation_id
            AND (sent_at, id) > (requested.sent_at, requested.id)
            ORDER BY sent_at, id LIMIT requested.max_messages) AS near
        WHERE coalesce(bytes_before, 0) < requested.max_bytes) AS run";

/// [`AFTER`], but a text of more than 8 KiB is NULL. For PostgreSQL.
pub(super) const AFTER_WITHOUT_LONG_TEXTS: &str = concat!(
    "SELECT id, sent_at, sender_role, sender_external_id, CASE WHEN octet_length(text) <= 8192 THEN text END, ",
    "masked_with, created_at FROM messages WHERE tenant_id = $1 AND conversation_id = $2 AND (sent_at, id) > ($3, $4) ",
    "ORDER BY sent_at, id LIMIT $5"
);

/// [`AFTER_WITHOUT_LONG_TEXTS`] for many queries, with the parameters of [`ALL_AFTER`].
pub(crate) const ALL_AFTER_WITHOUT_LONG_TEXTS: &str = "SELECT run.*, requested.number
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
        WITH ORDINALITY AS requested (tenant_id, conversation_id, sent_at, id, max_messages, number)
    CROSS JOIN LATERAL (
        SELECT id, sent_at, sender_role, sender_external_id, \
        CASE WHEN octet_length(text) <= 8192 THEN text END AS text, masked_with, created_at FROM messages
        WHERE tenant_id = requested.tenant_id AND conversation_id = requested.conversation_id
        AND (sent_at, id) > (requested.sent_at, requested.id)
        ORDER BY sent_at, id LIMIT requested.max_messages) AS run";

/// [`AFTER`] for many queries, whose tenants, conversations, positions and limits are bound as arrays. The last column
/// of a row is the number of its query, starting at 1. For PostgreSQL.
pub(crate) const ALL_AFTER: &str = "SELECT run.*, requested.number
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
        WITH ORDINALITY AS requested (tenant_id, conversation_id, sent_at, id, max_messages, number)
    CROSS JOIN LATERAL (
        SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages
        WHERE tenant_id = requested.tenant_id AND conversation_id = requested.conversation_id
        AND (sent_at, id) > (requested.sent_at, requested.id)
        ORDER BY sent_at, id LIMIT requested.max_messages) AS run";

/// [`BEFORE`] for many queries, with the parameters of [`ALL_AFTER`]. For PostgreSQL.
pub(crate) const ALL_BEFORE: &str = "SELECT run.*, requested.number
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
        WITH ORDINALITY AS requested (tenant_id, conversation_id, sent_at, id, max_messages, number)
    CROSS JOIN LATERAL (
        SELECT id, sent_at, sender_role, sender_external_id, text, masked_with, created_at FROM messages
        WHERE tenant_id = requested.tenant_id AND conversation_id = requested.conversation_id
        AND (sent_at, id) < (requested.sent_at, requested.id)
        ORDER BY sent_at DESC, id DESC LIMIT requested.max_messages) AS run";

/// The newest messages of a conversation with the columns that a precondition compares, newest first. For SQLite.
pub(crate) const NEWEST_TEXTS: &str = concat!(
    "SELECT sent_at, id, text FROM messages WHERE tenant_id = $1 AND conversation_id = $2 ",
    "ORDER BY sent_at DESC, id DESC LIMIT $3"
);

/// Whether a conversation exists. For SQLite, where no other transaction writes at the same time.
pub(crate) const CONVERSATION_EXISTS: &str = "SELECT 1 FROM conversations WHERE tenant_id = $1 AND id = $2";

/// Replaces a text, if the stored text is the expected one.
pub(crate) const UPDATE_TEXT: &str = concat!(
    "UPDATE messages SET text = $1 WHERE tenant_id = $2 AND conversation_id = $3 AND sent_at = $4 AND id = $5 ",
    "AND text = $6"
);

/// A count as a bound value of a statement.
pub(super) fn sql_limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
