//! The table `vocabulary_delivery`: the columns that a change of a vocabulary writes. Raw statements read and write
//! the other columns, which hold the progress of the delivery.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "vocabulary_delivery")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: String,
    pub(crate) vocabulary_version: i64,
    pub(crate) changed_at: i64,
    pub(crate) pending_since: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
