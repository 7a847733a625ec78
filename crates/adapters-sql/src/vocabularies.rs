//! Vocabularies in SQL.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    feed::VocabularyChangeKind,
    id::VocabularyId,
    retry::Receipt,
    time::Timestamp,
    vocabulary::{
        Admission, Alternative, Capacity, Cursor, PageSize, Phrase, Removal, SoundsLike, Vocabulary, VocabularyPage,
        VocabularyStore,
    },
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    TryInsertResult,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use crate::{
    Database,
    entity::{
        configuration_version,
        vocabulary::{ActiveModel, Column, Entity, Model},
    },
    error::corrupt,
    receipts,
    vocabulary_changes::note,
};

const TABLE: &str = "vocabularies";

/// Keeps vocabularies in SQL.
///
/// A change first writes the tenant's row of versions, and with that holds it until its transaction ends: changes of
/// one vocabulary take turns, so what one of them counts stays true until it commits. Whatever is refused is rolled
/// back, the version with it.
#[derive(Clone, Debug)]
pub struct SqlVocabularies(Database);

impl SqlVocabularies {
    /// Keeps them in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// The one way to this table: a tenant's rows.
fn of(tenant: &TenantId) -> Select<Entity> {
    Entity::find().filter(Column::TenantId.eq(tenant.as_str()))
}

/// The rows on a cursor's side of its cut, the nearest first.
fn from_cut(tenant: &TenantId, cursor: &Cursor) -> Select<Entity> {
    match cursor {
        Cursor::From(cut) => of(tenant).filter(Column::Id.gte(cut.as_str())).order_by_asc(Column::Id),
        Cursor::Before(cut) => of(tenant).filter(Column::Id.lt(cut.as_str())).order_by_desc(Column::Id),
    }
}

/// Begins a change of a tenant's vocabulary: waits for those that are under way, counts the version up, and notes that
/// it is to be delivered.
async fn begin(database: &Database, tenant: &TenantId, at: Timestamp) -> Result<DatabaseTransaction, DbErr> {
    use configuration_version::{ActiveModel, Column, Entity};

    let transaction = database.begin().await?;
    let first = ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        vocabulary_version: Set(1),
        changed_at: Set(at.as_micros()),
        pending_since: Set(Some(at.as_micros())),
    };
    let next = OnConflict::column(Column::TenantId)
        .value(Column::VocabularyVersion, Expr::col((Entity, Column::VocabularyVersion)).add(1))
        .update_column(Column::ChangedAt)
        .value(Column::PendingSince, Expr::col((Entity, Column::PendingSince)).if_null(at.as_micros()))
        .to_owned();
    Entity::insert(first).on_conflict(next).exec_without_returning(&transaction).await?;
    Ok(transaction)
}

/// Keeps what a change did where it is to be kept.
async fn end(transaction: DatabaseTransaction, keep: bool) -> Result<(), DbErr> {
    if keep { transaction.commit().await } else { transaction.rollback().await }
}

async fn insert(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    entry: &Vocabulary,
    capacity: Capacity,
) -> Result<Admission, DbErr> {
    let taken = [Column::TenantId, Column::Phrase];
    let insert = Entity::insert(row(tenant, entry)).on_conflict_do_nothing_on(taken);
    match insert.exec_without_returning(transaction).await? {
        TryInsertResult::Inserted(1..) => {}
        TryInsertResult::Inserted(0) | TryInsertResult::Conflicted | TryInsertResult::Empty => {
            return Ok(Admission::PhraseTaken);
        }
    }
    let entries = of(tenant).count(transaction).await?;
    Ok(if entries > capacity.entries().into() { Admission::Full } else { Admission::Admitted })
}

#[async_trait]
impl VocabularyStore for SqlVocabularies {
    async fn admit<'a>(
        &self,
        tenant: &TenantId,
        entry: &Vocabulary,
        capacity: Capacity,
        receipt: Option<&'a Receipt>,
    ) -> Result<Admission, StoreError> {
        let change = async {
            let transaction = begin(&self.0, tenant, entry.created_at).await?;
            let admission = match receipt {
                Some(receipt) if !receipts::keep(&transaction, tenant, receipt).await? => Admission::Repeated,
                _ => insert(&transaction, tenant, entry, capacity).await?,
            };
            note(&transaction, tenant, &entry.id, VocabularyChangeKind::Added, entry.created_at).await?;
            end(transaction, admission == Admission::Admitted).await?;
            Ok(admission)
        };
        self.0.call(change).await
    }

    async fn find(&self, tenant: &TenantId, id: &VocabularyId) -> Result<Option<Vocabulary>, StoreError> {
        let query = of(tenant).filter(Column::Id.eq(id.as_str()));
        self.0.call(query.one(self.0.reader())).await?.map(restore).transpose()
    }

    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a Cursor>,
        size: PageSize,
    ) -> Result<VocabularyPage, StoreError> {
        let ahead = cursor.map_or_else(|| of(tenant).order_by_asc(Column::Id), |cursor| from_cut(tenant, cursor));
        let ahead = ahead.limit(u64::from(size.get()) + 1);
        let queries = async {
            let found = ahead.all(self.0.reader()).await?;
            let behind = match cursor {
                Some(cursor) => from_cut(tenant, &cursor.turned()).one(self.0.reader()).await?.is_some(),
                None => false,
            };
            Ok((found, behind))
        };
        let (found, behind) = self.0.call(queries).await?;
        let found = found.into_iter().map(restore).collect::<Result<_, _>>()?;
        Ok(VocabularyPage::at(cursor, size, found, behind))
    }

    async fn remove(&self, tenant: &TenantId, id: &VocabularyId, at: Timestamp) -> Result<Removal, StoreError> {
        let delete =
            Entity::delete_many().filter(Column::TenantId.eq(tenant.as_str())).filter(Column::Id.eq(id.as_str()));
        let change = async {
            let transaction = begin(&self.0, tenant, at).await?;
            note(&transaction, tenant, id, VocabularyChangeKind::Removed, at).await?;
            let removed = delete.exec(&transaction).await?.rows_affected > 0;
            end(transaction, removed).await?;
            Ok(if removed { Removal::Removed } else { Removal::Absent })
        };
        self.0.call(change).await
    }
}

fn row(tenant: &TenantId, entry: &Vocabulary) -> ActiveModel {
    let alternatives: Vec<_> = entry.sounds_like.alternatives().iter().map(Alternative::as_str).collect();
    ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        id: Set(entry.id.as_str().to_owned()),
        phrase: Set(entry.phrase.as_str().to_owned()),
        // A list of texts always has a JSON form.
        sounds_like: Set(serde_json::to_string(&alternatives).unwrap_or_default()),
        created_at: Set(entry.created_at.as_micros()),
    }
}

pub(crate) fn restore(row: Model) -> Result<Vocabulary, StoreError> {
    restore_columns(&row.id, row.phrase, &row.sounds_like, row.created_at)
}

pub(crate) fn restore_columns(
    id: &str,
    phrase: String,
    sounds_like: &str,
    created_at: i64,
) -> Result<Vocabulary, StoreError> {
    Ok(Vocabulary {
        phrase: Phrase::parse(phrase).map_err(|broken| corrupt(TABLE, "phrase", id, broken))?,
        sounds_like: restore_sounds_like(sounds_like, id)?,
        created_at: Timestamp::from_micros(created_at).map_err(|broken| corrupt(TABLE, "created_at", id, broken))?,
        id: VocabularyId::parse(id).map_err(|broken| corrupt(TABLE, "id", id, broken))?,
    })
}

fn restore_sounds_like(text: &str, row: &str) -> Result<SoundsLike, StoreError> {
    // The parser's own message would repeat a part of the text.
    let texts: Vec<String> =
        serde_json::from_str(text).map_err(|_| corrupt(TABLE, "sounds_like", row, "not a list of texts"))?;
    let alternatives = texts.into_iter().map(Alternative::parse).collect::<Result<_, _>>();
    alternatives.and_then(SoundsLike::new).map_err(|broken| corrupt(TABLE, "sounds_like", row, broken))
}
