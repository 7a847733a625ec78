//! The SQLite writer: one thread, one connection.
//!
//! The rest of the adapter writes through the one connection of the general write pool. While this writer holds that
//! connection, it is the only writer of the process, and no transaction polls for a lock.

use std::thread;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use sea_orm::sqlx::SqlitePool;
use tokio::runtime::Handle;

use super::{DatabaseFiles, DatabaseLocation, WriterSignals, checkpointer::Checkpointer};
use crate::{
    engine::{
        commit_spans::begin_commit_spans,
        write_queue::{Commands, WriteJob, WriteQueue, queue},
    },
    error::DbError,
};

/// A write that the SQLite writer applies.
pub(crate) trait SqliteJob: WriteJob {
    /// Applies the write in the open transaction, and keeps its outcome.
    ///
    /// # Errors
    /// An error that ended the transaction. The error of this write alone is an outcome: see [`row_error_or_abort`].
    fn apply(&mut self, transaction: &mut Transaction<'_>) -> rusqlite::Result<()>;

    /// Whether the write replaced stored text, which must not stay in any file.
    fn has_overwritten(&self) -> bool;

    /// Records whether the truncation of the WAL that followed the commit has succeeded.
    fn record_truncation(&mut self, is_truncated: bool);

    /// Answers the caller with the kept outcome. Called after the commit.
    fn answer(self);
}

/// Starts the writer of a database. `write_pool` is the general pool with the only other write connection. The writer
/// ends when the queue is stopped or dropped.
pub(crate) fn start_writer<Job: SqliteJob>(
    location: &DatabaseLocation,
    files: DatabaseFiles,
    write_pool: SqlitePool,
    signals: WriterSignals,
) -> Result<WriteQueue<Job>, DbError> {
    let checkpointer = Checkpointer::start(location.open_writer()?, signals.clone())?;
    checkpointer.truncate_left_wal();
    let writer = Writer { connection: location.open_writer()?, files, write_pool, checkpointer, signals };
    Checkpointer::count_wal_pages(&writer.connection);
    let (sender, commands) = queue();
    // The runtime drives the timers of the pool. Blocking calls block this thread only.
    let runtime = Handle::current();
    let thread = thread::Builder::new().name("sqlite-writer".to_owned());
    thread.spawn(move || runtime.block_on(writer.run(commands)))?;
    Ok(sender)
}

struct Writer {
    connection: Connection,
    files: DatabaseFiles,
    write_pool: SqlitePool,
    checkpointer: Checkpointer,
    signals: WriterSignals,
}

impl Writer {
    async fn run<Job: SqliteJob>(mut self, mut commands: Commands<Job>) {
        while let Some(jobs) = commands.next().await {
            match self.write_pool.acquire().await {
                Ok(_connection) => self.apply_batch(jobs),
                Err(error) => fail_all(jobs, &DbError::from(error)),
            }
        }
        drop(self.connection);
        self.checkpointer.stop();
        commands.end();
    }

    fn apply_batch<Job: SqliteJob>(&mut self, mut jobs: Vec<Job>) {
        match self.commit(&mut jobs) {
            Ok(()) => {
                self.signals.record_commit();
                if jobs.iter().any(Job::has_overwritten) {
                    let is_truncated = self.checkpointer.truncate_wal();
                    for job in &mut jobs {
                        job.record_truncation(is_truncated);
                    }
                }
                jobs.into_iter().for_each(Job::answer);
                self.checkpointer.after_commit();
            }
            Err(failure) => fail_all(jobs, &failure),
        }
    }

    /// Commits writes to the files at the path of the database. A write to other files must not be acknowledged, so the
    /// files are verified after each commit.
    fn commit<Job: SqliteJob>(&mut self, jobs: &mut [Job]) -> Result<(), DbError> {
        let _spans = begin_commit_spans(jobs.iter().map(WriteJob::span));
        self.files.verify_if_displaced()?;
        let mut transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for job in jobs {
            job.apply(&mut transaction)?;
        }
        transaction.commit()?;
        self.files.verify()
    }
}

fn fail_all<Job: WriteJob>(jobs: Vec<Job>, failure: &DbError) {
    for job in jobs {
        job.fail(failure.clone());
    }
}

/// The error of one row if the transaction is still open: SQLite has then undone the failed statement. Else the error
/// that ended the transaction.
pub(crate) fn row_error_or_abort<T>(
    transaction: &Transaction<'_>,
    outcome: rusqlite::Result<T>,
) -> rusqlite::Result<Result<T, DbError>> {
    match outcome {
        Err(error) if transaction.is_autocommit() => Err(error),
        outcome => Ok(outcome.map_err(DbError::from)),
    }
}
