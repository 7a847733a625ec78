//! The table `messages`.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "messages")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) conversation_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) sent_at: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: String,
    pub(crate) sender_role: i16,
    pub(crate) sender_external_id: String,
    pub(crate) text: String,
    pub(crate) created_at: i64,
    pub(crate) masked_with: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
