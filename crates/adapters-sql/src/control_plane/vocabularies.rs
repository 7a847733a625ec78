//! Vocabularies in SQL.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    feed::VocabularyChangeKind,
    id::VocabularyEntryId,
    idempotency::IdempotencyRecord,
    time::Timestamp,
    vocabulary::{
        Alternative, Capacity, Cursor, InsertOutcome, PageSize, Phrase, RemoveOutcome, SoundsLike, VocabularyEntry,
        VocabularyPage, VocabularyStore,
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
    control_plane::{
        entities::{
            tenant_scope::tenant_rows,
            vocabulary::{ActiveModel, Column, Entity, Model},
            vocabulary_delivery,
        },
        vocabulary_changes::record_change,
    },
    data_plane::idempotency,
    error::corrupt,
};

const TABLE: &str = "vocabularies";

/// Stores vocabularies in SQL.
///
/// A change first writes the tenant's row in `vocabulary_delivery`, which locks the row until the transaction ends.
/// So the changes of one vocabulary run one after another, and the number of entries that a change counts is still
/// correct when it commits. A refused change is rolled back, together with its version.
#[derive(Clone, Debug)]
pub struct SqlVocabularies(Database);

impl SqlVocabularies {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// The rows on the cursor's side of its boundary, nearest first.
fn rows_from_boundary(tenant: &TenantId, cursor: &Cursor) -> Select<Entity> {
    match cursor {
        Cursor::From(boundary) => {
            tenant_rows::<Entity>(tenant).filter(Column::Id.gte(boundary.as_str())).order_by_asc(Column::Id)
        }
        Cursor::Before(boundary) => {
            tenant_rows::<Entity>(tenant).filter(Column::Id.lt(boundary.as_str())).order_by_desc(Column::Id)
        }
    }
}

/// Begins a change of a tenant's vocabulary, and [increments its version](increment_version).
async fn begin_change(
    database: &Database,
    tenant: &TenantId,
    changed_at: Timestamp,
) -> Result<DatabaseTransaction, DbErr> {
    let transaction = database.begin().await?;
    increment_version(&transaction, tenant, changed_at).await?;
    Ok(transaction)
}

/// Waits for the changes of a tenant's vocabulary that are in progress, increments its version, and makes the
/// delivery pending. The upsert is
/// [`after_change`](parlance_domain::vocabulary::delivery::DeliveryProgress::after_change) in one statement, because
/// it also takes the lock of the transaction.
pub(super) async fn increment_version(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    changed_at: Timestamp,
) -> Result<(), DbErr> {
    use vocabulary_delivery::{ActiveModel, Column, Entity};

    let first = ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        vocabulary_version: Set(1),
        changed_at: Set(changed_at.as_micros()),
        pending_since: Set(Some(changed_at.as_micros())),
    };
    let increment = OnConflict::column(Column::TenantId)
        .value(Column::VocabularyVersion, Expr::col((Entity, Column::VocabularyVersion)).add(1))
        .update_column(Column::ChangedAt)
        .value(Column::PendingSince, Expr::col((Entity, Column::PendingSince)).if_null(changed_at.as_micros()))
        .to_owned();
    Entity::insert(first).on_conflict(increment).exec_without_returning(transaction).await.map(drop)
}

/// Ends a change: commits it or rolls it back.
async fn end_change(transaction: DatabaseTransaction, commit: bool) -> Result<(), DbErr> {
    if commit { transaction.commit().await } else { transaction.rollback().await }
}

async fn insert(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    entry: &VocabularyEntry,
    capacity: Capacity,
) -> Result<InsertOutcome, DbErr> {
    let unique_key = [Column::TenantId, Column::Phrase];
    let insert = Entity::insert(row(tenant, entry)).on_conflict_do_nothing_on(unique_key);
    match insert.exec_without_returning(transaction).await? {
        TryInsertResult::Inserted(1..) => {}
        TryInsertResult::Inserted(0) | TryInsertResult::Conflicted | TryInsertResult::Empty => {
            return Ok(InsertOutcome::PhraseTaken);
        }
    }
    let entries = tenant_rows::<Entity>(tenant).count(transaction).await?;
    Ok(if entries > capacity.entries().into() { InsertOutcome::Full } else { InsertOutcome::Inserted })
}

#[async_trait]
impl VocabularyStore for SqlVocabularies {
    #[tracing::instrument(level = "debug", name = "sql.vocabularies.insert", skip_all, fields(%tenant))]
    async fn insert<'a>(
        &self,
        tenant: &TenantId,
        entry: &VocabularyEntry,
        capacity: Capacity,
        record: Option<&'a IdempotencyRecord>,
    ) -> Result<InsertOutcome, StoreError> {
        let change = async {
            let transaction = begin_change(&self.0, tenant, entry.created_at).await?;
            let outcome = match record {
                Some(record) if !idempotency::insert(&transaction, tenant, record).await? => InsertOutcome::KeyTaken,
                _ => insert(&transaction, tenant, entry, capacity).await?,
            };
            record_change(&transaction, tenant, &entry.id, VocabularyChangeKind::Added, entry.created_at).await?;
            end_change(transaction, outcome == InsertOutcome::Inserted).await?;
            Ok(outcome)
        };
        self.0.write(change).await
    }

    #[tracing::instrument(level = "debug", name = "sql.vocabularies.find", skip_all, fields(%tenant))]
    async fn find(&self, tenant: &TenantId, id: &VocabularyEntryId) -> Result<Option<VocabularyEntry>, StoreError> {
        let row = self.0.read(|db| tenant_rows::<Entity>(tenant).filter(Column::Id.eq(id.as_str())).one(db));
        row.await?.map(restore).transpose()
    }

    #[tracing::instrument(level = "debug", name = "sql.vocabularies.page", skip_all, fields(%tenant))]
    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a Cursor>,
        size: PageSize,
    ) -> Result<VocabularyPage, StoreError> {
        let page = cursor.map_or_else(
            || tenant_rows::<Entity>(tenant).order_by_asc(Column::Id),
            |cursor| rows_from_boundary(tenant, cursor),
        );
        let page = page.limit(u64::from(size.get()) + 1);
        let queries = self.0.read(async |db| {
            let rows = page.clone().all(db).await?;
            let has_opposite = match cursor {
                Some(cursor) => rows_from_boundary(tenant, &cursor.opposite()).one(db).await?.is_some(),
                None => false,
            };
            Ok((rows, has_opposite))
        });
        let (rows, has_opposite) = queries.await?;
        let entries = rows.into_iter().map(restore).collect::<Result<_, _>>()?;
        Ok(VocabularyPage::from_rows(cursor, size, entries, has_opposite))
    }

    #[tracing::instrument(level = "debug", name = "sql.vocabularies.remove", skip_all, fields(%tenant))]
    async fn remove(
        &self,
        tenant: &TenantId,
        id: &VocabularyEntryId,
        at: Timestamp,
    ) -> Result<RemoveOutcome, StoreError> {
        let delete =
            Entity::delete_many().filter(Column::TenantId.eq(tenant.as_str())).filter(Column::Id.eq(id.as_str()));
        let change = async {
            let transaction = begin_change(&self.0, tenant, at).await?;
            record_change(&transaction, tenant, id, VocabularyChangeKind::Removed, at).await?;
            let removed = delete.exec(&transaction).await?.rows_affected > 0;
            end_change(transaction, removed).await?;
            Ok(if removed { RemoveOutcome::Removed } else { RemoveOutcome::NotFound })
        };
        self.0.write(change).await
    }
}

fn row(tenant: &TenantId, entry: &VocabularyEntry) -> ActiveModel {
    let alternatives: Vec<_> = entry.sounds_like.alternatives().iter().map(Alternative::as_str).collect();
    ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        id: Set(entry.id.as_str().to_owned()),
        phrase: Set(entry.phrase.as_str().to_owned()),
        // A list of strings always serializes.
        sounds_like: Set(serde_json::to_string(&alternatives).unwrap_or_default()),
        created_at: Set(entry.created_at.as_micros()),
    }
}

/// The columns of an entry, without its tenant.
pub(crate) struct EntryColumns<Text> {
    pub(crate) id: Text,
    pub(crate) phrase: Text,
    pub(crate) sounds_like: Text,
    pub(crate) created_at: i64,
}

impl<Text: AsRef<str> + Into<String>> EntryColumns<Text> {
    /// Decodes the entry.
    pub(crate) fn restore(self) -> Result<VocabularyEntry, StoreError> {
        let id = self.id.as_ref();
        let created_at = Timestamp::from_micros(self.created_at);
        Ok(VocabularyEntry {
            phrase: Phrase::parse(self.phrase).map_err(|error| corrupt(TABLE, "phrase", id, error))?,
            sounds_like: restore_sounds_like(self.sounds_like.as_ref(), id)?,
            created_at: created_at.map_err(|error| corrupt(TABLE, "created_at", id, error))?,
            id: VocabularyEntryId::parse(id).map_err(|error| corrupt(TABLE, "id", id, error))?,
        })
    }
}

fn restore(row: Model) -> Result<VocabularyEntry, StoreError> {
    let Model { id, phrase, sounds_like, created_at, .. } = row;
    EntryColumns { id, phrase, sounds_like, created_at }.restore()
}

fn restore_sounds_like(text: &str, row: &str) -> Result<SoundsLike, StoreError> {
    // The parser's own error could quote the text.
    let texts: Vec<String> =
        serde_json::from_str(text).map_err(|_| corrupt(TABLE, "sounds_like", row, "is not a JSON list of strings"))?;
    let alternatives = texts.into_iter().map(Alternative::parse).collect::<Result<_, _>>();
    alternatives.and_then(SoundsLike::new).map_err(|error| corrupt(TABLE, "sounds_like", row, error))
}
