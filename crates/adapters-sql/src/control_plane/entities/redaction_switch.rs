//! The table `redaction_audit`.

use sea_orm::entity::prelude::*;

use super::tenant_scope::TenantScoped;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "redaction_audit")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) switched_at: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) was_active: bool,
    pub(crate) is_active: bool,
    pub(crate) credential: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) first_approver: Option<String>,
    pub(crate) second_approver: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TenantScoped for Entity {
    const TENANT: Column = Column::TenantId;
}
