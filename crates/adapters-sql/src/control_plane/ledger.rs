//! The queue of the ledger of erasures, and the objects that the database has written or applied, in SQL.

use std::collections::BTreeSet;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    id::{ConversationId, MessageId},
    privacy::{ErasedPart, Erasure, IdentifierDigest, LedgerEntry, LedgerObjectId, LedgerStore},
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Statement};

use crate::{
    Database,
    control_plane::{
        deleted_bytes::remove_from_log,
        erasures::{lock_conversation, remove},
        ledger_queue::key_and_digest,
        statements::execute,
    },
    error::corrupt,
};

const QUEUE: &str = "ledger_queue";

/// Stores in SQL what is to be written to the ledger of erasures, and what was applied.
#[derive(Clone, Debug)]
pub struct SqlLedger(Database);

impl SqlLedger {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// The job that writes the ledger does so for all tenants.
const QUEUED: &str = "SELECT tenant_id, conversation_id, message_id, digest, erased_at FROM ledger_queue
    ORDER BY tenant_id, conversation_id, message_id LIMIT $1";

const DEQUEUE: &str = "DELETE FROM ledger_queue WHERE tenant_id = $1 AND conversation_id = $2 AND message_id = $3";

const RECORD_OBJECT: &str = "INSERT INTO ledger_objects (object_id) VALUES ($1) ON CONFLICT (object_id) DO NOTHING";

const RECORDED_OBJECTS: &str = "SELECT object_id FROM ledger_objects";

const REQUEUE_CONVERSATIONS: &str = "INSERT INTO ledger_queue (tenant_id, conversation_id, message_id, digest, erased_at)
    SELECT tenant_id, conversation_id, '', digest, erased_at FROM erased_conversations WHERE true ON CONFLICT DO NOTHING";

const REQUEUE_MESSAGES: &str = "INSERT INTO ledger_queue (tenant_id, conversation_id, message_id, digest, erased_at)
    SELECT tenant_id, conversation_id, id, NULL, erased_at FROM erased_messages WHERE true ON CONFLICT DO NOTHING";

const REQUEUE_TENANTS: &str = "INSERT INTO ledger_queue (tenant_id, conversation_id, message_id, digest, erased_at)
    SELECT tenant_id, '', '', NULL, requested_at FROM tenant_erasures WHERE true ON CONFLICT DO NOTHING";

const FORGET_OBJECT: &str = "DELETE FROM ledger_objects WHERE object_id = $1";

const REMOVE_MESSAGE: &str = "DELETE FROM messages WHERE tenant_id = $1 AND conversation_id = $2 AND id = $3";

#[derive(FromQueryResult)]
struct QueueRow {
    tenant_id: String,
    conversation_id: String,
    message_id: String,
    digest: Option<Vec<u8>>,
    erased_at: i64,
}

impl QueueRow {
    fn restore(self) -> Result<LedgerEntry, StoreError> {
        let Self { tenant_id, conversation_id, message_id, digest, erased_at } = self;
        let row = conversation_id.as_str();
        let tenant = TenantId::parse(&tenant_id).map_err(|error| corrupt(QUEUE, "tenant_id", row, error))?;
        let at = Timestamp::from_micros(erased_at).map_err(|error| corrupt(QUEUE, "erased_at", row, error))?;
        if row.is_empty() {
            return Ok(LedgerEntry::of_tenant(&tenant, at));
        }
        let conversation = ConversationId::parse(row).map_err(|error| corrupt(QUEUE, "conversation_id", row, error))?;
        let erased = if let Some(digest) = digest {
            let digest = digest.try_into().map_err(|_| corrupt(QUEUE, "digest", row, "must have 32 bytes"))?;
            ErasedPart::Conversation(conversation, IdentifierDigest(digest))
        } else {
            let message = MessageId::parse(&message_id);
            ErasedPart::Message(conversation, message.map_err(|error| corrupt(QUEUE, "message_id", row, error))?)
        };
        Ok(LedgerEntry { tenant, erased, at })
    }
}

async fn record(database: &Database, object: &LedgerObjectId, written: &[LedgerEntry]) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    for entry in written {
        execute(&transaction, DEQUEUE, key_and_digest(entry).0).await?;
    }
    execute(&transaction, RECORD_OBJECT, [object.as_str().into()]).await?;
    transaction.commit().await
}

async fn requeue(database: &Database, missing: &BTreeSet<LedgerObjectId>) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    execute(&transaction, REQUEUE_CONVERSATIONS, []).await?;
    execute(&transaction, REQUEUE_MESSAGES, []).await?;
    execute(&transaction, REQUEUE_TENANTS, []).await?;
    for object in missing {
        execute(&transaction, FORGET_OBJECT, [object.as_str().into()]).await?;
    }
    transaction.commit().await
}

async fn apply(database: &Database, tenant: &TenantId, erasure: &Erasure, entry: AuditEntry) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    lock_conversation(&transaction, tenant, &erasure.conversation).await?;
    database.audit_recorder().append(&transaction, tenant, entry).await?;
    let (_, is_new) = remove(&transaction, tenant, erasure).await?;
    if is_new {
        transaction.commit().await?;
    } else {
        transaction.rollback().await?;
    }
    Ok(is_new)
}

#[async_trait]
impl LedgerStore for SqlLedger {
    #[tracing::instrument(level = "debug", name = "sql.ledger.queued", skip_all)]
    async fn queued(&self, limit: u16) -> Result<Vec<LedgerEntry>, StoreError> {
        let backend = self.0.reader().get_database_backend();
        let statement = Statement::from_sql_and_values(backend, QUEUED, [i64::from(limit).into()]);
        let rows = self.0.read(|db| QueueRow::find_by_statement(statement.clone()).all(db)).await?;
        rows.into_iter().map(QueueRow::restore).collect()
    }

    #[tracing::instrument(level = "debug", name = "sql.ledger.record_object", skip_all)]
    async fn record_object(&self, object: &LedgerObjectId, written: &[LedgerEntry]) -> Result<(), StoreError> {
        self.0.write(record(&self.0, object, written)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.ledger.recorded_objects", skip_all)]
    async fn recorded_objects(&self) -> Result<BTreeSet<LedgerObjectId>, StoreError> {
        let statement = Statement::from_string(self.0.reader().get_database_backend(), RECORDED_OBJECTS);
        let rows = self.0.read(|db| {
            let statement = statement.clone();
            async move {
                let rows = db.query_all_raw(statement).await?;
                rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<Vec<String>, DbErr>>()
            }
        });
        let restore = |text: String| {
            LedgerObjectId::parse(&text).map_err(|error| corrupt("ledger_objects", "object_id", &text, error))
        };
        rows.await?.into_iter().map(restore).collect()
    }

    #[tracing::instrument(level = "debug", name = "sql.ledger.requeue", skip_all, fields(missing = missing.len()))]
    async fn requeue(&self, missing: &BTreeSet<LedgerObjectId>) -> Result<(), StoreError> {
        self.0.write(requeue(&self.0, missing)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.ledger.apply_erasure", skip_all, fields(%tenant))]
    async fn apply_erasure(&self, tenant: &TenantId, erasure: &Erasure, entry: AuditEntry) -> Result<bool, StoreError> {
        let is_new = self.0.write(apply(&self.0, tenant, erasure, entry)).await?;
        if is_new {
            remove_from_log(&self.0).await?;
        }
        Ok(is_new)
    }

    #[tracing::instrument(level = "debug", name = "sql.ledger.remove_message", skip_all, fields(%tenant))]
    async fn remove_message(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        message: &MessageId,
    ) -> Result<bool, StoreError> {
        let key = [tenant.as_str().into(), conversation.as_str().into(), message.as_str().into()];
        let removed = self.0.write(execute(self.0.writer(), REMOVE_MESSAGE, key)).await? > 0;
        if removed {
            remove_from_log(&self.0).await?;
        }
        Ok(removed)
    }
}
