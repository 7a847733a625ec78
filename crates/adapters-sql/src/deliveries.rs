//! How far the delivery of each vocabulary is, in SQL: columns of the row that each change of a vocabulary writes.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    time::Timestamp,
    vocabulary::delivery::{
        Delivered, DeliveryFailure, DeliveryProgress, DeliveryStore, Failure, VocabularyEdition, latest_next_attempt,
    },
};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, QueryResult, Statement, Value};

use crate::{
    Database,
    columns::Columns,
    error::{Unread, corrupt},
    vocabularies::restore_columns,
};

const TABLE: &str = "configuration_versions";

/// Keeps in SQL how far deliveries are.
#[derive(Clone, Debug)]
pub struct SqlDeliveries(Database);

impl SqlDeliveries {
    /// Keeps it in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

const DUE: &str = "SELECT tenant_id FROM configuration_versions
    WHERE pending_since IS NOT NULL AND (next_attempt_at IS NULL OR next_attempt_at <= $1 OR next_attempt_at > $3)
    ORDER BY pending_since, tenant_id LIMIT $2";

/// The columns that [`decode_progress`] reads, in its order.
pub(crate) const PROGRESS_COLUMNS: &str =
    "vocabulary_version, pending_since, delivered_version, delivered_at, failures,
    failure, failed_at, next_attempt_at, tenant_id";

const PROGRESS: &str = "SELECT vocabulary_version, pending_since, delivered_version, delivered_at, failures, failure,
    failed_at, next_attempt_at FROM configuration_versions WHERE tenant_id = $1";

/// One statement, so that version and entries are of one moment.
const EDITION: &str = "SELECT c.vocabulary_version, c.changed_at, v.id, v.phrase, v.sounds_like, v.created_at
    FROM configuration_versions c LEFT JOIN vocabularies v ON v.tenant_id = c.tenant_id
    WHERE c.tenant_id = $1 ORDER BY v.id";

const NOTE_DELIVERY: &str = "UPDATE configuration_versions SET
        delivered_version = $2, delivered_at = $3, failures = 0, failure = NULL, failed_at = NULL,
        next_attempt_at = NULL, pending_since = CASE WHEN vocabulary_version > $2 THEN $4 END
    WHERE tenant_id = $1 AND (delivered_version IS NULL OR delivered_version < $2)";

const NOTE_FAILURE: &str = "UPDATE configuration_versions SET
        failures = failures + 1, failure = $2, failed_at = $3, next_attempt_at = $4
    WHERE tenant_id = $1 AND pending_since IS NOT NULL";

const BEGIN_AGAIN: &str = "UPDATE configuration_versions SET
        pending_since = COALESCE(pending_since, $1), delivered_version = NULL, delivered_at = NULL,
        failures = 0, failure = NULL, failed_at = NULL, next_attempt_at = NULL";

fn statement(db: &DatabaseConnection, sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(db.get_database_backend(), sql, values)
}

#[async_trait]
impl DeliveryStore for SqlDeliveries {
    async fn due(&self, now: Timestamp, most: u16) -> Result<Vec<TenantId>, StoreError> {
        let names = self.0.read(async |db| {
            let latest = latest_next_attempt(now).as_micros();
            let values = [now.as_micros().into(), i64::from(most).into(), latest.into()];
            let rows = db.query_all_raw(statement(db, DUE, values)).await?;
            rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<Vec<String>, DbErr>>()
        });
        let names = names.await?;
        let tenant = |name: &String| TenantId::parse(name).map_err(|broken| corrupt(TABLE, "tenant_id", name, broken));
        names.iter().map(tenant).collect()
    }

    async fn progress(&self, tenant: &TenantId) -> Result<DeliveryProgress, StoreError> {
        let found = self.0.read(async |db| {
            let row = db.query_one_raw(statement(db, PROGRESS, [tenant.as_str().into()])).await?;
            row.as_ref().map(ProgressRow::read).transpose()
        });
        found.await?.map_or_else(|| Ok(DeliveryProgress::default()), |row| row.restore(tenant))
    }

    async fn edition(&self, tenant: &TenantId) -> Result<VocabularyEdition, StoreError> {
        let rows = self.0.read(async |db| {
            let rows = db.query_all_raw(statement(db, EDITION, [tenant.as_str().into()])).await?;
            rows.iter().map(EditionRow::read).collect::<Result<Vec<_>, DbErr>>()
        });
        let rows = rows.await?;
        let Some(first) = rows.first() else {
            return Ok(VocabularyEdition { version: 0, changed_at: None, entries: Vec::new() });
        };
        let version = restore_version(first.version, "vocabulary_version", tenant)?;
        let changed_at = Some(moment(first.changed_at, "changed_at", tenant)?);
        let entries = rows.into_iter().filter_map(|row| row.entry);
        let entries = entries.map(|(id, phrase, sounds_like, at)| restore_columns(&id, phrase, &sounds_like, at));
        Ok(VocabularyEdition { version, changed_at, entries: entries.collect::<Result<_, _>>()? })
    }

    async fn note_delivery(
        &self,
        tenant: &TenantId,
        delivered: &Delivered,
        read_at: Timestamp,
    ) -> Result<(), StoreError> {
        let version = i64::try_from(delivered.version).unwrap_or(i64::MAX);
        let (at, read_at) = (delivered.at.as_micros(), read_at.as_micros());
        let db = self.0.writer();
        let values = [tenant.as_str().into(), version.into(), at.into(), read_at.into()];
        self.0.change(db.execute_raw(statement(db, NOTE_DELIVERY, values))).await.map(|_| ())
    }

    async fn note_failure(
        &self,
        tenant: &TenantId,
        failure: &Failure,
        next_attempt: Timestamp,
    ) -> Result<(), StoreError> {
        let (at, next) = (failure.at.as_micros(), next_attempt.as_micros());
        let db = self.0.writer();
        let values = [tenant.as_str().into(), failure.kind.word().into(), at.into(), next.into()];
        self.0.change(db.execute_raw(statement(db, NOTE_FAILURE, values))).await.map(|_| ())
    }

    async fn begin_again<'a>(&self, tenant: Option<&'a TenantId>, at: Timestamp) -> Result<u64, StoreError> {
        let db = self.0.writer();
        let at = at.as_micros();
        let again = match tenant {
            Some(tenant) => {
                let sql = format!("{BEGIN_AGAIN} WHERE tenant_id = $2");
                statement(db, &sql, [at.into(), tenant.as_str().into()])
            }
            None => statement(db, BEGIN_AGAIN, [at.into()]),
        };
        Ok(self.0.change(db.execute_raw(again)).await?.rows_affected())
    }
}

/// The columns of [`PROGRESS`].
struct ProgressRow {
    version: i64,
    pending_since: Option<i64>,
    delivered: (Option<i64>, Option<i64>),
    failures: i64,
    failure: (Option<String>, Option<i64>),
    next_attempt: Option<i64>,
}

impl ProgressRow {
    fn read(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self {
            version: row.try_get_by_index(0)?,
            pending_since: row.try_get_by_index(1)?,
            delivered: (row.try_get_by_index(2)?, row.try_get_by_index(3)?),
            failures: row.try_get_by_index(4)?,
            failure: (row.try_get_by_index(5)?, row.try_get_by_index(6)?),
            next_attempt: row.try_get_by_index(7)?,
        })
    }

    fn restore(self, tenant: &TenantId) -> Result<DeliveryProgress, StoreError> {
        let moment = |micros, column| moment(micros, column, tenant);
        let maybe = |micros: Option<i64>, column| micros.map(|micros| moment(micros, column)).transpose();
        let delivered = match self.delivered {
            (Some(version), Some(at)) => Some(Delivered {
                version: restore_version(version, "delivered_version", tenant)?,
                at: moment(at, "delivered_at")?,
            }),
            (None, None) => None,
            _ => return Err(corrupt(TABLE, "delivered_at", tenant.as_str(), "is missing, or the version is")),
        };
        let last_failure = match self.failure {
            (Some(word), Some(at)) => {
                Some(Failure { kind: restore_kind(&word, tenant)?, at: moment(at, "failed_at")? })
            }
            (None, None) => None,
            _ => return Err(corrupt(TABLE, "failed_at", tenant.as_str(), "is missing, or the kind is")),
        };
        Ok(DeliveryProgress {
            version: restore_version(self.version, "vocabulary_version", tenant)?,
            pending_since: maybe(self.pending_since, "pending_since")?,
            delivered,
            failures: u32::try_from(self.failures).unwrap_or(u32::MAX),
            last_failure,
            next_attempt: maybe(self.next_attempt, "next_attempt_at")?,
        })
    }
}

/// The columns of [`EDITION`]; no entry where the vocabulary has none.
struct EditionRow {
    version: i64,
    changed_at: i64,
    entry: Option<(String, String, String, i64)>,
}

impl EditionRow {
    fn read(row: &QueryResult) -> Result<Self, DbErr> {
        let id: Option<String> = row.try_get_by_index(2)?;
        let rest =
            |id| Ok::<_, DbErr>((id, row.try_get_by_index(3)?, row.try_get_by_index(4)?, row.try_get_by_index(5)?));
        Ok(Self {
            version: row.try_get_by_index(0)?,
            changed_at: row.try_get_by_index(1)?,
            entry: id.map(rest).transpose()?,
        })
    }
}

/// Decodes a row without keeping it.
pub(crate) fn decode_progress(row: &dyn Columns) -> Result<(), Unread> {
    let progress = ProgressRow {
        version: row.integer(0)?,
        pending_since: row.optional_integer(1)?,
        delivered: (row.optional_integer(2)?, row.optional_integer(3)?),
        failures: row.integer(4)?,
        failure: (row.optional_text(5)?.map(ToOwned::to_owned), row.optional_integer(6)?),
        next_attempt: row.optional_integer(7)?,
    };
    let tenant = row.text(8)?;
    let tenant = TenantId::parse(tenant).map_err(|broken| corrupt(TABLE, "tenant_id", tenant, broken))?;
    Ok(progress.restore(&tenant).map(|_| ())?)
}

fn moment(micros: i64, column: &'static str, tenant: &TenantId) -> Result<Timestamp, StoreError> {
    Timestamp::from_micros(micros).map_err(|broken| corrupt(TABLE, column, tenant.as_str(), broken))
}

fn restore_version(stored: i64, column: &'static str, tenant: &TenantId) -> Result<u64, StoreError> {
    u64::try_from(stored).map_err(|broken| corrupt(TABLE, column, tenant.as_str(), broken))
}

fn restore_kind(word: &str, tenant: &TenantId) -> Result<DeliveryFailure, StoreError> {
    DeliveryFailure::from_word(word)
        .ok_or_else(|| corrupt(TABLE, "failure", tenant.as_str(), "is no word of a failed delivery"))
}
