//! The statements that feeds are read with, in words that both databases know. Each names its tenant first.

use parlance_domain::feed::Feed;

pub(super) const TENANTS: &str = "SELECT DISTINCT tenant_id FROM credentials ORDER BY tenant_id";

/// The first moment of a tenant's records. A moment of creation is compared so that its order can be used.
pub(super) const FIRST: &str = "SELECT first FROM (
    SELECT min(created_at) AS first FROM conversations WHERE tenant_id = $1 AND created_at > 0
    UNION ALL SELECT min(created_at) FROM messages WHERE tenant_id = $1 AND created_at > 0
    UNION ALL SELECT min(changed_at) FROM vocabulary_changes WHERE tenant_id = $1
    UNION ALL SELECT min(switched_at) FROM redaction_audit WHERE tenant_id = $1) AS firsts
    WHERE first IS NOT NULL ORDER BY first LIMIT 1";

pub(super) const LATE: &str =
    "SELECT day, count(*) FROM late_changes WHERE tenant_id = $1 AND feed = $2 GROUP BY day ORDER BY day";

pub(super) const COUNT: &str = "SELECT count(*) FROM {table} WHERE tenant_id = $1 AND {moment} >= $2 AND {moment} < $3";

const RECORDS: &str = "SELECT {columns} FROM {table}
    WHERE tenant_id = $1 AND ({moment}, id) > ($2, $3) AND {moment} < $4
    ORDER BY {moment}, id LIMIT $5";

/// The table of a feed, the column that puts a row on its day, and the columns that are read of it, in the order in
/// which `records.rs` reads them.
fn parts(feed: Feed) -> [&'static str; 3] {
    match feed {
        Feed::Conversations => [
            "conversations",
            "created_at",
            "id, external_id, agent_external_id, agent_name, customer_external_id, customer_name, metadata, started_at, \
             created_at, updated_at",
        ],
        Feed::Messages => [
            "messages",
            "created_at",
            "id, sent_at, sender_role, sender_external_id, text, masked_with, created_at, conversation_id",
        ],
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

/// The columns that `records.rs` reads of a feed's table, in its order.
pub(crate) fn columns(feed: Feed) -> &'static str {
    let [_, _, columns] = parts(feed);
    columns
}

/// A statement in the words of a feed.
pub(super) fn for_feed(statement: &str, feed: Feed) -> String {
    let [table, moment, columns] = parts(feed);
    statement.replace("{table}", table).replace("{moment}", moment).replace("{columns}", columns)
}

/// A run of a feed's records: of a tenant, after a moment and a key, before a moment, at most so many.
pub(super) fn statement(feed: Feed) -> String {
    for_feed(RECORDS, feed)
}
