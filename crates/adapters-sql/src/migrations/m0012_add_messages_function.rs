//! Creates the function `add_messages` on PostgreSQL, which inserts messages in one call.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0012_adding_messages"
    }
}

/// The statement that creates the function `$name`, which inserts messages. `$has_conversation` is the condition that a
/// row of `message` has a conversation.
///
/// The columns of the messages are passed as arrays. The function inserts each message whose conversation exists and
/// whose precondition holds: the digest of the newest messages of the conversation, up to `most` of them, equals the
/// element of `presumptions`, or the element is NULL. For each rejected message it returns the position in the arrays,
/// starting at 1, and whether the conversation exists.
///
/// The function takes an advisory lock on each name in `held`, until the transaction ends. Its second statement sees
/// the rows that were committed while the first one waited for a lock. A single statement would not see them, and two
/// separate statements would need two round trips. The function searches for rejected messages only if a message was
/// rejected, which is rare: collecting them during the insertion took a tenth of the time of a batch.
///
/// Conversations are never deleted, so a conversation that is found still exists when its message is inserted. Scalar
/// subqueries look up the rows that belong to a message, because PostgreSQL could plan a join or `EXISTS` as a scan of
/// all conversations. The newest messages are aggregated in the order in which they are read.
///
/// After a change of this text, a new migration must run the statement again on existing databases.
macro_rules! create_add_messages {
    ($name:literal, $has_conversation:literal) => {
        concat!(
            "CREATE OR REPLACE FUNCTION ",
            $name,
            "(held text[], tenants text[], conversations text[],
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
    WHERE ",
            $has_conversation,
            " AND (presumed IS NULL OR presumed = (
        SELECT sha256(convert_to(coalesce(string_agg(sent_at || ' ' || id || ' ' || octet_length(text) || ' '
            || text, ''), ''), 'UTF8'))
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
END $$"
        )
    };
}

/// The function that looks up the conversation of each message.
pub(super) const ADD_MESSAGES: &str = create_add_messages!(
    "add_messages",
    "(SELECT true FROM conversations WHERE conversations.tenant_id = message.tenant_id
        AND conversations.id = message.conversation_id) IS NOT NULL"
);

/// The function that does not look up the conversations. If a conversation does not exist, the foreign key makes it
/// fail.
pub(super) const ADD_MESSAGES_TO_KNOWN: &str = create_add_messages!("add_messages_to_known", "true");

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run_on_postgres(manager, &[ADD_MESSAGES]).await
    }
}
