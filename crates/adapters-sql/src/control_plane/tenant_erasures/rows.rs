//! The rows of erasures of tenants.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    privacy::{PrivacyRequestId, TenantErasure},
    time::Timestamp,
};
use sea_orm::{FromQueryResult, Statement};

use crate::{Database, control_plane::approval_columns, error::corrupt};

const TABLE: &str = "tenant_erasures";

const SELECT: &str = "SELECT id, reference, first_approver, second_approver, requested_at, completed_at
    FROM tenant_erasures WHERE tenant_id = $1";

#[derive(FromQueryResult)]
struct ErasureRow {
    id: String,
    reference: Option<String>,
    first_approver: Option<String>,
    second_approver: Option<String>,
    requested_at: i64,
    completed_at: Option<i64>,
}

impl ErasureRow {
    fn restore(self) -> Result<TenantErasure, StoreError> {
        let row = self.id.as_str();
        let timestamp =
            |micros, column| Timestamp::from_micros(micros).map_err(|error| corrupt(TABLE, column, row, error));
        let approval = match (&self.reference, &self.first_approver, &self.second_approver) {
            (Some(reference), Some(first), Some(second)) => {
                Some(approval_columns::restore((TABLE, row), reference, [first, second])?)
            }
            (None, None, None) => None,
            _ => return Err(corrupt(TABLE, "reference", row, "must be set if and only if the approvers are")),
        };
        Ok(TenantErasure {
            id: PrivacyRequestId::parse(row).map_err(|error| corrupt(TABLE, "id", row, error))?,
            approval,
            requested_at: timestamp(self.requested_at, "requested_at")?,
            completed_at: self.completed_at.map(|micros| timestamp(micros, "completed_at")).transpose()?,
        })
    }
}

/// The erasure of a tenant, if it began.
pub(super) async fn find(database: &Database, tenant: &TenantId) -> Result<Option<TenantErasure>, StoreError> {
    let backend = database.reader().get_database_backend();
    let select = Statement::from_sql_and_values(backend, SELECT, [tenant.as_str().into()]);
    let row = database.read(|db| ErasureRow::find_by_statement(select.clone()).one(db)).await?;
    row.map(ErasureRow::restore).transpose()
}
