//! Erasures in SQL.
//!
//! One transaction appends the audit record, looks for holds, deletes the conversation with its messages, and inserts the
//! record of the erasure. In the same transaction, triggers of `migrations/functions/erasure_v1_*.sql` delete the rows by which the
//! conversation was found (`conversation_metadata`, `conversation_updates`) and mark its hours of feeds as changed, and a
//! trigger of `migrations/change_log_triggers.rs` appends the event. Messages that come later fail by their foreign key.
//! The transaction also queues the erasure for the ledger (`ledger_queue.rs`).

use std::collections::BTreeSet;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    id::{ConversationId, MessageId},
    message::MessagePosition,
    privacy::{ErasedConversation, Erasure, ErasureCount, ErasureOutcome, ErasurePageLimit, ErasureStore, LedgerEntry},
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, FromQueryResult, Statement, Value};

use crate::{
    Database,
    control_plane::{
        deleted_bytes::remove_from_log,
        holds::is_held,
        ledger_queue::enqueue,
        statements::{FIND_CONVERSATION, execute, key, sql_count, statement},
    },
    error::corrupt,
};

const TABLE: &str = "erased_conversations";
const MESSAGES_TABLE: &str = "erased_messages";

/// Erases conversations in SQL.
#[derive(Clone, Debug)]
pub struct SqlErasures(Database);

impl SqlErasures {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// Locks the conversation until the transaction ends. A new message waits, because its foreign key locks the same row.
const LOCK_POSTGRES: &str = "SELECT 1 FROM conversations WHERE tenant_id = $1 AND id = $2 FOR UPDATE";

const DELETE_MESSAGES: &str = "DELETE FROM messages WHERE tenant_id = $1 AND conversation_id = $2";

const DELETE_CONVERSATION: &str = "DELETE FROM conversations WHERE tenant_id = $1 AND id = $2";

/// The sequence is that of the audit record, which must be appended before. The append locks the head of the tenant's chain
/// until the transaction ends, so erasures of a tenant become visible in the order of their sequences.
const INSERT_RECORD: &str = "INSERT INTO erased_conversations
        (tenant_id, conversation_id, sequence, digest, erased_at, messages)
    SELECT tenant_id, $2, sequence, $3, $4, $5 FROM audit_heads WHERE tenant_id = $1
    ON CONFLICT (tenant_id, conversation_id) DO NOTHING";

/// Adds the erased conversation and its messages to the counts of the privacy request.
const COUNT_FOR_REQUEST: &str =
    "UPDATE privacy_requests SET conversations = conversations + 1, messages = messages + $3
    WHERE tenant_id = $1 AND id = $2";

const IS_ERASED: &str = "SELECT 1 FROM erased_conversations WHERE tenant_id = $1 AND conversation_id = $2";

const ERASED_MESSAGES: &str = "SELECT sent_at, id FROM erased_messages WHERE tenant_id = $1 AND conversation_id = $2";

const LIST: &str = "SELECT conversation_id, sequence, erased_at FROM erased_conversations
    WHERE tenant_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3";

#[derive(FromQueryResult)]
struct ErasedMessageRow {
    sent_at: i64,
    id: String,
}

impl ErasedMessageRow {
    fn restore(self) -> Result<MessagePosition, StoreError> {
        let row = self.id.as_str();
        let sent_at = Timestamp::from_micros(self.sent_at);
        let sent_at = sent_at.map_err(|error| corrupt(MESSAGES_TABLE, "sent_at", row, error))?;
        let id = MessageId::parse(row).map_err(|error| corrupt(MESSAGES_TABLE, "id", row, error))?;
        Ok(MessagePosition { sent_at, id })
    }
}

#[derive(FromQueryResult)]
struct ErasureRow {
    conversation_id: String,
    sequence: i64,
    erased_at: i64,
}

impl ErasureRow {
    fn restore(self) -> Result<ErasedConversation, StoreError> {
        let row = self.conversation_id.as_str();
        let conversation = ConversationId::parse(row).map_err(|error| corrupt(TABLE, "conversation_id", row, error))?;
        let sequence = u64::try_from(self.sequence).map_err(|error| corrupt(TABLE, "sequence", row, error))?;
        let erased_at = Timestamp::from_micros(self.erased_at);
        let erased_at = erased_at.map_err(|error| corrupt(TABLE, "erased_at", row, error))?;
        Ok(ErasedConversation { sequence, conversation, erased_at })
    }
}

async fn erase(
    database: &Database,
    tenant: &TenantId,
    erasure: &Erasure,
    entry: AuditEntry,
) -> Result<ErasureOutcome, DbErr> {
    let transaction = database.begin().await?;
    if !lock_conversation(&transaction, tenant, &erasure.conversation).await? {
        transaction.rollback().await?;
        return Ok(ErasureOutcome::NoConversation);
    }
    database.audit_recorder().append(&transaction, tenant, entry).await?;
    // Holds are placed under the lock of the same audit chain, so none is placed between this check and the commit.
    if is_held(&transaction, tenant, &erasure.conversation).await? {
        transaction.rollback().await?;
        return Ok(ErasureOutcome::Held);
    }
    let (messages, _) = remove(&transaction, tenant, erasure).await?;
    enqueue(&transaction, &LedgerEntry::of_conversation(tenant, erasure)).await?;
    if let Some(request) = &erasure.request {
        let values: [Value; 3] = [tenant.as_str().into(), request.as_str().into(), sql_count(messages)];
        execute(&transaction, COUNT_FOR_REQUEST, values).await?;
    }
    transaction.commit().await?;
    Ok(ErasureOutcome::Erased(ErasureCount { messages }))
}

/// Locks a conversation until the transaction ends, and returns whether there is such a conversation.
pub(super) async fn lock_conversation(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    conversation: &ConversationId,
) -> Result<bool, DbErr> {
    let is_postgres = transaction.get_database_backend() == DbBackend::Postgres;
    // On SQLite, the transaction excludes all other writers.
    let lock = if is_postgres { LOCK_POSTGRES } else { FIND_CONVERSATION };
    let found = transaction.query_one_raw(statement(transaction, lock, key(tenant, conversation))).await?;
    Ok(found.is_some())
}

/// Deletes the conversation if it exists, and inserts the record of the erasure, whose audit record must be appended
/// before. Returns how many messages were deleted, and whether the record is new.
pub(super) async fn remove(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    erasure: &Erasure,
) -> Result<(u64, bool), DbErr> {
    let key = || key(tenant, &erasure.conversation);
    let messages = execute(transaction, DELETE_MESSAGES, key()).await?;
    execute(transaction, DELETE_CONVERSATION, key()).await?;
    let values: [Value; 3] = [erasure.digest.0.to_vec().into(), erasure.at.as_micros().into(), sql_count(messages)];
    let inserted = execute(transaction, INSERT_RECORD, key().into_iter().chain(values)).await?;
    Ok((messages, inserted > 0))
}

#[async_trait]
impl ErasureStore for SqlErasures {
    #[tracing::instrument(level = "debug", name = "sql.erasures.erase", skip_all, fields(%tenant))]
    async fn erase(
        &self,
        tenant: &TenantId,
        erasure: &Erasure,
        entry: AuditEntry,
    ) -> Result<ErasureOutcome, StoreError> {
        let outcome = self.0.write(erase(&self.0, tenant, erasure, entry)).await?;
        if let ErasureOutcome::Erased(_) = outcome {
            remove_from_log(&self.0).await?;
        }
        Ok(outcome)
    }

    #[tracing::instrument(level = "debug", name = "sql.erasures.is_erased", skip_all, fields(%tenant))]
    async fn is_erased(&self, tenant: &TenantId, conversation: &ConversationId) -> Result<bool, StoreError> {
        let backend = self.0.reader().get_database_backend();
        let statement = Statement::from_sql_and_values(backend, IS_ERASED, key(tenant, conversation));
        Ok(self.0.read(|db| db.query_one_raw(statement.clone())).await?.is_some())
    }

    #[tracing::instrument(level = "debug", name = "sql.erasures.erased_messages", skip_all, fields(%tenant))]
    async fn erased_messages(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
    ) -> Result<BTreeSet<MessagePosition>, StoreError> {
        let backend = self.0.reader().get_database_backend();
        let statement = Statement::from_sql_and_values(backend, ERASED_MESSAGES, key(tenant, conversation));
        let rows = self.0.read(|db| ErasedMessageRow::find_by_statement(statement.clone()).all(db)).await?;
        rows.into_iter().map(ErasedMessageRow::restore).collect()
    }

    #[tracing::instrument(level = "debug", name = "sql.erasures.list", skip_all, fields(%tenant))]
    async fn list(
        &self,
        tenant: &TenantId,
        after: u64,
        limit: ErasurePageLimit,
    ) -> Result<Vec<ErasedConversation>, StoreError> {
        let backend = self.0.reader().get_database_backend();
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let values: [Value; 3] = [tenant.as_str().into(), after.into(), i64::from(limit.get()).into()];
        let statement = Statement::from_sql_and_values(backend, LIST, values);
        let rows = self.0.read(|db| ErasureRow::find_by_statement(statement.clone()).all(db)).await?;
        rows.into_iter().map(ErasureRow::restore).collect()
    }
}
