//! Holds in SQL.
//!
//! A hold is placed in one transaction, which appends the audit record first. The append locks the head of the tenant's
//! chain until the transaction ends. An erasure appends its record and then looks for holds, so the two run one after the
//! other.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    id::ConversationId,
    privacy::{Hold, HoldCursor, HoldId, HoldOutcome, HoldPage, HoldStore, HoldSubject, PrivacyReference},
    text::ExternalId,
    time::Timestamp,
    vocabulary::PageSize,
};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};

use crate::{
    Database,
    control_plane::{
        pages::{PageStatements, read_page},
        statements::{FIND_CONVERSATION, execute, key, statement},
    },
    error::corrupt,
};

const TABLE: &str = "holds";

/// Stores holds in SQL.
#[derive(Clone, Debug)]
pub struct SqlHolds(Database);

impl SqlHolds {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

const INSERT: &str = "INSERT INTO holds (tenant_id, id, customer_external_id, conversation_id, reference, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)";

const DELETE: &str = "DELETE FROM holds WHERE tenant_id = $1 AND id = $2";

const PAGES: PageStatements = PageStatements {
    from: "SELECT id, customer_external_id, conversation_id, reference, created_at FROM holds
        WHERE tenant_id = $1 AND id >= $2 ORDER BY id LIMIT $3",
    before: "SELECT id, customer_external_id, conversation_id, reference, created_at FROM holds
        WHERE tenant_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
};

/// One row for each hold that protects a conversation: by its id, and by its current customer. A hold that is committed
/// before this statement begins is found, if the head of the tenant's audit chain is locked.
const PROTECTING: &str = "SELECT 1 FROM holds WHERE tenant_id = $1 AND conversation_id = $2
    UNION ALL
    SELECT 1 FROM conversations c JOIN holds h
        ON h.tenant_id = $1 AND h.customer_external_id = c.customer_external_id
    WHERE c.tenant_id = $1 AND c.id = $2";

#[derive(FromQueryResult)]
struct HoldRow {
    id: String,
    customer_external_id: Option<String>,
    conversation_id: Option<String>,
    reference: String,
    created_at: i64,
}

impl HoldRow {
    fn restore(self) -> Result<Hold, StoreError> {
        let row = self.id.as_str();
        let subject = match (self.customer_external_id, self.conversation_id) {
            (Some(customer), None) => ExternalId::parse(customer)
                .map(HoldSubject::Customer)
                .map_err(|error| corrupt(TABLE, "customer_external_id", row, error))?,
            (None, Some(conversation)) => ConversationId::parse(&conversation)
                .map(HoldSubject::Conversation)
                .map_err(|error| corrupt(TABLE, "conversation_id", row, error))?,
            (Some(_), Some(_)) | (None, None) => {
                return Err(corrupt(TABLE, "conversation_id", row, "needs a value where there is no customer"));
            }
        };
        let reference =
            PrivacyReference::parse(self.reference).map_err(|error| corrupt(TABLE, "reference", row, error))?;
        let created_at = Timestamp::from_micros(self.created_at);
        let created_at = created_at.map_err(|error| corrupt(TABLE, "created_at", row, error))?;
        let id = HoldId::parse(row).map_err(|error| corrupt(TABLE, "id", row, error))?;
        Ok(Hold { id, subject, reference, created_at })
    }
}

/// Whether a hold protects a conversation. The caller has locked the audit chain of the tenant in this transaction, by an
/// append or by `lock_chain`.
pub(super) async fn is_held<C: ConnectionTrait>(
    transaction: &C,
    tenant: &TenantId,
    conversation: &ConversationId,
) -> Result<bool, DbErr> {
    Ok(transaction.query_one_raw(statement(transaction, PROTECTING, key(tenant, conversation))).await?.is_some())
}

async fn place(database: &Database, tenant: &TenantId, hold: &Hold, entry: AuditEntry) -> Result<HoldOutcome, DbErr> {
    let transaction = database.begin().await?;
    database.audit_recorder().append(&transaction, tenant, entry).await?;
    let (customer, conversation) = match &hold.subject {
        HoldSubject::Customer(customer) => (Some(customer.as_str()), None),
        HoldSubject::Conversation(conversation) => (None, Some(conversation.as_str())),
    };
    if let Some(conversation) = conversation {
        let key = [tenant.as_str().into(), conversation.into()];
        if transaction.query_one_raw(statement(&transaction, FIND_CONVERSATION, key)).await?.is_none() {
            transaction.rollback().await?;
            return Ok(HoldOutcome::NoConversation);
        }
    }
    let values: [Value; 6] = [
        tenant.as_str().into(),
        hold.id.as_str().into(),
        customer.into(),
        conversation.into(),
        hold.reference.as_str().into(),
        hold.created_at.as_micros().into(),
    ];
    execute(&transaction, INSERT, values).await?;
    transaction.commit().await?;
    Ok(HoldOutcome::Placed)
}

async fn release(database: &Database, tenant: &TenantId, id: &HoldId, entry: AuditEntry) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    database.audit_recorder().append(&transaction, tenant, entry).await?;
    let released = execute(&transaction, DELETE, key(tenant, id)).await? > 0;
    if released {
        transaction.commit().await?;
    } else {
        transaction.rollback().await?;
    }
    Ok(released)
}

#[async_trait]
impl HoldStore for SqlHolds {
    #[tracing::instrument(level = "debug", name = "sql.holds.place", skip_all, fields(%tenant))]
    async fn place(&self, tenant: &TenantId, hold: &Hold, entry: AuditEntry) -> Result<HoldOutcome, StoreError> {
        self.0.write(place(&self.0, tenant, hold, entry)).await
    }

    #[tracing::instrument(level = "debug", name = "sql.holds.page", skip_all, fields(%tenant))]
    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a HoldCursor>,
        size: PageSize,
    ) -> Result<HoldPage, StoreError> {
        let (rows, has_opposite) = read_page::<HoldRow, _>(&self.0, &PAGES, tenant, cursor, size).await?;
        let holds = rows.into_iter().map(HoldRow::restore).collect::<Result<_, _>>()?;
        Ok(HoldPage::from_rows(cursor, size, holds, has_opposite))
    }

    #[tracing::instrument(level = "debug", name = "sql.holds.release", skip_all, fields(%tenant))]
    async fn release(&self, tenant: &TenantId, id: &HoldId, entry: AuditEntry) -> Result<bool, StoreError> {
        self.0.write(release(&self.0, tenant, id, entry)).await
    }
}
