//! Privacy requests in SQL.

use std::sync::Arc;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    privacy::{
        CreateOutcome, FailureReason, OpenRequestPosition, OpenRequests, PrivacyCounts, PrivacyRequest,
        PrivacyRequestCursor, PrivacyRequestId, PrivacyRequestPage, PrivacyRequestStore, ReceiptDraft, ReceiptIssue,
        SignedReceipt, WaitReason,
    },
    signing::Signer,
    text::ExternalId,
    time::Timestamp,
    vocabulary::PageSize,
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};

use crate::{
    Database,
    control_plane::{
        deleted_bytes::record_deletion,
        privacy_receipts, privacy_request_rows,
        statements::{execute, key, sql_count, statement},
    },
    error::corrupt,
};

/// Stores privacy requests in SQL.
#[derive(Clone, Debug)]
pub struct SqlPrivacyRequests(Database);

impl SqlPrivacyRequests {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

const INSERT: &str = "INSERT INTO privacy_requests
        (tenant_id, id, kind, dry_run, subject, reference, status, requested_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

const INSERT_SUBJECT: &str = "INSERT INTO privacy_subjects (tenant_id, request_id, customer_external_id, is_fence)
    VALUES ($1, $2, $3, $4)";

/// One row if a hold names the customer, or a conversation that is or was of the customer.
const HELD: &str = "SELECT 1 FROM holds WHERE tenant_id = $1 AND customer_external_id = $2
    UNION ALL
    SELECT 1 FROM conversations c JOIN holds h ON h.tenant_id = $1 AND h.conversation_id = c.id
    WHERE c.tenant_id = $1 AND c.customer_external_id = $2
    UNION ALL
    SELECT 1 FROM former_customers f JOIN holds h ON h.tenant_id = $1 AND h.conversation_id = f.conversation_id
    WHERE f.tenant_id = $1 AND f.customer_external_id = $2 LIMIT 1";

const START: &str =
    "UPDATE privacy_requests SET status = 'running' WHERE tenant_id = $1 AND id = $2 AND status = 'pending'";

const SET_WAITING: &str =
    "UPDATE privacy_requests SET waiting_for = $3 WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL";

const SUBJECT: &str = "SELECT customer_external_id FROM privacy_subjects WHERE tenant_id = $1 AND request_id = $2";

const SET_COUNTS: &str = "UPDATE privacy_requests
    SET conversations = $3, messages = $4, messages_elsewhere = $5, feed_periods = $6
    WHERE tenant_id = $1 AND id = $2";

macro_rules! add_feed_period {
    ($ids:literal) => {
        concat!(
            "UPDATE privacy_requests SET feed_periods = feed_periods + 1, last_feed_revision = $2
            WHERE tenant_id = $1 AND id IN (",
            $ids,
            ") AND ended_at IS NULL AND COALESCE(last_feed_revision, '') <> $2"
        )
    };
}

const ADD_FEED_PERIOD_POSTGRES: &str = add_feed_period!("SELECT json_array_elements_text($3::json)");
const ADD_FEED_PERIOD_SQLITE: &str = add_feed_period!("SELECT value FROM json_each($3)");

const FORGET_SUBJECT: &str = "DELETE FROM privacy_subjects WHERE tenant_id = $1 AND request_id = $2";

const COMPLETE: &str = "UPDATE privacy_requests SET status = 'completed', waiting_for = NULL, ended_at = $3
    WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL";

const FAIL: &str = "UPDATE privacy_requests
    SET status = 'failed', waiting_for = NULL, failure = $3, ended_at = $4
    WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL";

async fn insert(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    request: &PrivacyRequest,
    subject: &ExternalId,
) -> Result<(), DbErr> {
    let values: [Value; 6] = [
        request.kind.as_str().into(),
        i64::from(request.dry_run).into(),
        request.subject.0.to_vec().into(),
        request.reference.as_str().into(),
        request.status.as_str().into(),
        request.requested_at.as_micros().into(),
    ];
    execute(transaction, INSERT, key(tenant, &request.id).into_iter().chain(values)).await?;
    let values: [Value; 2] = [subject.as_str().into(), i64::from(request.erases()).into()];
    execute(transaction, INSERT_SUBJECT, key(tenant, &request.id).into_iter().chain(values)).await.map(|_| ())
}

#[async_trait]
impl PrivacyRequestStore for SqlPrivacyRequests {
    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.create", skip_all, fields(%tenant))]
    async fn create(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        subject: &ExternalId,
        entry: AuditEntry,
    ) -> Result<CreateOutcome, StoreError> {
        let create = async {
            let transaction = self.0.begin().await?;
            self.0.audit_recorder().append(&transaction, tenant, entry).await?;
            // Holds are placed under the lock of the same audit chain, so none is placed between this check and the commit.
            let key: [Value; 2] = [tenant.as_str().into(), subject.as_str().into()];
            if request.erases() && transaction.query_one_raw(statement(&transaction, HELD, key)).await?.is_some() {
                transaction.rollback().await?;
                return Ok(CreateOutcome::Held);
            }
            insert(&transaction, tenant, request, subject).await?;
            transaction.commit().await?;
            Ok(CreateOutcome::Created)
        };
        self.0.write(create).await
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.find", skip_all, fields(%tenant))]
    async fn find(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<Option<PrivacyRequest>, StoreError> {
        privacy_request_rows::find(&self.0, tenant, id).await
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.page", skip_all, fields(%tenant))]
    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a PrivacyRequestCursor>,
        size: PageSize,
    ) -> Result<PrivacyRequestPage, StoreError> {
        privacy_request_rows::page(&self.0, tenant, cursor, size).await
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.open", skip_all)]
    async fn open<'a>(&self, after: Option<&'a OpenRequestPosition>) -> Result<OpenRequests, StoreError> {
        privacy_request_rows::open(&self.0, after).await
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.start", skip_all, fields(%tenant))]
    async fn start(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<(), StoreError> {
        self.0.write(execute(self.0.writer(), START, key(tenant, id))).await.map(|_| ())
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.set_waiting", skip_all, fields(%tenant))]
    async fn set_waiting(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        reason: WaitReason,
    ) -> Result<(), StoreError> {
        let values = key(tenant, id).into_iter().chain([reason.as_str().into()]);
        self.0.write(execute(self.0.writer(), SET_WAITING, values)).await.map(|_| ())
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.subject", skip_all, fields(%tenant))]
    async fn subject(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<Option<ExternalId>, StoreError> {
        let row = self.0.read(async |db| db.query_one_raw(statement(db, SUBJECT, key(tenant, id))).await).await?;
        let Some(row) = row else { return Ok(None) };
        let corrupt = |error: String| corrupt("privacy_subjects", "customer_external_id", id.as_str(), error);
        let subject: String = row.try_get_by_index(0).map_err(|error| corrupt(error.to_string()))?;
        ExternalId::parse(subject).map(Some).map_err(|error| corrupt(error.to_string()))
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.set_counts", skip_all, fields(%tenant))]
    async fn set_counts(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        counts: &PrivacyCounts,
    ) -> Result<(), StoreError> {
        let PrivacyCounts { conversations, messages, messages_elsewhere, feed_periods } = *counts;
        let counts = [conversations, messages, messages_elsewhere, feed_periods].map(sql_count);
        let values = key(tenant, id).into_iter().chain(counts);
        self.0.write(execute(self.0.writer(), SET_COUNTS, values)).await.map(|_| ())
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.add_feed_period", skip_all, fields(%tenant))]
    async fn add_feed_period(
        &self,
        tenant: &TenantId,
        ids: &[PrivacyRequestId],
        revision: &str,
    ) -> Result<(), StoreError> {
        let add = if self.0.is_postgres() { ADD_FEED_PERIOD_POSTGRES } else { ADD_FEED_PERIOD_SQLITE };
        let ids: serde_json::Value = ids.iter().map(PrivacyRequestId::as_str).collect();
        let values: [Value; 3] = [tenant.as_str().into(), revision.into(), ids.to_string().into()];
        self.0.write(execute(self.0.writer(), add, values)).await.map(|_| ())
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.forget_subject", skip_all, fields(%tenant))]
    async fn forget_subject(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<(), StoreError> {
        self.0.write(execute(self.0.writer(), FORGET_SUBJECT, key(tenant, id))).await?;
        record_deletion(&self.0);
        Ok(())
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.complete", skip_all, fields(%tenant))]
    async fn complete<'a>(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        at: Timestamp,
        entry: AuditEntry,
        receipt: Option<(ReceiptDraft, &'a dyn Signer)>,
    ) -> Result<bool, StoreError> {
        let complete = async {
            let transaction = self.0.begin().await?;
            let values = key(tenant, id).into_iter().chain([at.as_micros().into()]);
            if execute(&transaction, COMPLETE, values).await? == 0 {
                transaction.rollback().await?;
                return Ok(false);
            }
            let position = self.0.audit_recorder().append(&transaction, tenant, entry).await?;
            if let Some(receipt) = receipt {
                privacy_receipts::issue(&transaction, tenant, position, receipt).await?;
            }
            transaction.commit().await?;
            Ok(true)
        };
        self.0.write(complete).await
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.fail", skip_all, fields(%tenant))]
    async fn fail(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        (reason, at): (FailureReason, Timestamp),
        entry: AuditEntry,
    ) -> Result<bool, StoreError> {
        let fail = async {
            let transaction = self.0.begin().await?;
            let values: [Value; 2] = [reason.as_str().into(), at.as_micros().into()];
            if execute(&transaction, FAIL, key(tenant, id).into_iter().chain(values)).await? == 0 {
                transaction.rollback().await?;
                return Ok(false);
            }
            execute(&transaction, FORGET_SUBJECT, key(tenant, id)).await?;
            self.0.audit_recorder().append(&transaction, tenant, entry).await?;
            transaction.commit().await?;
            Ok(true)
        };
        let was_open = self.0.write(fail).await?;
        record_deletion(&self.0);
        Ok(was_open)
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.receipt", skip_all, fields(%tenant))]
    async fn receipt(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        issue: Option<ReceiptIssue>,
    ) -> Result<Option<String>, StoreError> {
        privacy_receipts::find(&self.0, tenant, id, issue).await
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.newest_receipts", skip_all)]
    async fn newest_receipts(&self, after: Option<(TenantId, u64)>) -> Result<Vec<SignedReceipt>, StoreError> {
        privacy_receipts::newest(&self.0, after).await
    }

    #[tracing::instrument(level = "debug", name = "sql.privacy_requests.supersede_receipt", skip_all)]
    async fn supersede_receipt(
        &self,
        newest: &SignedReceipt,
        entry: AuditEntry,
        draft: ReceiptDraft,
        signer: Arc<dyn Signer>,
    ) -> Result<bool, StoreError> {
        self.0.write(privacy_receipts::supersede(&self.0, newest, entry, (draft, &*signer))).await
    }
}
