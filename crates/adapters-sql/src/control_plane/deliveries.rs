//! The progress of deliveries in SQL. The columns are in the row that each change of a vocabulary also writes.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    time::Timestamp,
    vocabulary::delivery::{
        AttemptFailure, DeliveredVersion, DeliveryErrorKind, DeliveryProgress, DeliveryStore, VocabularySnapshot,
        latest_next_attempt,
    },
};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};

use crate::{
    Database,
    control_plane::{statements::statement, vocabularies::EntryColumns},
    error::{ReadError, corrupt},
    row::Row,
};

const TABLE: &str = "vocabulary_delivery";

/// Stores the progress of deliveries in SQL.
#[derive(Clone, Debug)]
pub struct SqlDeliveries(Database);

impl SqlDeliveries {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }

    /// The tenants that a statement selects.
    async fn read_tenants(&self, sql: &str, values: &[Value]) -> Result<Vec<TenantId>, StoreError> {
        let names = self.0.read(async |db| {
            let rows = db.query_all_raw(statement(db, sql, values.iter().cloned())).await?;
            rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<Vec<String>, DbErr>>()
        });
        names.await?.iter().map(|name| restore_tenant(name)).collect()
    }
}

const SELECT_DUE: &str = "SELECT tenant_id FROM vocabulary_delivery
    WHERE pending_since IS NOT NULL AND (next_attempt_at IS NULL OR next_attempt_at <= $1 OR next_attempt_at > $3)
    ORDER BY pending_since, tenant_id LIMIT $2";

macro_rules! progress_columns {
    () => {
        "vocabulary_version, pending_since, delivered_version, delivered_at, failures, failure, failed_at, \
         next_attempt_at, tenant_id"
    };
}

/// The columns that [`ProgressRow::read`] and [`decode_progress`] read, in this order.
pub(crate) const PROGRESS_COLUMNS: &str = progress_columns!();

const SELECT_PROGRESS: &str = concat!("SELECT ", progress_columns!(), " FROM vocabulary_delivery WHERE tenant_id = $1");

/// One statement, so that the version and the entries come from one snapshot.
const SELECT_SNAPSHOT: &str = "SELECT c.vocabulary_version, c.changed_at, v.id, v.phrase, v.sounds_like, v.created_at
    FROM vocabulary_delivery c LEFT JOIN vocabularies v ON v.tenant_id = c.tenant_id
    WHERE c.tenant_id = $1 ORDER BY v.id";

const SELECT_TENANTS: &str = "SELECT tenant_id FROM vocabulary_delivery ORDER BY tenant_id";

/// [`DeliveryProgress::compare_and_set`]: the columns of the next progress, then those of the expected one.
const COMPARE_AND_SET: &str = "UPDATE vocabulary_delivery SET
        pending_since = $2, delivered_version = $3, delivered_at = $4, failures = $5, failure = $6, failed_at = $7,
        next_attempt_at = $8
    WHERE tenant_id = $1 AND (vocabulary_version = $9 OR (vocabulary_version > $9 AND $2 IS NOT NULL))
        AND (pending_since, delivered_version, delivered_at, failures, failure, failed_at, next_attempt_at)
            IS NOT DISTINCT FROM ($10, $11, $12, $13, $14, $15, $16)";

#[async_trait]
impl DeliveryStore for SqlDeliveries {
    #[tracing::instrument(level = "debug", name = "sql.deliveries.due", skip_all)]
    async fn due(&self, now: Timestamp, limit: u16) -> Result<Vec<TenantId>, StoreError> {
        let latest = latest_next_attempt(now).as_micros();
        self.read_tenants(SELECT_DUE, &[now.as_micros().into(), i64::from(limit).into(), latest.into()]).await
    }

    #[tracing::instrument(level = "debug", name = "sql.deliveries.tenants", skip_all)]
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        self.read_tenants(SELECT_TENANTS, &[]).await
    }

    #[tracing::instrument(level = "debug", name = "sql.deliveries.progress", skip_all, fields(%tenant))]
    async fn progress(&self, tenant: &TenantId) -> Result<DeliveryProgress, StoreError> {
        let row = self.0.read(async |db| {
            let row = db.query_one_raw(statement(db, SELECT_PROGRESS, [tenant.as_str().into()])).await?;
            row.as_ref().map(ProgressRow::read).transpose()
        });
        row.await?.map_or_else(|| Ok(DeliveryProgress::default()), |row| row.restore(tenant))
    }

    #[tracing::instrument(level = "debug", name = "sql.deliveries.snapshot", skip_all, fields(%tenant))]
    async fn snapshot(&self, tenant: &TenantId) -> Result<VocabularySnapshot, StoreError> {
        let rows = self.0.read(async |db| {
            let rows = db.query_all_raw(statement(db, SELECT_SNAPSHOT, [tenant.as_str().into()])).await?;
            rows.iter().map(SnapshotRow::read).collect::<Result<Vec<_>, DbErr>>()
        });
        let rows = rows.await?;
        let Some(first) = rows.first() else {
            return Ok(VocabularySnapshot { version: 0, changed_at: None, entries: Vec::new() });
        };
        let version = restore_version(first.version, "vocabulary_version", tenant)?;
        let changed_at = Some(restore_timestamp(first.changed_at, "changed_at", tenant)?);
        let entries = rows.into_iter().filter_map(|row| row.entry).map(EntryColumns::restore);
        Ok(VocabularySnapshot { version, changed_at, entries: entries.collect::<Result<_, _>>()? })
    }

    #[tracing::instrument(level = "debug", name = "sql.deliveries.compare_and_set", skip_all, fields(%tenant))]
    async fn compare_and_set(
        &self,
        tenant: &TenantId,
        expected: &DeliveryProgress,
        next: &DeliveryProgress,
    ) -> Result<bool, StoreError> {
        let db = self.0.writer();
        let (tenant, version) = ([tenant.as_str().into()], [encode_version(expected.version)]);
        let values = tenant.into_iter().chain(encode(next)).chain(version).chain(encode(expected));
        Ok(self.0.write(db.execute_raw(statement(db, COMPARE_AND_SET, values))).await?.rows_affected() > 0)
    }
}

/// The columns that [`COMPARE_AND_SET`] writes and compares, in its order.
fn encode(progress: &DeliveryProgress) -> [Value; 7] {
    let DeliveryProgress { version: _, pending_since, delivered, failures, last_failure, next_attempt } = progress;
    [
        pending_since.map(Timestamp::as_micros).into(),
        delivered.map_or(Value::BigInt(None), |delivered| encode_version(delivered.version)),
        delivered.map(|delivered| delivered.delivered_at.as_micros()).into(),
        i64::from(*failures).into(),
        last_failure.map(|failure| failure.kind.as_str()).into(),
        last_failure.map(|failure| failure.failed_at.as_micros()).into(),
        next_attempt.map(Timestamp::as_micros).into(),
    ]
}

fn encode_version(version: u64) -> Value {
    i64::try_from(version).unwrap_or(i64::MAX).into()
}

/// The columns of [`SELECT_PROGRESS`].
struct ProgressRow {
    version: i64,
    pending_since: Option<i64>,
    delivered_version: Option<i64>,
    delivered_at: Option<i64>,
    failures: i64,
    failure: Option<String>,
    failed_at: Option<i64>,
    next_attempt: Option<i64>,
}

impl ProgressRow {
    fn read(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self {
            version: row.try_get_by_index(0)?,
            pending_since: row.try_get_by_index(1)?,
            delivered_version: row.try_get_by_index(2)?,
            delivered_at: row.try_get_by_index(3)?,
            failures: row.try_get_by_index(4)?,
            failure: row.try_get_by_index(5)?,
            failed_at: row.try_get_by_index(6)?,
            next_attempt: row.try_get_by_index(7)?,
        })
    }

    fn restore(self, tenant: &TenantId) -> Result<DeliveryProgress, StoreError> {
        let timestamp = |micros, column| restore_timestamp(micros, column, tenant);
        let optional_timestamp =
            |micros: Option<i64>, column| micros.map(|micros| timestamp(micros, column)).transpose();
        let delivered = match (self.delivered_version, self.delivered_at) {
            (Some(version), Some(at)) => Some(DeliveredVersion {
                version: restore_version(version, "delivered_version", tenant)?,
                delivered_at: timestamp(at, "delivered_at")?,
            }),
            (None, None) => None,
            _ => {
                return Err(corrupt(
                    TABLE,
                    "delivered_at",
                    tenant.as_str(),
                    "must be set if and only if delivered_version is set",
                ));
            }
        };
        let last_failure = match (self.failure, self.failed_at) {
            (Some(kind), Some(at)) => {
                Some(AttemptFailure { kind: restore_kind(&kind, tenant)?, failed_at: timestamp(at, "failed_at")? })
            }
            (None, None) => None,
            _ => return Err(corrupt(TABLE, "failed_at", tenant.as_str(), "must be set if and only if failure is set")),
        };
        Ok(DeliveryProgress {
            version: restore_version(self.version, "vocabulary_version", tenant)?,
            pending_since: optional_timestamp(self.pending_since, "pending_since")?,
            delivered,
            failures: u32::try_from(self.failures).unwrap_or(u32::MAX),
            last_failure,
            next_attempt: optional_timestamp(self.next_attempt, "next_attempt_at")?,
        })
    }
}

/// The columns of [`SELECT_SNAPSHOT`]. An empty vocabulary gives one row without an entry.
struct SnapshotRow {
    version: i64,
    changed_at: i64,
    entry: Option<EntryColumns<String>>,
}

impl SnapshotRow {
    fn read(row: &QueryResult) -> Result<Self, DbErr> {
        let id: Option<String> = row.try_get_by_index(2)?;
        let entry = |id| {
            let (phrase, sounds_like) = (row.try_get_by_index(3)?, row.try_get_by_index(4)?);
            Ok::<_, DbErr>(EntryColumns { id, phrase, sounds_like, created_at: row.try_get_by_index(5)? })
        };
        Ok(Self {
            version: row.try_get_by_index(0)?,
            changed_at: row.try_get_by_index(1)?,
            entry: id.map(entry).transpose()?,
        })
    }
}

/// Decodes a row of [`PROGRESS_COLUMNS`] and drops the result.
pub(crate) fn decode_progress(row: &dyn Row) -> Result<(), ReadError> {
    let progress = ProgressRow {
        version: row.integer(0)?,
        pending_since: row.optional_integer(1)?,
        delivered_version: row.optional_integer(2)?,
        delivered_at: row.optional_integer(3)?,
        failures: row.integer(4)?,
        failure: row.optional_text(5)?.map(ToOwned::to_owned),
        failed_at: row.optional_integer(6)?,
        next_attempt: row.optional_integer(7)?,
    };
    Ok(progress.restore(&restore_tenant(row.text(8)?)?).map(|_| ())?)
}

fn restore_tenant(name: &str) -> Result<TenantId, StoreError> {
    TenantId::parse(name).map_err(|error| corrupt(TABLE, "tenant_id", name, error))
}

fn restore_timestamp(micros: i64, column: &'static str, tenant: &TenantId) -> Result<Timestamp, StoreError> {
    Timestamp::from_micros(micros).map_err(|error| corrupt(TABLE, column, tenant.as_str(), error))
}

fn restore_version(stored: i64, column: &'static str, tenant: &TenantId) -> Result<u64, StoreError> {
    u64::try_from(stored).map_err(|error| corrupt(TABLE, column, tenant.as_str(), error))
}

fn restore_kind(kind: &str, tenant: &TenantId) -> Result<DeliveryErrorKind, StoreError> {
    DeliveryErrorKind::from_word(kind)
        .ok_or_else(|| corrupt(TABLE, "failure", tenant.as_str(), "is not a kind of delivery failure"))
}
