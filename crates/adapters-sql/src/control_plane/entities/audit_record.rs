//! The table `audit_records`.

use sea_orm::entity::prelude::*;

use super::tenant_scope::TenantScoped;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_records")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) sequence: i64,
    pub(crate) recorded_at: i64,
    pub(crate) action: String,
    pub(crate) subject: String,
    pub(crate) details: String,
    pub(crate) previous: Vec<u8>,
    pub(crate) hash: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TenantScoped for Entity {
    const TENANT: Column = Column::TenantId;
}
