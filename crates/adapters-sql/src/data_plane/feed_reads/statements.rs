//! The statements that read feeds, in SQL that both databases accept. Each is limited to a tenant, except the list of
//! tenants.

use parlance_domain::feed::Feed;

use crate::data_plane::{conversations::statement::conversation_columns, messages::statement::message_columns};

pub(crate) const SELECT_TENANTS: &str = "SELECT DISTINCT tenant_id FROM credentials
    WHERE NOT EXISTS (SELECT 1 FROM tenant_erasures WHERE tenant_erasures.tenant_id = credentials.tenant_id)
    ORDER BY tenant_id";

/// The earliest timestamp of a tenant's records. The condition `created_at > 0` lets PostgreSQL use the indexes on
/// `created_at`, which are partial.
///
/// Each part is the first row of an index, and the parts are merged in their order, so no plan sorts. The sessions of
/// PostgreSQL put so high a cost on a sort that all plans with one count as equal: of four minima that are sorted, it
/// computed each from every row of the tenant.
pub(crate) const SELECT_FIRST_TIMESTAMP: &str = "SELECT first FROM (
    SELECT * FROM (SELECT created_at AS first FROM conversations WHERE tenant_id = $1 AND created_at > 0
        ORDER BY created_at LIMIT 1) AS conversation
    UNION ALL SELECT * FROM (SELECT created_at FROM messages WHERE tenant_id = $1 AND created_at > 0
        ORDER BY created_at LIMIT 1) AS message
    UNION ALL SELECT * FROM (SELECT changed_at FROM vocabulary_changes WHERE tenant_id = $1
        ORDER BY changed_at LIMIT 1) AS vocabulary_change
    UNION ALL SELECT * FROM (SELECT switched_at FROM redaction_audit WHERE tenant_id = $1
        ORDER BY switched_at LIMIT 1) AS redaction_change) AS firsts
    ORDER BY first LIMIT 1";

pub(crate) const COUNT_LATE_CHANGES: &str =
    "SELECT day, hour, count(*) FROM late_changes WHERE tenant_id = $1 AND feed = $2 GROUP BY day, hour";

pub(crate) const COUNT_RECORDS: &str =
    "SELECT count(*) FROM {table} WHERE tenant_id = $1 AND {timestamp} >= $2 AND {timestamp} < $3";

const SELECT_RECORDS: &str = "SELECT {columns} FROM {table}
    WHERE tenant_id = $1 AND ({timestamp}, id) > ($2, $3) AND {timestamp} < $4
    ORDER BY {timestamp}, id LIMIT $5";

/// The table of a feed, the timestamp column that determines the interval of a row, and the columns to read, in the order of
/// `records.rs`.
fn table_and_columns(feed: Feed) -> [&'static str; 3] {
    match feed {
        Feed::Conversations => {
            ["conversations", "created_at", concat!(conversation_columns!(""), ", created_at, updated_at")]
        }
        Feed::Messages => ["messages", "created_at", concat!(message_columns!(), ", conversation_id")],
        Feed::VocabularyChanges => {
            ["vocabulary_changes", "changed_at", "vocabulary_id, kind, phrase, sounds_like, created_at, changed_at"]
        }
        Feed::RedactionChanges => [
            "redaction_audit",
            "switched_at",
            "id, switched_at, label, CAST(CASE WHEN was_active THEN 1 ELSE 0 END AS BIGINT), \
             CAST(CASE WHEN is_active THEN 1 ELSE 0 END AS BIGINT), credential, reference, \
             first_approver, second_approver",
        ],
    }
}

/// The columns that `records.rs` reads from the table of a feed, in its order.
pub(crate) fn columns(feed: Feed) -> &'static str {
    let [_, _, columns] = table_and_columns(feed);
    columns
}

/// Replaces the placeholders of a statement with the table and the columns of a feed.
pub(crate) fn for_feed(statement: &str, feed: Feed) -> String {
    let [table, timestamp, columns] = table_and_columns(feed);
    statement.replace("{table}", table).replace("{timestamp}", timestamp).replace("{columns}", columns)
}

/// The statement that selects records of a feed. Its parameters are the tenant, the cursor (timestamp and id), the end
/// of the interval, and the maximum number of records.
pub(crate) fn select_records(feed: Feed) -> String {
    for_feed(SELECT_RECORDS, feed)
}
