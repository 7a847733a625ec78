//! The rows of the heads of the audit chains.

use parlance_domain::{
    access::TenantId,
    audit::{ChainHead, HeadSignature, StoredHead},
    error::StoreError,
    signing::{KeyFingerprint, Signature},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, UpdateMany,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    control_plane::{
        audit::columns::{restore_bytes, restore_sequence},
        entities::audit_head::{ActiveModel, Column, Entity, Model},
    },
    error::corrupt,
};

pub(super) const TABLE: &str = "audit_heads";

/// Updates the hash and the signature of a head. [`advance_head`] has already updated its sequence number.
pub(super) fn update_head(
    tenant: &TenantId,
    head: &ChainHead,
    signature: Option<&HeadSignature>,
) -> UpdateMany<Entity> {
    let signature_bytes = signature.map(|signature| signature.signature.0.to_vec());
    let key_bytes = signature.map(|signature| signature.key.0.to_vec());
    Entity::update_many()
        .col_expr(Column::Hash, Expr::val(head.hash.to_vec()))
        .col_expr(Column::Signature, Expr::val(signature_bytes))
        .col_expr(Column::SignedBy, Expr::val(key_bytes))
        .filter(Column::TenantId.eq(tenant.as_str()))
}

/// Increments the sequence number of the tenant's head, and returns the head as it was before. Concurrent changes of
/// the same chain wait here until the transaction ends.
pub(super) async fn advance_head<C: ConnectionTrait>(transaction: &C, tenant: &TenantId) -> Result<StoredHead, DbErr> {
    let start = ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        sequence: Set(0),
        hash: Set(ChainHead::START.hash.to_vec()),
        signature: Set(None),
        signed_by: Set(None),
    };
    let insert = Entity::insert(start).on_conflict_do_nothing_on([Column::TenantId]);
    insert.exec_without_returning(transaction).await?;
    let increment = Entity::update_many()
        .col_expr(Column::Sequence, Expr::col(Column::Sequence).add(1))
        .filter(Column::TenantId.eq(tenant.as_str()));
    let rows = increment.exec_with_returning(transaction).await?;
    let Some(row) = rows.first() else { return Err(DbErr::RecordNotUpdated) };
    let previous = Model { sequence: row.sequence - 1, ..row.clone() };
    restore_head(&previous).map_err(|error| DbErr::Custom(error.to_string()))
}

pub(crate) fn restore_head(row: &Model) -> Result<StoredHead, StoreError> {
    let tenant = &row.tenant_id;
    let sequence = restore_sequence(TABLE, row.sequence, tenant)?;
    let head = ChainHead { sequence, hash: restore_bytes(TABLE, "hash", &row.hash, tenant)? };
    let signature = match (&row.signature, &row.signed_by) {
        (Some(signature), Some(key)) => Some(HeadSignature {
            key: KeyFingerprint(restore_bytes(TABLE, "signed_by", key, tenant)?),
            signature: Signature(restore_bytes(TABLE, "signature", signature, tenant)?),
        }),
        (None, None) => None,
        _ => return Err(corrupt(TABLE, "signed_by", tenant, "must be set if and only if the signature is set")),
    };
    Ok(StoredHead { head, signature })
}
