//! Redaction flags in SQL, each switch in one transaction with its record.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::Entry,
    error::StoreError,
    redaction::{self, Activity, Commit, Flags, RedactionStore, Switch, SwitchRecord},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, Select, TryInsertResult,
    sea_query::Expr,
};

use crate::{
    Database,
    entity::redaction_flag::{ActiveModel, Column, Entity},
    error::corrupt,
    redaction_audit,
};

const TABLE: &str = "redaction_flags";

/// Keeps redaction flags and the records of their switches in SQL.
#[derive(Clone, Debug)]
pub struct SqlRedaction(Database);

impl SqlRedaction {
    /// Keeps them in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// The one way to this table: a tenant's rows.
fn of(tenant: &TenantId) -> Select<Entity> {
    Entity::find().filter(Column::TenantId.eq(tenant.as_str()))
}

#[async_trait]
impl RedactionStore for SqlRedaction {
    async fn flags(&self, tenant: &TenantId) -> Result<Flags, StoreError> {
        let mut flags = Flags::none();
        for row in self.0.read(|db| of(tenant).all(db)).await? {
            flags.set(restore_label(TABLE, &row.label, tenant.as_str())?, activity(row.active));
        }
        Ok(flags)
    }

    async fn set(&self, tenant: &TenantId, switch: &Switch) -> Result<Commit, StoreError> {
        let landed = async {
            let transaction = self.0.begin().await?;
            if !land(&transaction, tenant, switch).await? {
                transaction.rollback().await?;
                return Ok(Commit::Superseded);
            }
            redaction_audit::add(&transaction, tenant, &switch.record).await?;
            self.0.recording().add(&transaction, tenant, Entry::switched(&switch.record)).await?;
            transaction.commit().await?;
            Ok(Commit::Committed)
        };
        self.0.change(landed).await
    }

    async fn log(&self, tenant: &TenantId) -> Result<Vec<SwitchRecord>, StoreError> {
        redaction_audit::log(&self.0, tenant).await
    }
}

/// Writes the flag where it is still as presumed, and tells whether it was.
async fn land(transaction: &DatabaseTransaction, tenant: &TenantId, switch: &Switch) -> Result<bool, DbErr> {
    let label = switch.record.entity.label();
    let active = is_on(switch.record.to);
    let Some(presumed) = switch.presumes else {
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
        .filter(Column::Active.eq(is_on(presumed)));
    Ok(update.exec(transaction).await?.rows_affected == 1)
}

pub(crate) fn is_on(activity: Activity) -> bool {
    activity == Activity::On
}

pub(crate) fn activity(active: bool) -> Activity {
    if active { Activity::On } else { Activity::Off }
}

/// The entity of a stored label, in the row of that name.
pub(crate) fn restore_label(table: &'static str, label: &str, row: &str) -> Result<redaction::Entity, StoreError> {
    redaction::Entity::from_label(label).ok_or_else(|| corrupt(table, "label", row, "names no entity"))
}
