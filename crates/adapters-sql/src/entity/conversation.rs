//! The table `conversations`.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "conversations")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: String,
    pub(crate) external_id: String,
    pub(crate) agent_external_id: Option<String>,
    pub(crate) agent_name: Option<String>,
    pub(crate) customer_external_id: String,
    pub(crate) customer_name: Option<String>,
    pub(crate) metadata: Option<String>,
    pub(crate) started_at: i64,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
