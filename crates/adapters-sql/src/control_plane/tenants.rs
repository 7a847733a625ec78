//! Whether a tenant exists, in SQL.

use async_trait::async_trait;
use parlance_domain::{
    access::{TenantId, TenantStore},
    error::StoreError,
};
use sea_orm::{FromQueryResult, Statement};

use crate::Database;

/// The tables whose rows prove that a tenant exists. The key of each begins with the tenant.
const TABLES: [&str; 7] = [
    "credentials",
    "conversations",
    "vocabularies",
    "redaction_flags",
    "redaction_audit",
    "audit_records",
    "audit_heads",
];

/// Checks in SQL whether a tenant exists.
#[derive(Clone, Debug)]
pub struct SqlTenants(Database);

impl SqlTenants {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[derive(FromQueryResult)]
struct ExistsRow {
    known: bool,
}

#[async_trait]
impl TenantStore for SqlTenants {
    #[tracing::instrument(level = "debug", name = "sql.tenants.exists", skip_all, fields(%tenant))]
    async fn exists(&self, tenant: &TenantId) -> Result<bool, StoreError> {
        let exists = TABLES.map(|table| format!("EXISTS (SELECT 1 FROM {table} WHERE tenant_id = $1)"));
        let sql = format!("SELECT {} AS known", exists.join(" OR "));
        let reader = self.0.reader();
        let statement = Statement::from_sql_and_values(reader.get_database_backend(), sql, [tenant.as_str().into()]);
        Ok(self
            .0
            .read(|db| ExistsRow::find_by_statement(statement.clone()).one(db))
            .await?
            .is_some_and(|row| row.known))
    }
}
