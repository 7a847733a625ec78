//! The completion of the erasure of a tenant.

use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    privacy::{ReceiptDraft, TenantCompletion},
    signing::Signer,
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};

use crate::{
    Database,
    control_plane::{
        privacy_receipts,
        statements::{execute, statement},
    },
    subject_data::tables_of_tenants,
};

const COMPLETE: &str = "UPDATE tenant_erasures SET completed_at = $2 WHERE tenant_id = $1 AND completed_at IS NULL";

/// Completes the erasure, if no row of the tenant is left.
pub(super) async fn complete(
    database: &Database,
    tenant: &TenantId,
    at: Timestamp,
    entry: AuditEntry,
    receipt: Option<(ReceiptDraft, &dyn Signer)>,
) -> Result<TenantCompletion, DbErr> {
    let transaction = database.begin().await?;
    let values: [Value; 2] = [tenant.as_str().into(), at.as_micros().into()];
    if execute(&transaction, COMPLETE, values).await? == 0 {
        transaction.rollback().await?;
        return Ok(TenantCompletion::Completed);
    }
    if has_rows(&transaction, tenant).await? {
        transaction.rollback().await?;
        return Ok(TenantCompletion::RowsLeft);
    }
    let position = database.audit_recorder().append(&transaction, tenant, entry).await?;
    if let Some(receipt) = receipt {
        privacy_receipts::issue(&transaction, tenant, position, receipt).await?;
    }
    transaction.commit().await?;
    Ok(TenantCompletion::Completed)
}

/// Whether any row of the tenant is left that an erasure deletes.
async fn has_rows(transaction: &DatabaseTransaction, tenant: &TenantId) -> Result<bool, DbErr> {
    for (table, _) in tables_of_tenants() {
        let sql = format!("SELECT 1 FROM {table} WHERE tenant_id = $1 LIMIT 1");
        let found = transaction.query_one_raw(statement(transaction, &sql, [tenant.as_str().into()])).await?;
        if found.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
