//! The writes of the data plane. Queued writes share a commit.

use std::collections::BTreeMap;

use parlance_domain::{import::CreateOutcome, message::AppendOutcome};
use rusqlite::Transaction;
use sea_orm::sqlx::postgres::PgConnection;
use tracing::Span;

use super::{
    conversations::{UpdateMask, UpsertRow, UpsertRowOutcome, upsert_on_postgres, upsert_on_sqlite},
    imports::{CreationRow, create_all_on_postgres, create_with_messages_on_sqlite},
    messages::{AppendRow, OptimisticInsert, append_on_postgres, append_on_sqlite},
};
use crate::{
    engine::{
        postgres::{
            WriterStats,
            batch::{BatchError, BatchRow},
            write_batcher::{MAX_CONNECTIONS, WriteBatcher},
            writer::PostgresJob,
            writer_connection::WriterConnection,
        },
        sqlite::{
            clear_unallocated_space,
            writer::{SqliteJob, row_error_or_abort},
        },
        write_queue::{PendingWrite, WriteJob},
    },
    error::DbError,
};

/// A write of the data plane. A variant holds all parts of one write, which are committed together.
pub(crate) enum DataWrite {
    /// Appends messages to their conversation.
    Append(PendingWrite<AppendRow, AppendOutcome>),
    /// Creates or changes a conversation.
    Upsert(PendingWrite<UpsertRow, UpsertRowOutcome>),
    /// Creates a conversation with its messages.
    Create(Box<PendingWrite<CreationRow, CreateOutcome>>),
    /// Overwrites the unused parts of pages of SQLite, and answers which page is the next. Nothing on PostgreSQL.
    ClearPages(PendingWrite<u32, Option<u32>>),
    /// Empties the write-ahead log (WAL) of SQLite, which holds what another connection has deleted, and answers whether it is
    /// empty. Nothing on PostgreSQL.
    TruncateWal(PendingWrite<(), bool>),
}

impl WriteJob for DataWrite {
    fn span(&self) -> &Span {
        match self {
            Self::Append(pending) => pending.span(),
            Self::Upsert(pending) => pending.span(),
            Self::Create(pending) => pending.span(),
            Self::ClearPages(pending) => pending.span(),
            Self::TruncateWal(pending) => pending.span(),
        }
    }

    fn is_abandoned(&self) -> bool {
        match self {
            Self::Append(pending) => pending.is_abandoned(),
            Self::Upsert(pending) => pending.is_abandoned(),
            Self::Create(pending) => pending.is_abandoned(),
            Self::ClearPages(pending) => pending.is_abandoned(),
            Self::TruncateWal(pending) => pending.is_abandoned(),
        }
    }

    fn fail(self, failure: DbError) {
        match self {
            Self::Append(pending) => pending.fail(failure),
            Self::Upsert(pending) => pending.fail(failure),
            Self::Create(pending) => pending.fail(failure),
            Self::ClearPages(pending) => pending.fail(failure),
            Self::TruncateWal(pending) => pending.fail(failure),
        }
    }
}

impl SqliteJob for DataWrite {
    fn apply(&mut self, transaction: &mut Transaction<'_>) -> rusqlite::Result<()> {
        match self {
            Self::Append(pending) => {
                let outcome = append_on_sqlite(transaction, &pending.row);
                pending.outcome = row_error_or_abort(transaction, outcome)?;
            }
            Self::Upsert(pending) => {
                let outcome = upsert_on_sqlite(transaction, &pending.row);
                pending.outcome = row_error_or_abort(transaction, outcome)?;
            }
            Self::Create(pending) => {
                let outcome = create_with_messages_on_sqlite(transaction, &pending.row);
                pending.outcome = row_error_or_abort(transaction, outcome)?;
            }
            Self::ClearPages(pending) => {
                let next = clear_unallocated_space(transaction, pending.row);
                pending.outcome = row_error_or_abort(transaction, next)?;
            }
            Self::TruncateWal(pending) => pending.outcome = Ok(false),
        }
        Ok(())
    }

    fn has_overwritten(&self) -> bool {
        match self {
            Self::Append(pending) => {
                pending.row.has_mask_updates() && matches!(pending.outcome, Ok(AppendOutcome::Appended))
            }
            Self::Upsert(_) | Self::Create(_) | Self::ClearPages(_) => false,
            Self::TruncateWal(_) => true,
        }
    }

    fn record_truncation(&mut self, is_truncated: bool) {
        if let Self::TruncateWal(pending) = self {
            pending.outcome = Ok(is_truncated);
        }
    }

    fn answer(self) {
        match self {
            Self::Append(pending) => pending.answer(),
            Self::Upsert(pending) => pending.answer(),
            Self::Create(pending) => pending.answer(),
            Self::ClearPages(pending) => pending.answer(),
            Self::TruncateWal(pending) => pending.answer(),
        }
    }
}

/// The largest number of write connections to PostgreSQL: that of the writer, and those of each kind of write for
/// locked rows.
pub(crate) const MAX_WRITE_CONNECTIONS: u32 = 1 + 3 * MAX_CONNECTIONS;

/// The batches of each kind of write on PostgreSQL.
#[derive(Default)]
pub(crate) struct WriteBatchers {
    appends: WriteBatcher<AppendRow>,
    upserts: WriteBatcher<UpsertRow>,
    creations: WriteBatcher<CreationRow>,
}

impl PostgresJob for DataWrite {
    type Batchers = WriteBatchers;

    async fn commit(jobs: Vec<Self>, batchers: &WriteBatchers, connection: &mut WriterConnection) -> u32 {
        let (mut appends, mut creations) = (Vec::new(), Vec::new());
        let mut upserts = BTreeMap::<UpdateMask, Vec<_>>::new();
        for job in jobs {
            match job {
                Self::Append(pending) => appends.push(pending),
                Self::Upsert(pending) => upserts.entry(pending.row.update_mask()).or_default().push(pending),
                Self::Create(pending) => creations.push(*pending),
                Self::ClearPages(mut pending) => {
                    pending.outcome = Ok(None);
                    pending.answer();
                }
                Self::TruncateWal(mut pending) => {
                    pending.outcome = Ok(true);
                    pending.answer();
                }
            }
        }
        let mut transactions = 0;
        if !appends.is_empty() {
            transactions += 1;
            batchers.appends.commit(appends, connection).await;
        }
        if !creations.is_empty() {
            transactions += 1;
            batchers.creations.commit(creations, connection).await;
        }
        // One statement changes the same columns of all its rows, so rows are grouped by update mask.
        for group in upserts.into_values() {
            transactions += 1;
            batchers.upserts.commit(group, connection).await;
        }
        transactions
    }
}

impl BatchRow for AppendRow {
    type Outcome = AppendOutcome;
    type Key = (String, String);
    type State = OptimisticInsert;

    fn key(&self) -> (String, String) {
        let (tenant, conversation) = self.conversation_key();
        (tenant.to_owned(), conversation.to_owned())
    }

    async fn apply(
        connection: &mut PgConnection,
        rows: &[&Self],
        optimism: &OptimisticInsert,
        stats: &WriterStats,
    ) -> Result<Vec<AppendOutcome>, BatchError> {
        append_on_postgres(connection, rows, optimism, stats).await
    }
}

impl BatchRow for UpsertRow {
    type Outcome = UpsertRowOutcome;
    type Key = (String, String, UpdateMask);
    type State = ();

    fn key(&self) -> (String, String, UpdateMask) {
        let (tenant, external_id) = self.conversation_key();
        (tenant.to_owned(), external_id.to_owned(), self.update_mask())
    }

    async fn apply(
        connection: &mut PgConnection,
        rows: &[&Self],
        (): &(),
        _: &WriterStats,
    ) -> Result<Vec<UpsertRowOutcome>, BatchError> {
        upsert_on_postgres(connection, rows).await
    }
}

impl BatchRow for CreationRow {
    type Outcome = CreateOutcome;
    type Key = (String, String);
    type State = ();

    fn key(&self) -> (String, String) {
        let (tenant, external_id) = self.conversation_key();
        (tenant.to_owned(), external_id.to_owned())
    }

    async fn apply(
        connection: &mut PgConnection,
        rows: &[&Self],
        (): &(),
        _: &WriterStats,
    ) -> Result<Vec<CreateOutcome>, BatchError> {
        create_all_on_postgres(connection, rows).await
    }
}
