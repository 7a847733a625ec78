//! The table `credentials`.

use sea_orm::entity::prelude::*;

use super::tenant_scope::TenantScoped;

#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "credentials")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) api_id: String,
    pub(crate) name: String,
    pub(crate) permissions: String,
    pub(crate) secret_digest: Vec<u8>,
    pub(crate) previous_digest: Option<Vec<u8>>,
    pub(crate) previous_until: Option<i64>,
    pub(crate) created_at: i64,
    pub(crate) revoked_at: Option<i64>,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credential").field("api_id", &self.api_id).finish_non_exhaustive()
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TenantScoped for Entity {
    const TENANT: Column = Column::TenantId;
}
