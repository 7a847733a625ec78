//! The heads of the audit chains, with their signatures.

use parlance_domain::{
    access::TenantId,
    audit::{ChainHead, HeadSignature, StoredHead},
    error::StoreError,
    signing::KeyFingerprint,
};
use sea_orm::{ColumnTrait, FromQueryResult, QueryFilter, Statement};

use crate::{
    Database,
    control_plane::{
        audit::{
            columns::{restore_bytes, sequence_to_i64},
            head_rows::{TABLE, restore_head, update_head},
        },
        entities::{
            audit_head::{Column, Entity},
            tenant_scope::tenant_rows,
        },
    },
};

/// The fingerprints of all keys that signed a stored head, of any tenant.
const SELECT_SIGNING_KEYS: &str = "SELECT DISTINCT signed_by FROM audit_heads WHERE signed_by IS NOT NULL";

#[derive(FromQueryResult)]
struct KeyRow {
    signed_by: Vec<u8>,
}

pub(super) async fn find(database: &Database, tenant: &TenantId) -> Result<Option<StoredHead>, StoreError> {
    database.read(|db| tenant_rows::<Entity>(tenant).one(db)).await?.as_ref().map(restore_head).transpose()
}

pub(super) async fn keys(database: &Database) -> Result<Vec<KeyFingerprint>, StoreError> {
    let statement = Statement::from_string(database.reader().get_database_backend(), SELECT_SIGNING_KEYS);
    let rows = database.read(|db| KeyRow::find_by_statement(statement.clone()).all(db)).await?;
    rows.iter().map(|row| restore_bytes(TABLE, "signed_by", &row.signed_by, "-").map(KeyFingerprint)).collect()
}

pub(super) async fn sign(
    database: &Database,
    tenant: &TenantId,
    head: &ChainHead,
    signature: &HeadSignature,
) -> Result<bool, StoreError> {
    let sign = update_head(tenant, head, Some(signature))
        .filter(Column::Sequence.eq(sequence_to_i64(head.sequence)))
        .filter(Column::Hash.eq(head.hash.to_vec()));
    Ok(database.write(sign.exec(database.writer())).await?.rows_affected == 1)
}
