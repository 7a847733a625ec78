//! The table `audit_heads`.

use sea_orm::entity::prelude::*;

use super::tenant_scope::TenantScoped;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_heads")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: String,
    pub(crate) sequence: i64,
    pub(crate) hash: Vec<u8>,
    pub(crate) signature: Option<Vec<u8>>,
    pub(crate) signed_by: Option<Vec<u8>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TenantScoped for Entity {
    const TENANT: Column = Column::TenantId;
}
