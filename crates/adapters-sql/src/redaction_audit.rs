//! The records of redaction switches in SQL. They are added and read; nothing here changes one.

use parlance_domain::{
    access::{ApiId, TenantId},
    error::StoreError,
    redaction::{Approval, Approver, ChangeReference, SwitchId, SwitchRecord, SwitchedBy},
    time::Timestamp,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, Select,
};

use crate::{
    Database,
    entity::redaction_switch::{ActiveModel, Column, Entity, Model},
    error::corrupt,
    redaction::{activity, is_on, restore_label},
};

const TABLE: &str = "redaction_audit";

/// The one way to this table: a tenant's rows.
fn of(tenant: &TenantId) -> Select<Entity> {
    Entity::find().filter(Column::TenantId.eq(tenant.as_str()))
}

pub(crate) async fn add(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    record: &SwitchRecord,
) -> Result<(), DbErr> {
    Entity::insert(row(tenant, record)).exec_without_returning(transaction).await.map(|_| ())
}

pub(crate) async fn log(database: &Database, tenant: &TenantId) -> Result<Vec<SwitchRecord>, StoreError> {
    let query = of(tenant).order_by_asc(Column::SwitchedAt).order_by_asc(Column::Id);
    database.read(|db| query.clone().all(db)).await?.iter().map(restore).collect()
}

fn row(tenant: &TenantId, record: &SwitchRecord) -> ActiveModel {
    let (credential, approval) = match &record.by {
        SwitchedBy::Credential(id) => (Some(id.as_str().to_owned()), None),
        SwitchedBy::Embedder => (None, None),
        SwitchedBy::Approvers(approval) => (None, Some(approval)),
    };
    let approver = |place: usize| approval.and_then(|approval| approval.approvers().get(place));
    let named = |place| approver(place).map(|approver| approver.as_str().to_owned());
    ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        switched_at: Set(record.at.as_micros()),
        id: Set(record.id.as_str().to_owned()),
        label: Set(record.entity.label().to_owned()),
        was_active: Set(is_on(record.from)),
        is_active: Set(is_on(record.to)),
        credential: Set(credential),
        reference: Set(approval.map(|approval| approval.reference().as_str().to_owned())),
        first_approver: Set(named(0)),
        second_approver: Set(named(1)),
    }
}

pub(crate) fn restore(row: &Model) -> Result<SwitchRecord, StoreError> {
    let id = &row.id;
    Ok(SwitchRecord {
        id: SwitchId::parse(id).map_err(|broken| corrupt(TABLE, "id", id, broken))?,
        at: Timestamp::from_micros(row.switched_at).map_err(|broken| corrupt(TABLE, "switched_at", id, broken))?,
        by: restore_author(row)?,
        entity: restore_label(TABLE, &row.label, id)?,
        from: activity(row.was_active),
        to: activity(row.is_active),
    })
}

fn restore_author(row: &Model) -> Result<SwitchedBy, StoreError> {
    let id = &row.id;
    match (&row.credential, &row.reference, &row.first_approver, &row.second_approver) {
        (Some(credential), None, None, None) => {
            let credential = ApiId::parse(credential).map_err(|broken| corrupt(TABLE, "credential", id, broken))?;
            Ok(SwitchedBy::Credential(credential))
        }
        (None, None, None, None) => Ok(SwitchedBy::Embedder),
        (None, Some(reference), Some(first), Some(second)) => {
            let reference =
                ChangeReference::restore(reference).map_err(|broken| corrupt(TABLE, "reference", id, broken))?;
            let first = Approver::restore(first).map_err(|broken| corrupt(TABLE, "first_approver", id, broken))?;
            let second = Approver::restore(second).map_err(|broken| corrupt(TABLE, "second_approver", id, broken))?;
            let approval = Approval::restore(reference, first, second)
                .map_err(|broken| corrupt(TABLE, "second_approver", id, broken))?;
            Ok(SwitchedBy::Approvers(approval))
        }
        _ => Err(corrupt(TABLE, "reference", id, "is not whole: a credential, or a reference and two approvers")),
    }
}
