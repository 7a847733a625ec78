//! The table `redaction_flags`.

use sea_orm::entity::prelude::*;

use super::tenant_scope::TenantScoped;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "redaction_flags")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) label: String,
    pub(crate) active: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TenantScoped for Entity {
    const TENANT: Column = Column::TenantId;
}
