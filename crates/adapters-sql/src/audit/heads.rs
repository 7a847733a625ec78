//! The heads of chains and their signatures.

use parlance_domain::{
    access::TenantId,
    audit::{Head, HeadSignature, KeptHead},
    error::StoreError,
    signing::{KeyFingerprint, Signature},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, Select, Statement, UpdateMany,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Database,
    entity::audit_head::{ActiveModel, Column, Entity, Model},
    error::corrupt,
};

const HEADS: &str = "audit_heads";

/// The keys of all tenants: an operator's question.
const KEYS: &str = "SELECT DISTINCT signed_by FROM audit_heads WHERE signed_by IS NOT NULL";

/// The one way to this table: a tenant's row.
fn of(tenant: &TenantId) -> Select<Entity> {
    Entity::find().filter(Column::TenantId.eq(tenant.as_str()))
}

#[derive(FromQueryResult)]
struct KeyRow {
    signed_by: Vec<u8>,
}

pub(super) async fn find(database: &Database, tenant: &TenantId) -> Result<Option<KeptHead>, StoreError> {
    database.read(|db| of(tenant).one(db)).await?.as_ref().map(restore_head).transpose()
}

pub(super) async fn keys(database: &Database) -> Result<Vec<KeyFingerprint>, StoreError> {
    let statement = Statement::from_string(database.reader().get_database_backend(), KEYS);
    let rows = database.read(|db| KeyRow::find_by_statement(statement.clone()).all(db)).await?;
    rows.iter().map(|row| restore_bytes(HEADS, "signed_by", &row.signed_by, "-").map(KeyFingerprint)).collect()
}

pub(super) async fn sign(
    database: &Database,
    tenant: &TenantId,
    head: &Head,
    signature: &HeadSignature,
) -> Result<bool, StoreError> {
    let sign = moved(tenant, head, Some(signature))
        .filter(Column::Sequence.eq(place(head.sequence)))
        .filter(Column::Hash.eq(head.hash.to_vec()));
    Ok(database.change(sign.exec(database.writer())).await?.rows_affected == 1)
}

/// Writes the hash and the signature of a head; its place is moved on by [`take_turn`].
pub(super) fn moved(tenant: &TenantId, head: &Head, signature: Option<&HeadSignature>) -> UpdateMany<Entity> {
    let written = signature.map(|signature| signature.signature.0.to_vec());
    let key = signature.map(|signature| signature.key.0.to_vec());
    Entity::update_many()
        .col_expr(Column::Hash, Expr::val(head.hash.to_vec()))
        .col_expr(Column::Signature, Expr::val(written))
        .col_expr(Column::SignedBy, Expr::val(key))
        .filter(Column::TenantId.eq(tenant.as_str()))
}

/// Moves the head of the chain on by one, and gives what it was before. Others wait here until the transaction ends.
pub(super) async fn take_turn<C: ConnectionTrait>(transaction: &C, tenant: &TenantId) -> Result<KeptHead, DbErr> {
    let start = ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        sequence: Set(0),
        hash: Set(Head::START.hash.to_vec()),
        signature: Set(None),
        signed_by: Set(None),
    };
    let insert = Entity::insert(start).on_conflict_do_nothing_on([Column::TenantId]);
    insert.exec_without_returning(transaction).await?;
    let moved = Entity::update_many()
        .col_expr(Column::Sequence, Expr::col(Column::Sequence).add(1))
        .filter(Column::TenantId.eq(tenant.as_str()));
    let rows = moved.exec_with_returning(transaction).await?;
    let Some(row) = rows.first() else { return Err(DbErr::RecordNotUpdated) };
    let before = Model { sequence: row.sequence - 1, ..row.clone() };
    restore_head(&before).map_err(|broken| DbErr::Custom(broken.to_string()))
}

pub(crate) fn restore_head(row: &Model) -> Result<KeptHead, StoreError> {
    let tenant = &row.tenant_id;
    let sequence = restore_place(HEADS, row.sequence, tenant)?;
    let head = Head { sequence, hash: restore_bytes(HEADS, "hash", &row.hash, tenant)? };
    let signature = match (&row.signature, &row.signed_by) {
        (Some(written), Some(key)) => Some(HeadSignature {
            key: KeyFingerprint(restore_bytes(HEADS, "signed_by", key, tenant)?),
            signature: Signature(restore_bytes(HEADS, "signature", written, tenant)?),
        }),
        (None, None) => None,
        _ => return Err(corrupt(HEADS, "signed_by", tenant, "is missing, or the signature is")),
    };
    Ok(KeptHead { head, signature })
}

pub(super) fn place(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

pub(super) fn restore_place(table: &'static str, sequence: i64, row: &str) -> Result<u64, StoreError> {
    u64::try_from(sequence).map_err(|broken| corrupt(table, "sequence", row, broken))
}

pub(super) fn restore_bytes<const BYTES: usize>(
    table: &'static str,
    column: &'static str,
    bytes: &[u8],
    row: &str,
) -> Result<[u8; BYTES], StoreError> {
    bytes.try_into().map_err(|_| corrupt(table, column, row, "has another length"))
}
