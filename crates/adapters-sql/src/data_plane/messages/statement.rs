//! The statements on `messages`. Each is limited to a tenant.

/// The columns of a new message, but for `redactions`.
macro_rules! new_columns {
    () => {
        "tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at, masked_with"
    };
}

/// Inserts `$rows` into all columns, or into all but `redactions`.
macro_rules! insert {
    ($rows:literal) => {
        insert!(", redactions", $rows)
    };
    ($redactions:literal, $rows:literal) => {
        concat!("INSERT INTO messages (", new_columns!(), $redactions, ") ", $rows)
    };
}

/// Inserts a message. If its conversation does not exist, the statement violates the foreign key.
pub(crate) const INSERT: &str = insert!("VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)");

/// Inserts the messages whose columns are bound as arrays, all or none. If a conversation does not exist, the statement
/// violates the foreign key. For PostgreSQL.
pub(crate) const INSERT_PLAIN: &str = insert!(
    "SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::smallint[], $6::text[], $7::text[], \
     $8::bigint[], $9::text[], $10::text[])"
);

/// [`INSERT_PLAIN`] for messages without masked ranges, which are most messages.
pub(crate) const INSERT_PLAIN_UNMASKED: &str = insert!(
    "",
    "SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::smallint[], $6::text[], $7::text[], \
     $8::bigint[], $9::text[])"
);

/// Copies messages with all their columns. For PostgreSQL.
pub(crate) const COPY_IN: &str = concat!("COPY messages (", new_columns!(), ", redactions) FROM STDIN (FORMAT binary)");

/// The number of the columns of [`COPY_IN`].
pub(crate) const COPIED_COLUMNS: u16 = 10;

/// Inserts the messages whose columns are bound as arrays. `$11` names the conversations to lock, and `$12` holds the
/// digests of the preconditions. `migrations/functions/add_messages_v2_postgres.sql` defines the function. For PostgreSQL.
pub(crate) const INSERT_ALL: &str =
    "SELECT place, has_conversation FROM add_messages_v2($11, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12, $13)";

/// [`INSERT_ALL`] without a look-up of the conversations. If one does not exist, the statement violates the foreign key.
pub(crate) const INSERT_ALL_UNCHECKED: &str = "SELECT place, has_conversation \
     FROM add_messages_to_known_v2($11, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12, $13)";

/// The columns of a message in the order in which `rows.rs` reads them. `$text` is the expression for the text.
macro_rules! message_columns {
    () => {
        message_columns!("text")
    };
    ($text:literal) => {
        concat!("id, sent_at, sender_role, sender_external_id, ", $text, ", masked_with, created_at, redactions")
    };
}

pub(crate) use message_columns;

/// [`message_columns`], but a text of more than 8 KiB is NULL.
macro_rules! short_columns {
    () => {
        message_columns!("CASE WHEN octet_length(text) <= 8192 THEN text END AS text")
    };
}

/// Selects `$columns` of the messages of a conversation on one side of a position, nearest first.
macro_rules! nearest {
    ($columns:expr, $side:literal, $order:literal, ($tenant:literal, $conversation:literal, $position:literal, $limit:literal)) => {
        concat!(
            concat!("SELECT ", $columns, " FROM messages WHERE tenant_id = ", $tenant),
            concat!(" AND conversation_id = ", $conversation, " AND (sent_at, id) ", $side, " (", $position, ")"),
            concat!(" ORDER BY ", $order, " LIMIT ", $limit)
        )
    };
}

/// [`nearest`] with bound values.
macro_rules! one_nearest {
    ($columns:expr, $side:literal, $order:literal) => {
        nearest!($columns, $side, $order, ("$1", "$2", "$3, $4", "$5"))
    };
}

/// Runs the statement `$run` for each of many queries, whose tenants, conversations, positions and limits are bound as
/// arrays. The last column of a row is the number of its query, starting at 1. For PostgreSQL.
macro_rules! for_each_query {
    ($arrays:literal, $names:literal, $run:expr) => {
        concat!(
            "SELECT run.*, requested.number FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[]",
            concat!(
                $arrays,
                ") WITH ORDINALITY AS requested (tenant_id, conversation_id, sent_at, id, max_messages",
                $names
            ),
            concat!(", number) CROSS JOIN LATERAL (", $run, ") AS run")
        )
    };
}

/// [`nearest`] for each of many queries.
macro_rules! all_nearest {
    ($columns:expr, $side:literal, $order:literal) => {
        for_each_query!("", "", each_nearest!($columns, $side, $order))
    };
}

/// [`nearest`] with the values of one of many queries.
macro_rules! each_nearest {
    ($columns:expr, $side:literal, $order:literal) => {
        nearest!(
            $columns,
            $side,
            $order,
            (
                "requested.tenant_id",
                "requested.conversation_id",
                "requested.sent_at, requested.id",
                "requested.max_messages"
            )
        )
    };
}

/// All columns, and the bytes of the texts that are seven or more places earlier.
macro_rules! sized_columns {
    () => {
        concat!(
            "*, sum(octet_length(text)) OVER ",
            "(ORDER BY sent_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 7 PRECEDING) AS bytes_before"
        )
    };
}

/// Selects those messages of `$near` that a page with the byte limit `$bytes` needs.
macro_rules! within_bytes {
    ($near:expr, $bytes:literal) => {
        concat!(
            concat!("SELECT ", message_columns!(), " FROM (", $near, ") AS near "),
            concat!("WHERE coalesce(bytes_before, 0) < ", $bytes)
        )
    };
}

/// The messages of a conversation after a position, nearest first.
pub(crate) const AFTER: &str = one_nearest!(message_columns!(), ">", "sent_at, id");

/// The messages of a conversation before a position, nearest first.
pub(crate) const BEFORE: &str = one_nearest!(message_columns!(), "<", "sent_at DESC, id DESC");

/// [`AFTER`] with a byte limit: returns only the messages for which all texts that are seven or more places earlier
/// have together fewer than `$6` bytes. A page ends with the sixth message, counted from the one that reaches the
/// limit, and one more message shows that another page follows. The database adds up the lengths while it scans the
/// index. For PostgreSQL.
pub(crate) const PAGE_AFTER: &str = within_bytes!(one_nearest!(sized_columns!(), ">", "sent_at, id"), "$6");

/// [`PAGE_AFTER`] for many queries. For PostgreSQL.
pub(crate) const ALL_PAGES_AFTER: &str = for_each_query!(
    ", $6::bigint[]",
    ", max_bytes",
    within_bytes!(each_nearest!(sized_columns!(), ">", "sent_at, id"), "requested.max_bytes")
);

/// [`AFTER`], but a text of more than 8 KiB is NULL. For PostgreSQL.
pub(crate) const AFTER_WITHOUT_LONG_TEXTS: &str = one_nearest!(short_columns!(), ">", "sent_at, id");

/// [`AFTER_WITHOUT_LONG_TEXTS`] for many queries. For PostgreSQL.
pub(crate) const ALL_AFTER_WITHOUT_LONG_TEXTS: &str = all_nearest!(short_columns!(), ">", "sent_at, id");

/// [`AFTER`] for many queries. For PostgreSQL.
pub(crate) const ALL_AFTER: &str = all_nearest!(message_columns!(), ">", "sent_at, id");

/// [`BEFORE`] for many queries. For PostgreSQL.
pub(crate) const ALL_BEFORE: &str = all_nearest!(message_columns!(), "<", "sent_at DESC, id DESC");

/// The newest messages of a conversation with the columns that a precondition compares, newest first. For SQLite.
pub(crate) const NEWEST_TEXTS: &str = concat!(
    "SELECT sent_at, id, text FROM messages WHERE tenant_id = $1 AND conversation_id = $2 ",
    "ORDER BY sent_at DESC, id DESC LIMIT $3"
);

/// Whether a conversation exists. For SQLite, where no other transaction writes at the same time.
pub(crate) const CONVERSATION_EXISTS: &str = "SELECT 1 FROM conversations WHERE tenant_id = $1 AND id = $2";

/// Replaces a text and its masked ranges, if the stored text is the expected one.
pub(crate) const UPDATE_TEXT: &str = concat!(
    "UPDATE messages SET text = $1, redactions = $2 WHERE tenant_id = $3 AND conversation_id = $4 AND sent_at = $5 ",
    "AND id = $6 AND text = $7"
);

/// The message of a conversation with this id, which the primary key finds among the messages of the conversation.
pub(crate) const BY_ID: &str = concat!(
    concat!("SELECT ", message_columns!(), " FROM messages WHERE tenant_id = $1 AND conversation_id = $2"),
    " AND id = $3"
);

/// The message at a position. For SQLite.
pub(crate) const AT_POSITION: &str = concat!(
    concat!("SELECT ", message_columns!(), " FROM messages WHERE tenant_id = $1 AND conversation_id = $2"),
    " AND sent_at = $3 AND id = $4"
);

/// The messages at positions of any conversations, which are bound as arrays. The last column of a row is the number of
/// its position, starting at 1. For PostgreSQL.
pub(crate) const ALL_AT_POSITIONS: &str = concat!(
    "SELECT found.*, requested.number FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) ",
    "WITH ORDINALITY AS requested (tenant_id, conversation_id, sent_at, id, number) CROSS JOIN LATERAL (",
    concat!("SELECT ", message_columns!(), " FROM messages WHERE messages.tenant_id = requested.tenant_id"),
    " AND messages.conversation_id = requested.conversation_id AND messages.sent_at = requested.sent_at",
    " AND messages.id = requested.id) AS found"
);

/// A count as a bound value of a statement.
pub(in crate::data_plane) fn sql_limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
