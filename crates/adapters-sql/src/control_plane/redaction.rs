//! Redaction flags in SQL. A switch and its record are written in one transaction.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    redaction::{CommitOutcome, Flags, RedactionStore, Switch, SwitchRecord},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, TryInsertResult,
    sea_query::Expr,
};

use crate::{
    Database,
    control_plane::{
        entities::{
            redaction_flag::{ActiveModel, Column, Entity},
            tenant_scope::tenant_rows,
        },
        redaction_audit,
        redaction_columns::{is_on, restore_entity, to_activity},
    },
};

const TABLE: &str = "redaction_flags";

/// Stores redaction flags and switch records in SQL.
#[derive(Clone, Debug)]
pub struct SqlRedaction(Database);

impl SqlRedaction {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl RedactionStore for SqlRedaction {
    #[tracing::instrument(level = "debug", name = "sql.redaction.flags", skip_all, fields(%tenant))]
    async fn flags(&self, tenant: &TenantId) -> Result<Flags, StoreError> {
        let mut flags = Flags::none();
        for row in self.0.read(|db| tenant_rows::<Entity>(tenant).all(db)).await? {
            flags.set(restore_entity(TABLE, &row.label, tenant.as_str())?, to_activity(row.active));
        }
        Ok(flags)
    }

    #[tracing::instrument(level = "debug", name = "sql.redaction.set", skip_all, fields(%tenant))]
    async fn set(&self, tenant: &TenantId, switch: &Switch) -> Result<CommitOutcome, StoreError> {
        let write = async {
            let transaction = self.0.begin().await?;
            if !write_flag(&transaction, tenant, switch).await? {
                transaction.rollback().await?;
                return Ok(CommitOutcome::PreconditionFailed);
            }
            redaction_audit::insert(&transaction, tenant, &switch.record).await?;
            self.0.audit_recorder().append(&transaction, tenant, AuditEntry::entity_switched(&switch.record)).await?;
            transaction.commit().await?;
            Ok(CommitOutcome::Committed)
        };
        self.0.write(write).await
    }

    #[tracing::instrument(level = "debug", name = "sql.redaction.log", skip_all, fields(%tenant))]
    async fn log(&self, tenant: &TenantId) -> Result<Vec<SwitchRecord>, StoreError> {
        redaction_audit::log(&self.0, tenant).await
    }
}

/// Writes the flag if it still has the expected state, and returns whether it did.
async fn write_flag(transaction: &DatabaseTransaction, tenant: &TenantId, switch: &Switch) -> Result<bool, DbErr> {
    let label = switch.record.entity.label();
    let active = is_on(switch.record.to);
    let Some(expected) = switch.expected else {
        let row = ActiveModel {
            tenant_id: Set(tenant.as_str().to_owned()),
            label: Set(label.to_owned()),
            active: Set(active),
        };
        let insert = Entity::insert(row).on_conflict_do_nothing_on([Column::TenantId, Column::Label]);
        let outcome = insert.exec_without_returning(transaction).await?;
        return Ok(matches!(outcome, TryInsertResult::Inserted(1..)));
    };
    let update = Entity::update_many()
        .col_expr(Column::Active, Expr::val(active))
        .filter(Column::TenantId.eq(tenant.as_str()))
        .filter(Column::Label.eq(label))
        .filter(Column::Active.eq(is_on(expected)));
    Ok(update.exec(transaction).await?.rows_affected == 1)
}
