//! What is stored of a customer, in SQL.
//!
//! No index leads from a sender to messages: it would cost every message that is written. Messages in conversations of others
//! are found by reading all messages of a tenant, in ranges of conversations.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::MessageReference,
    id::{ConversationId, MessageId},
    message::{MessagePosition, Role},
    privacy::{ArchiveItem, LedgerEntry, PrivacyRequestId, SentMessages, SubjectStore},
    text::ExternalId,
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};

use crate::{
    Database,
    control_plane::{
        audit::lock_chain,
        deleted_bytes::remove_from_log,
        holds::is_held,
        ledger_queue::enqueue,
        statements::{AFTER_ALL, execute, key, statement},
        write_waits::wait_for_open_writes,
    },
    data_plane::{change_log::partitions::LOCK_CLASS, messages::role_to_number},
    error::corrupt,
};

/// Finds what is stored of a customer in SQL.
#[derive(Clone, Debug)]
pub struct SqlSubjects(Database);

impl SqlSubjects {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// The transactions that have appended to the change log and are not at their end. For PostgreSQL.
const OPEN_WRITES: &str = "SELECT virtualtransaction FROM pg_locks
    WHERE locktype = 'advisory' AND classid = $1::bigint::oid AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// The conversations that have the customer, and those that had it before.
const CONVERSATIONS: &str = "SELECT id FROM (
        SELECT id FROM conversations WHERE tenant_id = $1 AND customer_external_id = $2
        UNION SELECT conversation_id FROM former_customers WHERE tenant_id = $1 AND customer_external_id = $2
    ) AS found WHERE id > $3 ORDER BY id LIMIT 100";

const COUNT_MESSAGES: &str = "SELECT count(*) FROM messages WHERE tenant_id = $1 AND conversation_id = $2";

/// The conversation at which a range of conversations ends.
const RANGE_END: &str = "SELECT id FROM conversations WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT 1 OFFSET 499";

/// The messages of a sender in a range of conversations that are not and were not of this customer.
const SENT: &str = "SELECT m.conversation_id, m.sent_at, m.id,
        CASE WHEN EXISTS (SELECT 1 FROM holds h WHERE h.tenant_id = $1 AND h.conversation_id = m.conversation_id)
            OR EXISTS (SELECT 1 FROM conversations c JOIN holds h
                ON h.tenant_id = $1 AND h.customer_external_id = c.customer_external_id
                WHERE c.tenant_id = $1 AND c.id = m.conversation_id)
            THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END AS is_held
    FROM messages m
    WHERE m.tenant_id = $1 AND m.conversation_id > $3 AND m.conversation_id <= $4
        AND m.sender_external_id = $2 AND m.sender_role = $5
        AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.tenant_id = $1 AND c.id = m.conversation_id
            AND c.customer_external_id = $2)
        AND NOT EXISTS (SELECT 1 FROM former_customers f WHERE f.tenant_id = $1
            AND f.conversation_id = m.conversation_id AND f.customer_external_id = $2)
    ORDER BY m.conversation_id, m.sent_at, m.id";

const DELETE_MESSAGE: &str =
    "DELETE FROM messages WHERE tenant_id = $1 AND conversation_id = $2 AND sent_at = $3 AND id = $4";

const INSERT_ERASED: &str =
    "INSERT INTO erased_messages (tenant_id, conversation_id, sent_at, id, request_id, erased_at)
    VALUES ($1, $2, $3, $4, $5, $6)";

const COUNT_FOR_REQUEST: &str = "UPDATE privacy_requests SET messages_elsewhere = messages_elsewhere + $3
    WHERE tenant_id = $1 AND id = $2";

const INSERT_ITEM: &str = "INSERT INTO privacy_archive_items
        (tenant_id, request_id, conversation_id, sent_at, message_id)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";

const ITEMS: &str = "SELECT conversation_id, sent_at, message_id AS id, CAST(0 AS BIGINT) AS is_held
    FROM privacy_archive_items
    WHERE tenant_id = $1 AND request_id = $2 ORDER BY conversation_id, sent_at, message_id";

#[derive(FromQueryResult)]
struct ReferenceRow {
    conversation_id: String,
    sent_at: i64,
    id: String,
    is_held: i64,
}

impl ReferenceRow {
    fn conversation(&self, table: &'static str) -> Result<ConversationId, StoreError> {
        let row = self.conversation_id.as_str();
        ConversationId::parse(row).map_err(|error| corrupt(table, "conversation_id", row, error))
    }

    fn restore(&self, table: &'static str) -> Result<MessageReference, StoreError> {
        let row = self.id.as_str();
        let sent_at = Timestamp::from_micros(self.sent_at).map_err(|error| corrupt(table, "sent_at", row, error))?;
        let id = MessageId::parse(row).map_err(|error| corrupt(table, "id", row, error))?;
        Ok(MessageReference { conversation: self.conversation(table)?, position: MessagePosition { sent_at, id } })
    }

    fn restore_item(&self) -> Result<ArchiveItem, StoreError> {
        const TABLE: &str = "privacy_archive_items";
        if self.id.is_empty() {
            return Ok(ArchiveItem::Conversation(self.conversation(TABLE)?));
        }
        Ok(ArchiveItem::Message(self.restore(TABLE)?))
    }
}

/// The values of a message, after those of the tenant.
fn message_values(message: &MessageReference) -> [Value; 3] {
    let MessageReference { conversation, position: MessagePosition { sent_at, id } } = message;
    [conversation.as_str().into(), sent_at.as_micros().into(), id.as_str().into()]
}

impl SqlSubjects {
    async fn ids(&self, sql: &str, values: &[Value]) -> Result<Vec<ConversationId>, StoreError> {
        let ids = self.0.read(async |db| {
            let rows = db.query_all_raw(statement(db, sql, values.iter().cloned())).await?;
            rows.iter().map(|row| row.try_get_by_index::<String>(0)).collect::<Result<Vec<_>, _>>()
        });
        let restore =
            |id: String| ConversationId::parse(&id).map_err(|error| corrupt("conversations", "id", &id, error));
        ids.await?.into_iter().map(restore).collect()
    }

    async fn references(&self, sql: &str, values: Vec<Value>) -> Result<Vec<ReferenceRow>, StoreError> {
        let select = Statement::from_sql_and_values(self.0.reader().get_database_backend(), sql, values);
        self.0.read(|db| ReferenceRow::find_by_statement(select.clone()).all(db)).await
    }
}

#[async_trait]
impl SubjectStore for SqlSubjects {
    #[tracing::instrument(level = "debug", name = "sql.subjects.wait_for_earlier_writes", skip_all)]
    async fn wait_for_earlier_writes(&self) -> Result<(), StoreError> {
        wait_for_open_writes(&self.0, (OPEN_WRITES, i64::from(LOCK_CLASS).into())).await
    }

    #[tracing::instrument(level = "debug", name = "sql.subjects.conversations_of", skip_all, fields(%tenant))]
    async fn conversations_of<'a>(
        &self,
        tenant: &TenantId,
        customer: &ExternalId,
        after: Option<&'a ConversationId>,
    ) -> Result<Vec<ConversationId>, StoreError> {
        let after = after.map_or("", ConversationId::as_str);
        self.ids(CONVERSATIONS, &[tenant.as_str().into(), customer.as_str().into(), after.into()]).await
    }

    #[tracing::instrument(level = "debug", name = "sql.subjects.count_messages", skip_all, fields(%tenant))]
    async fn count_messages(&self, tenant: &TenantId, conversation: &ConversationId) -> Result<u64, StoreError> {
        let count = self.0.read(async |db| {
            let row = db.query_one_raw(statement(db, COUNT_MESSAGES, key(tenant, conversation))).await?;
            row.map_or(Ok(0), |row| row.try_get_by_index::<i64>(0))
        });
        Ok(u64::try_from(count.await?).unwrap_or_default())
    }

    #[tracing::instrument(level = "debug", name = "sql.subjects.messages_sent_by", skip_all, fields(%tenant))]
    async fn messages_sent_by<'a>(
        &self,
        tenant: &TenantId,
        customer: &ExternalId,
        after: Option<&'a ConversationId>,
    ) -> Result<SentMessages, StoreError> {
        let after = after.map_or("", ConversationId::as_str);
        let next = self.ids(RANGE_END, &[tenant.as_str().into(), after.into()]).await?.into_iter().next();
        let end = next.as_ref().map_or(AFTER_ALL, ConversationId::as_str);
        let values = vec![
            tenant.as_str().into(),
            customer.as_str().into(),
            after.into(),
            end.into(),
            role_to_number(Role::Customer).into(),
        ];
        let rows = self.references(SENT, values).await?;
        let (on_hold, free): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.is_held != 0);
        let restore = |rows: Vec<&ReferenceRow>| rows.into_iter().map(|row| row.restore("messages")).collect();
        let (messages, on_hold): (Result<_, StoreError>, Result<_, StoreError>) = (restore(free), restore(on_hold));
        Ok(SentMessages { messages: messages?, on_hold: on_hold?, next })
    }

    #[tracing::instrument(level = "debug", name = "sql.subjects.erase_messages", skip_all, fields(%tenant))]
    async fn erase_messages(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequestId,
        messages: &[MessageReference],
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let erase = async {
            let (transaction, mut count) = (self.0.begin().await?, 0_i64);
            lock_chain(&transaction, tenant).await?;
            for message in messages {
                if is_held(&transaction, tenant, &message.conversation).await? {
                    continue;
                }
                let key = || [tenant.as_str().into()].into_iter().chain(message_values(message));
                if execute(&transaction, DELETE_MESSAGE, key()).await? == 0 {
                    continue;
                }
                let values: [Value; 2] = [request.as_str().into(), at.as_micros().into()];
                execute(&transaction, INSERT_ERASED, key().chain(values)).await?;
                enqueue(&transaction, &LedgerEntry::of_message(tenant, message, at)).await?;
                count = count.saturating_add(1);
            }
            let values: [Value; 3] = [tenant.as_str().into(), request.as_str().into(), count.into()];
            execute(&transaction, COUNT_FOR_REQUEST, values).await?;
            transaction.commit().await
        };
        self.0.write(erase).await?;
        remove_from_log(&self.0).await.map(drop)
    }

    #[tracing::instrument(level = "debug", name = "sql.subjects.add_archive_items", skip_all, fields(%tenant))]
    async fn add_archive_items(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequestId,
        items: &[ArchiveItem],
    ) -> Result<(), StoreError> {
        let add = async {
            let transaction = self.0.begin().await?;
            for item in items {
                let values: [Value; 3] = match item {
                    ArchiveItem::Conversation(id) => [id.as_str().into(), 0_i64.into(), "".into()],
                    ArchiveItem::Message(message) => message_values(message),
                };
                let key: [Value; 2] = [tenant.as_str().into(), request.as_str().into()];
                execute(&transaction, INSERT_ITEM, key.into_iter().chain(values)).await?;
            }
            transaction.commit().await
        };
        self.0.write(add).await
    }

    #[tracing::instrument(level = "debug", name = "sql.subjects.archive_items", skip_all, fields(%tenant))]
    async fn archive_items(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequestId,
    ) -> Result<Vec<ArchiveItem>, StoreError> {
        let rows = self.references(ITEMS, vec![tenant.as_str().into(), request.as_str().into()]).await?;
        rows.iter().map(ReferenceRow::restore_item).collect()
    }
}
