//! Writes that share a PostgreSQL transaction. They are committed together where possible, and else split into smaller
//! groups.

use std::{fmt::Debug, future::Future, hash::Hash, sync::Arc, time::Duration};

use sea_orm::sqlx::{self, error::DatabaseError, postgres::PgConnection};

use super::{
    WriterStats,
    writer_connection::{StatementLimits, WriterConnection},
};
use crate::{
    engine::{commit_spans::begin_commit_spans, write_queue::PendingWrite},
    error::DbError,
};

/// The timeouts of a batch. A row that another transaction has locked, or that is slow, delays all writes of its batch
/// by up to this time.
pub(crate) const BATCH_LIMITS: StatementLimits =
    StatementLimits { lock: Duration::from_millis(100), statement: Duration::from_millis(600) };

/// Writes of one kind, with their callers.
pub(crate) type Writes<Row> = Vec<PendingWrite<Row, <Row as BatchRow>::Outcome>>;

/// A row that is written in batches.
pub(crate) trait BatchRow: Send + Sync + Sized + 'static {
    type Outcome: Send + Sync + 'static;

    /// Identifies the stored row that another transaction may lock.
    type Key: Clone + Debug + Eq + Hash + Send + 'static;

    /// What the batches of this kind of row learn for later batches.
    type State: Default + Send + Sync + 'static;

    fn key(&self) -> Self::Key;

    /// Writes rows in one transaction. Returns the outcome of each row, in order. An error means that no row was
    /// written.
    ///
    /// # Errors
    /// [`BatchError::Split`] where the rows must be written in smaller batches, which a single row never needs.
    fn apply(
        connection: &mut PgConnection,
        rows: &[&Self],
        state: &Self::State,
        stats: &WriterStats,
    ) -> impl Future<Output = Result<Vec<Self::Outcome>, BatchError>> + Send;
}

/// Why a batch was not written.
#[derive(Debug)]
pub(crate) enum BatchError {
    /// One of the rows cannot be written together with the others.
    Split,
    /// The error of the database.
    Db(sqlx::Error),
}

impl BatchError {
    /// Whether a row refers to a row that does not exist.
    pub(crate) fn is_foreign_key_violation(&self) -> bool {
        let Self::Db(error) = self else { return false };
        error.as_database_error().is_some_and(DatabaseError::is_foreign_key_violation)
    }
}

impl From<sqlx::Error> for BatchError {
    fn from(error: sqlx::Error) -> Self {
        Self::Db(error)
    }
}

/// Commits each group of writes, and answers its callers. A group that fails because of one row is halved until that
/// row is alone. Returns the groups that wait for a lock of another transaction: none of their writes is committed, and
/// their callers are not answered.
pub(crate) async fn commit<Row: BatchRow>(
    mut groups: Vec<Writes<Row>>,
    connection: &mut WriterConnection,
    state: &Arc<Row::State>,
) -> Vec<Writes<Row>> {
    let mut contended = Vec::new();
    while let Some(mut group) = groups.pop() {
        if group.is_empty() {
            continue;
        }
        match commit_once(&group, connection, state).await {
            Ok(Some(outcomes)) => {
                for (mut write, outcome) in group.into_iter().zip(outcomes) {
                    write.outcome = Ok(outcome);
                    write.answer();
                }
            }
            Err(failure) if failure.is_contention() => contended.push(group),
            Err(failure) if failure.is_transient() => {
                let failed = [group].into_iter().chain(groups.drain(..)).chain(contended.drain(..)).flatten();
                failed.for_each(|write| write.fail(failure.clone()));
            }
            Ok(None) | Err(_) if group.len() > 1 => {
                connection.stats().record_split();
                let half = group.split_off(group.len() / 2);
                groups.extend([half, group]);
            }
            Err(failure) => group.into_iter().for_each(|write| write.fail(failure.clone())),
            Ok(None) => {
                let error = DbError::unexpected("a batch of one write was to be split");
                for write in group {
                    write.fail(error.clone());
                }
            }
        }
    }
    contended
}

/// Commits a group of writes. Returns `None` if the group must be split.
async fn commit_once<Row: BatchRow>(
    group: &Writes<Row>,
    connection: &mut WriterConnection,
    state: &Arc<Row::State>,
) -> Result<Option<Vec<Row::Outcome>>, DbError> {
    let _spans = begin_commit_spans(group.iter().map(PendingWrite::span));
    let rows: Vec<_> = group.iter().map(|write| &write.row).collect();
    let writer_stats = connection.stats().clone();
    let applied = connection.run(rows.as_slice(), |connection, rows| {
        let (state, writer_stats) = (Arc::clone(state), writer_stats.clone());
        Box::pin(async move {
            match Row::apply(connection, rows, &state, &writer_stats).await {
                Ok(outcomes) => Ok(Some(outcomes)),
                Err(BatchError::Split) => Ok(None),
                Err(BatchError::Db(error)) => Err(error),
            }
        })
    });
    let outcomes = applied.await?;
    if outcomes.as_ref().is_some_and(|outcomes| outcomes.len() != group.len()) {
        return Err(DbError::outcome_unknown());
    }
    Ok(outcomes)
}
