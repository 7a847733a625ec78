//! Adding messages on PostgreSQL in one call.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature cannot be met with the lifetime written out")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0012_adding_messages"
    }
}

/// A function that adds messages, of this name. A row of `message` has a conversation where the second is true.
///
/// It adds the messages whose columns are given as arrays, those whose conversation exists and has the newest messages that
/// they presume: their digest, of at most so many, or NULL for nothing. Tells of the others their places, from one, and
/// whether there is a conversation.
///
/// What is held by name stays held against all others that hold it until the transaction ends. A function, since its
/// second statement sees what was committed while its first one waited; a single statement would not, and two would be
/// asked for one by one. What was not added is looked for only where something was not, which is seldom: to gather it with
/// the insertion took a tenth of a batch.
///
/// Conversations are never deleted, so one that is found still exists when its message is added. What belongs to a
/// message is looked up by subqueries that give a value: a join, and `EXISTS` as well, could be planned as a scan of all
/// conversations. The newest messages are aggregated in the order in which they are read.
///
/// What changes here must be brought to databases that have an earlier form by a new migration that runs it again.
macro_rules! adding {
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

/// Looks up whether each message has a conversation.
pub(super) const ADD_MESSAGES: &str = adding!(
    "add_messages",
    "(SELECT true FROM conversations WHERE conversations.tenant_id = message.tenant_id
        AND conversations.id = message.conversation_id) IS NOT NULL"
);

/// Takes it for given that each has one. Where one has none it fails, for the foreign key looks it up in any case.
pub(super) const ADD_MESSAGES_TO_KNOWN: &str = adding!("add_messages_to_known", "true");

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run_on_postgres(manager, &[ADD_MESSAGES]).await
    }
}
