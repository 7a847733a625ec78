//! The records of redaction switches in SQL. Records are inserted and read, never changed.

mod rows;

use parlance_domain::{access::TenantId, error::StoreError, redaction::SwitchRecord};
use rows::row;
pub(crate) use rows::{SwitchColumns, restore};
use sea_orm::{ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, Select};

use crate::{
    Database,
    control_plane::entities::redaction_switch::{Column, Entity},
};

/// The rows of one tenant. Every query by entity starts here.
fn tenant_rows(tenant: &TenantId) -> Select<Entity> {
    Entity::find().filter(Column::TenantId.eq(tenant.as_str()))
}

pub(crate) async fn insert(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    record: &SwitchRecord,
) -> Result<(), DbErr> {
    Entity::insert(row(tenant, record)).exec_without_returning(transaction).await.map(|_| ())
}

pub(crate) async fn log(database: &Database, tenant: &TenantId) -> Result<Vec<SwitchRecord>, StoreError> {
    let query = tenant_rows(tenant).order_by_asc(Column::SwitchedAt).order_by_asc(Column::Id);
    database.read(|db| query.clone().all(db)).await?.iter().map(restore).collect()
}
