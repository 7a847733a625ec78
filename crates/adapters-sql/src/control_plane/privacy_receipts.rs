//! The receipts of privacy requests in SQL. Those of a tenant are a chain in the order of their positions in the audit log.

use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    privacy::{AuditPosition, PrivacyRequestId, ReceiptDigest, ReceiptDraft, ReceiptIssue, SignedReceipt},
    signing::Signer,
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};

use crate::{
    Database,
    control_plane::{
        audit::columns::restore_bytes,
        statements::{execute, key, sql_count, statement},
    },
    error::corrupt,
};

const TABLE: &str = "privacy_receipts";

const LAST: &str = "SELECT digest FROM privacy_receipts WHERE tenant_id = $1 ORDER BY sequence DESC LIMIT 1";

const INSERT: &str = "INSERT INTO privacy_receipts (tenant_id, sequence, request_id, receipt, digest)
    VALUES ($1, $2, $3, $4, $5)";

const NEWEST_OF_REQUEST: &str = "SELECT receipt, sequence FROM privacy_receipts
    WHERE tenant_id = $1 AND request_id = $2 ORDER BY sequence DESC LIMIT 1";

const ISSUE_OF_REQUEST: &str = "SELECT receipt, sequence FROM privacy_receipts
    WHERE tenant_id = $1 AND request_id = $2 ORDER BY sequence LIMIT 1 OFFSET $3";

const NEWEST_OF_ALL: &str = "SELECT receipt FROM privacy_receipts
    WHERE (tenant_id, sequence) > ($1, $2) AND NOT EXISTS (SELECT 1 FROM privacy_receipts later
        WHERE later.tenant_id = privacy_receipts.tenant_id AND later.request_id = privacy_receipts.request_id
            AND later.sequence > privacy_receipts.sequence)
    ORDER BY tenant_id, sequence LIMIT 100";

/// Signs the receipt at the position of an audit record, and stores it. The chain of the tenant is locked since that record
/// was appended, so no other receipt has the same predecessor.
pub(super) async fn issue(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    position: AuditPosition,
    (draft, signer): (ReceiptDraft, &dyn Signer),
) -> Result<(), DbErr> {
    let corrupt = |error: StoreError| DbErr::Custom(error.to_string());
    let last = transaction.query_one_raw(statement(transaction, LAST, [tenant.as_str().into()])).await?;
    let previous: Option<ReceiptDigest> = match last {
        Some(row) => {
            let digest: Vec<u8> = row.try_get_by_index(0)?;
            Some(restore_bytes(TABLE, "digest", &digest, tenant.as_str()).map_err(corrupt)?)
        }
        None => None,
    };
    let receipt = draft.sign(position, previous, signer);
    let values: [Value; 5] = [
        tenant.as_str().into(),
        sql_count(position.sequence),
        receipt.receipt.request.as_str().into(),
        receipt.to_file().into(),
        receipt.digest().to_vec().into(),
    ];
    execute(transaction, INSERT, values).await.map(|_| ())
}

/// The file with the receipt of a request that has this number, or with the newest one.
pub(super) async fn find(
    database: &Database,
    tenant: &TenantId,
    id: &PrivacyRequestId,
    issue: Option<ReceiptIssue>,
) -> Result<Option<String>, StoreError> {
    let mut values = key(tenant, id).to_vec();
    values.extend(issue.map(|issue| (i64::from(issue.get()) - 1).into()));
    let sql = if issue.is_some() { ISSUE_OF_REQUEST } else { NEWEST_OF_REQUEST };
    let receipt = database.read(async |db| {
        let row = db.query_one_raw(statement(db, sql, values.iter().cloned())).await?;
        row.map(|row| row.try_get_by_index(0)).transpose()
    });
    receipt.await
}

/// A page of the newest receipts of their requests, after this position.
pub(super) async fn newest(
    database: &Database,
    after: Option<(TenantId, u64)>,
) -> Result<Vec<SignedReceipt>, StoreError> {
    let (tenant, sequence) = after.map_or((String::new(), 0), |(tenant, after)| (tenant.as_str().to_owned(), after));
    let files = database.read(async |db| {
        let values = [tenant.as_str().into(), sql_count(sequence)];
        let rows = db.query_all_raw(statement(db, NEWEST_OF_ALL, values)).await?;
        rows.iter().map(|row| row.try_get_by_index::<String>(0)).collect::<Result<Vec<_>, _>>()
    });
    let parse =
        |file: String| SignedReceipt::parse(file.as_bytes()).map_err(|error| corrupt(TABLE, "receipt", "-", error));
    files.await?.into_iter().map(parse).collect()
}

/// Issues the receipt after `newest`, if that is still the newest receipt of its request.
pub(super) async fn supersede(
    database: &Database,
    newest: &SignedReceipt,
    entry: AuditEntry,
    receipt: (ReceiptDraft, &dyn Signer),
) -> Result<bool, DbErr> {
    let (tenant, request) = (&newest.receipt.tenant, &newest.receipt.request);
    let transaction = database.begin().await?;
    // The append locks the chain of the tenant, so no receipt is issued between this check and the commit.
    let position = database.audit_recorder().append(&transaction, tenant, entry).await?;
    let row = transaction.query_one_raw(statement(&transaction, NEWEST_OF_REQUEST, key(tenant, request))).await?;
    let stored: Option<i64> = row.map(|row| row.try_get_by_index(1)).transpose()?;
    if stored.and_then(|sequence| u64::try_from(sequence).ok()) != Some(newest.receipt.audit.sequence) {
        transaction.rollback().await?;
        return Ok(false);
    }
    issue(&transaction, tenant, position, receipt).await?;
    transaction.commit().await?;
    Ok(true)
}
