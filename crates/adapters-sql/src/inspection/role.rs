//! The rights of the role of a connection that exceed those of a server.

use parlance_domain::error::StoreError;
use sea_orm::{DbBackend, FromQueryResult, Statement};

use crate::Database;

/// The role, whether it is a superuser, whether it can act as the owner of a table of the schema, and whether it can
/// change or delete records. A table that is missing counts as not changeable.
const ROLE_RIGHTS: &str = "SELECT current_user::text AS name,
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS is_superuser,
    EXISTS (SELECT FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
        AND pg_has_role(relowner, 'USAGE')) AS owns_tables,
    EXISTS (SELECT FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
        AND relname IN ('audit_records', 'redaction_audit', 'erased_conversations')
        AND (has_table_privilege(oid, 'UPDATE') OR has_table_privilege(oid, 'DELETE')
            OR has_table_privilege(oid, 'TRUNCATE'))) AS changes_records";

/// The rights of the role of a connection to PostgreSQL.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct RoleReport {
    /// The name of the role.
    pub name: String,
    /// Whether the role is a superuser, which no right restricts.
    pub is_superuser: bool,
    /// Whether the role owns a table of the schema, or is a member of its owner.
    pub owns_tables: bool,
    /// Whether the role can change or delete records of the audit log or of the switch log.
    pub changes_records: bool,
}

impl Database {
    /// The rights of the role of this connection; `None` on SQLite, which has no roles.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn inspect_role(&self) -> Result<Option<RoleReport>, StoreError> {
        if self.backend() != DbBackend::Postgres {
            return Ok(None);
        }
        let statement = || Statement::from_string(DbBackend::Postgres, ROLE_RIGHTS);
        self.read(|db| RoleReport::find_by_statement(statement()).one(db)).await
    }
}
