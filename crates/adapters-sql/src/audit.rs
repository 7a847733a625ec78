//! The audit log in SQL: chains are read here, and added to in the transactions of the changes that they record.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::{Action, AuditStore, Entry, Head, Record},
    error::StoreError,
    time::Timestamp,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Database,
    entity::{
        audit_head,
        audit_record::{ActiveModel, Column, Entity, Model},
    },
    error::corrupt,
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

#[async_trait]
impl AuditStore for SqlAudit {
    async fn heads(&self) -> Result<Vec<(TenantId, Head)>, StoreError> {
        let all = <audit_head::Entity as EntityTrait>::find().order_by_asc(audit_head::Column::TenantId);
        self.0.read(|db| all.clone().all(db)).await?.iter().map(restore_head).collect()
    }

    async fn records(&self, tenant: &TenantId, after: u64, limit: u32) -> Result<Vec<Record>, StoreError> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let page = of(tenant).filter(Column::Sequence.gt(after)).order_by_asc(Column::Sequence).limit(u64::from(limit));
        self.0.read(|db| page.clone().all(db)).await?.iter().map(restore).collect()
    }
}

/// Adds the record of a change to its tenant's chain, in the transaction that makes the change.
pub(crate) async fn add(transaction: &DatabaseTransaction, tenant: &TenantId, entry: Entry) -> Result<(), DbErr> {
    let head = take_turn(transaction, tenant).await?;
    let record = head.next(tenant, entry);
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
    let moved = audit_head::Entity::update_many()
        .col_expr(audit_head::Column::Hash, Expr::val(record.hash.to_vec()))
        .filter(audit_head::Column::TenantId.eq(tenant.as_str()));
    moved.exec(transaction).await.map(|_| ())
}

/// Moves the head of the chain on by one, and gives what it was before. Others wait here until the transaction ends.
async fn take_turn(transaction: &DatabaseTransaction, tenant: &TenantId) -> Result<Head, DbErr> {
    let start = audit_head::ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        sequence: Set(0),
        hash: Set(Head::START.hash.to_vec()),
    };
    let insert = audit_head::Entity::insert(start).on_conflict_do_nothing_on([audit_head::Column::TenantId]);
    insert.exec_without_returning(transaction).await?;
    let moved = audit_head::Entity::update_many()
        .col_expr(audit_head::Column::Sequence, Expr::col(audit_head::Column::Sequence).add(1))
        .filter(audit_head::Column::TenantId.eq(tenant.as_str()));
    let rows = moved.exec_with_returning(transaction).await?;
    let Some(row) = rows.first() else { return Err(DbErr::RecordNotUpdated) };
    let hash =
        row.hash.as_slice().try_into().map_err(|_| DbErr::Custom("the head of a chain is corrupt".to_owned()))?;
    Ok(Head { sequence: u64::try_from(row.sequence - 1).unwrap_or_default(), hash })
}

fn place(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

pub(crate) fn restore_head(row: &audit_head::Model) -> Result<(TenantId, Head), StoreError> {
    let tenant = &row.tenant_id;
    let name = TenantId::parse(tenant).map_err(|broken| corrupt(HEADS, "tenant_id", tenant, broken))?;
    let sequence = restore_place(HEADS, row.sequence, tenant)?;
    Ok((name, Head { sequence, hash: restore_hash(HEADS, "hash", &row.hash, tenant)? }))
}

pub(crate) fn restore(row: &Model) -> Result<Record, StoreError> {
    let id = &row.sequence.to_string();
    let at = Timestamp::from_micros(row.recorded_at).map_err(|broken| corrupt(RECORDS, "recorded_at", id, broken))?;
    let action = Action::parse(&row.action).map_err(|broken| corrupt(RECORDS, "action", id, broken))?;
    Ok(Record {
        sequence: restore_place(RECORDS, row.sequence, id)?,
        entry: Entry { at, action, subject: row.subject.clone(), details: row.details.clone() },
        previous: restore_hash(RECORDS, "previous", &row.previous, id)?,
        hash: restore_hash(RECORDS, "hash", &row.hash, id)?,
    })
}

fn restore_place(table: &'static str, sequence: i64, row: &str) -> Result<u64, StoreError> {
    u64::try_from(sequence).map_err(|broken| corrupt(table, "sequence", row, broken))
}

fn restore_hash(table: &'static str, column: &'static str, bytes: &[u8], row: &str) -> Result<[u8; 32], StoreError> {
    bytes.try_into().map_err(|_| corrupt(table, column, row, "must have 32 bytes"))
}
