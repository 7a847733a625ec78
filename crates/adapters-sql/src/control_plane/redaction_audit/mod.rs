//! The records of redaction switches in SQL. Records are inserted and read, never changed.

mod rows;

use parlance_domain::{access::TenantId, error::StoreError, redaction::SwitchRecord};
use rows::row;
pub(crate) use rows::{SwitchColumns, restore};
use sea_orm::{DatabaseTransaction, DbErr, EntityTrait, QueryOrder};

use crate::{
    Database,
    control_plane::entities::{
        redaction_switch::{Column, Entity},
        tenant_scope::tenant_rows,
    },
};

pub(crate) async fn insert(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    record: &SwitchRecord,
) -> Result<(), DbErr> {
    Entity::insert(row(tenant, record)).exec_without_returning(transaction).await.map(|_| ())
}

pub(crate) async fn log(database: &Database, tenant: &TenantId) -> Result<Vec<SwitchRecord>, StoreError> {
    let query = tenant_rows::<Entity>(tenant).order_by_asc(Column::SwitchedAt).order_by_asc(Column::Id);
    database.read(|db| query.clone().all(db)).await?.iter().map(restore).collect()
}
