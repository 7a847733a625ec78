//! Which tenants there are, in SQL.

use async_trait::async_trait;
use parlance_domain::{
    access::{TenantId, TenantStore},
    error::StoreError,
};
use sea_orm::{FromQueryResult, Statement};

use crate::Database;

/// Every table that says that there is a tenant. Each is led by the tenant in its key.
const TABLES: [&str; 7] = [
    "credentials",
    "conversations",
    "vocabularies",
    "redaction_flags",
    "redaction_audit",
    "audit_records",
    "audit_heads",
];

/// Tells which tenants there are in SQL.
#[derive(Clone, Debug)]
pub struct SqlTenants(Database);

impl SqlTenants {
    /// Tells which there are in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[derive(FromQueryResult)]
struct Known {
    known: bool,
}

#[async_trait]
impl TenantStore for SqlTenants {
    async fn is_known(&self, tenant: &TenantId) -> Result<bool, StoreError> {
        let exists = TABLES.map(|table| format!("EXISTS (SELECT 1 FROM {table} WHERE tenant_id = $1)"));
        let sql = format!("SELECT {} AS known", exists.join(" OR "));
        let reader = self.0.reader();
        let asked = Statement::from_sql_and_values(reader.get_database_backend(), sql, [tenant.as_str().into()]);
        Ok(self.0.read(|db| Known::find_by_statement(asked.clone()).one(db)).await?.is_some_and(|found| found.known))
    }
}
