//! The audit log in SQL: chains are read here, and added to in the transactions of the changes that they record.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::{Action, AuditStore, Entry, Head, HeadSignature, KeptHead, Operator, Record},
    error::StoreError,
    signing::{KeyFingerprint, Signature, Signer},
    time::Timestamp,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select, Statement, UpdateMany,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Database,
    entity::{
        audit_head,
        audit_record::{ActiveModel, Column, Entity, Model},
    },
    error::{call, corrupt},
};

const RECORDS: &str = "audit_records";
const HEADS: &str = "audit_heads";

/// Keeps the audit log in SQL.
#[derive(Clone, Debug)]
pub struct SqlAudit(Database);

impl SqlAudit {
    /// Keeps it in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// The one way to this table: a tenant's rows.
fn of(tenant: &TenantId) -> Select<Entity> {
    Entity::find().filter(Column::TenantId.eq(tenant.as_str()))
}

/// Each tenant that anything in these tables is of. The tables are read, and not judged.
const TENANTS: &str = "SELECT tenant_id FROM audit_records UNION SELECT tenant_id FROM audit_heads
    UNION SELECT tenant_id FROM credentials UNION SELECT tenant_id FROM redaction_flags
    UNION SELECT tenant_id FROM redaction_audit ORDER BY 1";

#[derive(FromQueryResult)]
struct TenantRow {
    tenant_id: String,
}

#[derive(FromQueryResult)]
struct KeyRow {
    signed_by: Vec<u8>,
}

#[async_trait]
impl AuditStore for SqlAudit {
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        let reader = self.0.reader();
        let statement = Statement::from_string(reader.get_database_backend(), TENANTS);
        let rows = call(TenantRow::find_by_statement(statement).all(reader)).await?;
        rows.iter().map(|row| restore_tenant(RECORDS, &row.tenant_id)).collect()
    }

    async fn head(&self, tenant: &TenantId) -> Result<Option<KeptHead>, StoreError> {
        let query = audit_head::Entity::find().filter(audit_head::Column::TenantId.eq(tenant.as_str()));
        call(query.one(self.0.reader())).await?.as_ref().map(restore_head).transpose()
    }

    async fn count(&self, tenant: &TenantId) -> Result<u64, StoreError> {
        call(of(tenant).count(self.0.reader())).await
    }

    async fn records(&self, tenant: &TenantId, after: u64, limit: u32) -> Result<Vec<Record>, StoreError> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let page = of(tenant).filter(Column::Sequence.gt(after)).order_by_asc(Column::Sequence).limit(u64::from(limit));
        call(page.all(self.0.reader())).await?.iter().map(restore).collect()
    }

    async fn keys(&self) -> Result<Vec<KeyFingerprint>, StoreError> {
        let signed = audit_head::Entity::find().select_only().column(audit_head::Column::SignedBy).distinct();
        let signed = signed.filter(audit_head::Column::SignedBy.is_not_null());
        let rows = call(signed.into_model::<KeyRow>().all(self.0.reader())).await?;
        rows.iter().map(|row| restore_bytes(HEADS, "signed_by", &row.signed_by, "-").map(KeyFingerprint)).collect()
    }

    async fn sign(&self, tenant: &TenantId, head: &Head, signature: &HeadSignature) -> Result<bool, StoreError> {
        let sign = moved(tenant, head, Some(signature))
            .filter(audit_head::Column::Sequence.eq(place(head.sequence)))
            .filter(audit_head::Column::Hash.eq(head.hash.to_vec()));
        Ok(call(sign.exec(self.0.writer())).await?.rows_affected == 1)
    }
}

/// With what records are added: the key that signs heads, and who runs the command that adds them.
#[derive(Clone, Default)]
pub(crate) struct Recording {
    pub(crate) signer: Option<Arc<dyn Signer>>,
    pub(crate) operator: Option<Operator>,
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { signer, operator } = self;
        f.debug_struct("Recording").field("signs", &signer.is_some()).field("operator", operator).finish()
    }
}

impl Recording {
    /// Adds the record of a change to its tenant's chain, in the transaction that makes the change.
    pub(crate) async fn add<C: ConnectionTrait>(
        &self,
        transaction: &C,
        tenant: &TenantId,
        entry: Entry,
    ) -> Result<(), DbErr> {
        let before = take_turn(transaction, tenant).await?;
        let entry = self.operator.iter().fold(entry, Entry::run_by);
        let (record, after) = before
            .append(tenant, entry, self.signer.as_deref())
            .map_err(|key_needed| DbErr::Custom(key_needed.to_string()))?;
        let row = ActiveModel {
            tenant_id: Set(tenant.as_str().to_owned()),
            sequence: Set(place(record.sequence)),
            recorded_at: Set(record.entry.at.as_micros()),
            action: Set(record.entry.action.as_str().to_owned()),
            subject: Set(record.entry.subject),
            details: Set(record.entry.details),
            previous: Set(record.previous.to_vec()),
            hash: Set(record.hash.to_vec()),
        };
        Entity::insert(row).exec_without_returning(transaction).await?;
        moved(tenant, &after.head, after.signature.as_ref()).exec(transaction).await.map(|_| ())
    }
}

/// Writes the hash and the signature of a head; its place is moved on by [`take_turn`].
fn moved(tenant: &TenantId, head: &Head, signature: Option<&HeadSignature>) -> UpdateMany<audit_head::Entity> {
    let written = signature.map(|signature| signature.signature.0.to_vec());
    let key = signature.map(|signature| signature.key.0.to_vec());
    audit_head::Entity::update_many()
        .col_expr(audit_head::Column::Hash, Expr::val(head.hash.to_vec()))
        .col_expr(audit_head::Column::Signature, Expr::val(written))
        .col_expr(audit_head::Column::SignedBy, Expr::val(key))
        .filter(audit_head::Column::TenantId.eq(tenant.as_str()))
}

/// Moves the head of the chain on by one, and gives what it was before. Others wait here until the transaction ends.
async fn take_turn<C: ConnectionTrait>(transaction: &C, tenant: &TenantId) -> Result<KeptHead, DbErr> {
    let start = audit_head::ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        sequence: Set(0),
        hash: Set(Head::START.hash.to_vec()),
        signature: Set(None),
        signed_by: Set(None),
    };
    let insert = audit_head::Entity::insert(start).on_conflict_do_nothing_on([audit_head::Column::TenantId]);
    insert.exec_without_returning(transaction).await?;
    let moved = audit_head::Entity::update_many()
        .col_expr(audit_head::Column::Sequence, Expr::col(audit_head::Column::Sequence).add(1))
        .filter(audit_head::Column::TenantId.eq(tenant.as_str()));
    let rows = moved.exec_with_returning(transaction).await?;
    let Some(row) = rows.first() else { return Err(DbErr::RecordNotUpdated) };
    let before = audit_head::Model { sequence: row.sequence - 1, ..row.clone() };
    restore_head(&before).map_err(|broken| DbErr::Custom(broken.to_string()))
}

fn place(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

fn restore_tenant(table: &'static str, name: &str) -> Result<TenantId, StoreError> {
    TenantId::parse(name).map_err(|broken| corrupt(table, "tenant_id", name, broken))
}

fn restore_head(row: &audit_head::Model) -> Result<KeptHead, StoreError> {
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

fn restore(row: &Model) -> Result<Record, StoreError> {
    let id = &row.sequence.to_string();
    let at = Timestamp::from_micros(row.recorded_at).map_err(|broken| corrupt(RECORDS, "recorded_at", id, broken))?;
    let action = Action::of_word(&row.action);
    Ok(Record {
        sequence: restore_place(RECORDS, row.sequence, id)?,
        entry: Entry { at, action, subject: row.subject.clone(), details: row.details.clone() },
        previous: restore_bytes(RECORDS, "previous", &row.previous, id)?,
        hash: restore_bytes(RECORDS, "hash", &row.hash, id)?,
    })
}

fn restore_place(table: &'static str, sequence: i64, row: &str) -> Result<u64, StoreError> {
    u64::try_from(sequence).map_err(|broken| corrupt(table, "sequence", row, broken))
}

fn restore_bytes<const BYTES: usize>(
    table: &'static str,
    column: &'static str,
    bytes: &[u8],
    row: &str,
) -> Result<[u8; BYTES], StoreError> {
    bytes.try_into().map_err(|_| corrupt(table, column, row, "has another length"))
}
