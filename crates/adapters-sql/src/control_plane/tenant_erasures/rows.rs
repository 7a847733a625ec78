//! The rows of erasures of tenants.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    privacy::{OpenTenantErasures, PrivacyRequestId, TenantErasure},
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult};

use crate::{
    Database,
    control_plane::{approval_columns, statements::statement},
    error::corrupt,
};

const TABLE: &str = "tenant_erasures";

const SELECT: &str = "SELECT id, reference, first_approver, second_approver, requested_at, completed_at
    FROM tenant_erasures WHERE tenant_id = $1";

/// The oldest open erasure, and the number of all open ones.
const OPEN: &str = "SELECT tenant_id, requested_at, count(*) OVER () FROM tenant_erasures WHERE completed_at IS NULL
    ORDER BY requested_at, tenant_id LIMIT 1";

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

/// The erasures of all tenants that are not completed.
pub(super) async fn open(database: &Database) -> Result<Option<OpenTenantErasures>, StoreError> {
    let row = database.read(async |db| {
        let row = db.query_one_raw(statement(db, OPEN, [])).await?;
        let read =
            |row: QueryResult| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?));
        row.map(read).transpose()
    });
    let Some((tenant, requested_at, count)): Option<(String, i64, i64)> = row.await? else { return Ok(None) };
    Ok(Some(OpenTenantErasures {
        count: u64::try_from(count).unwrap_or_default(),
        open_since: Timestamp::from_micros(requested_at)
            .map_err(|error| corrupt(TABLE, "requested_at", &tenant, error))?,
        oldest_tenant: TenantId::parse(&tenant).map_err(|error| corrupt(TABLE, "tenant_id", &tenant, error))?,
    }))
}

/// The erasure of a tenant, if it began.
pub(super) async fn find(database: &Database, tenant: &TenantId) -> Result<Option<TenantErasure>, StoreError> {
    let select = |db| statement(db, SELECT, [tenant.as_str().into()]);
    let row = database.read(|db| ErasureRow::find_by_statement(select(db)).one(db)).await?;
    row.map(ErasureRow::restore).transpose()
}
