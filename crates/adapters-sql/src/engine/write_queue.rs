//! Group commit: writes that arrive while a commit is flushed share the next commit.
//!
//! One writer takes all queued writes, applies them in one transaction, and then answers each caller. The writer never
//! waits for more writes to come, so a single write is not delayed. No caller is answered before its write is on disk.
//! A write that fails by itself does not fail the others.

use std::fmt::{self, Debug, Formatter};

use parlance_domain::error::{StoreError, StoreErrorKind};
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
    task::yield_now,
};
use tracing::Span;

use super::commit_spans;
use crate::error::{DbError, with_timeout};

/// The largest number of queued writes. A further write is refused, so that an overload shows at once.
const QUEUE_CAPACITY: usize = 1_024;

/// The largest number of writes in one commit. A larger batch delays its first write and makes the others no cheaper.
const MAX_BATCH: usize = 256;

/// A write that shares a commit with others.
pub(crate) trait WriteJob: Send + 'static {
    /// The span in which the write was queued; disabled if the write is not traced.
    fn span(&self) -> &Span;

    /// Whether the caller has given up.
    fn is_abandoned(&self) -> bool;

    /// Answers the caller with this failure.
    fn fail(self, failure: DbError);
}

/// A row to write, its outcome, and the caller that waits for the outcome.
pub(crate) struct PendingWrite<Row, Outcome> {
    pub(crate) row: Row,
    /// Set within a transaction; the caller gets it after the commit.
    pub(crate) outcome: Result<Outcome, DbError>,
    /// The span in which the write was queued; disabled if the write is not traced.
    pub(super) span: Span,
    caller: oneshot::Sender<Result<Outcome, DbError>>,
}

impl<Row, Outcome> PendingWrite<Row, Outcome> {
    /// Answers the caller, which may have given up.
    pub(crate) fn answer(self) {
        // Released before the answer, so that the span ends with its call and not later.
        drop(self.span);
        let _ = self.caller.send(self.outcome);
    }

    pub(crate) fn fail(mut self, failure: DbError) {
        self.outcome = Err(failure);
        self.answer();
    }

    pub(crate) fn span(&self) -> &Span {
        &self.span
    }

    /// Whether the caller has given up.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.caller.is_closed()
    }
}

/// The queue in front of the one writer of a database. Clones share it.
pub(crate) struct WriteQueue<Job>(mpsc::Sender<Command<Job>>);

/// A command to the writer.
enum Command<Job> {
    Write(Job),
    /// Apply the writes queued so far, then move to this runtime.
    Migrate(Handle),
    /// Apply the queued writes, close the connection, confirm, and accept no more writes.
    Stop(oneshot::Sender<()>),
}

impl<Job> Clone for WriteQueue<Job> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<Job> Debug for WriteQueue<Job> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WriteQueue").field(&self.queued()).finish()
    }
}

impl<Job> WriteQueue<Job> {
    /// Queues a write and waits for its outcome. If the caller gives up, the write is applied as a whole or not at all.
    ///
    /// # Errors
    /// [`StoreErrorKind::Unavailable`] where the queue is full or closed, or the writer does not answer in time; else
    /// the error of the write itself.
    pub(crate) async fn submit<Row, Outcome>(
        &self,
        row: Row,
        job: impl FnOnce(PendingWrite<Row, Outcome>) -> Job,
    ) -> Result<Outcome, StoreError> {
        let (caller, answer) = oneshot::channel();
        let outcome = Err(DbError::unavailable("the write was not attempted"));
        self.0
            .try_send(Command::Write(job(PendingWrite { row, outcome, span: commit_spans::waiting_span(), caller })))
            .map_err(|refusal| match refusal {
                mpsc::error::TrySendError::Full(_) => DbError::unavailable("the write queue is full"),
                mpsc::error::TrySendError::Closed(_) => DbError::unavailable("the database is closed"),
            })?;
        Ok(with_timeout(async { Ok(answer.await) }).await?.map_err(|_| writer_stopped())??)
    }

    /// The number of queued writes.
    pub(crate) fn queued(&self) -> usize {
        self.0.max_capacity() - self.0.capacity()
    }

    /// Moves the writer to this runtime. While the queue is full, the writer does not move.
    pub(crate) fn move_to_runtime(&self, runtime: Handle) {
        let _ = self.0.try_send(Command::Migrate(runtime));
    }

    /// Makes the writer apply the queued writes and close its connection.
    pub(crate) async fn stop(&self) {
        let (confirm, confirmed) = oneshot::channel();
        if self.0.send(Command::Stop(confirm)).await.is_ok() {
            let _ = confirmed.await;
        }
    }
}

fn writer_stopped() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "the database writer has stopped")
}

/// The writer's end of the queue.
pub(super) struct Commands<Job> {
    queue: mpsc::Receiver<Command<Job>>,
    received: Vec<Command<Job>>,
    /// The runtime to move to after the current batch.
    pub(super) migrate_to: Option<Handle>,
    confirm_stop: Option<oneshot::Sender<()>>,
}

/// The two ends of a new queue.
pub(super) fn queue<Job: WriteJob>() -> (WriteQueue<Job>, Commands<Job>) {
    let (sender, queue) = mpsc::channel(QUEUE_CAPACITY);
    let commands = Commands { queue, received: Vec::with_capacity(MAX_BATCH), migrate_to: None, confirm_stop: None };
    (WriteQueue(sender), commands)
}

impl<Job: WriteJob> Commands<Job> {
    /// All queued writes: at least one, unless the writer must move. None once the queue is closed and empty.
    pub(super) async fn next(&mut self) -> Option<Vec<Job>> {
        self.next_after(0).await
    }

    /// As [`next`](Self::next), but after the first write the thread runs its other tasks `yields` times. Writes that
    /// these tasks queue join the batch.
    pub(super) async fn next_after(&mut self, yields: u32) -> Option<Vec<Job>> {
        loop {
            if self.queue.recv_many(&mut self.received, MAX_BATCH).await == 0 {
                return None;
            }
            for _ in 0..yields {
                yield_now().await;
            }
            while self.received.len() < MAX_BATCH
                && let Ok(command) = self.queue.try_recv()
            {
                self.received.push(command);
            }
            let mut jobs = Vec::with_capacity(self.received.len());
            for command in self.received.drain(..) {
                match command {
                    Command::Write(job) if job.is_abandoned() => {}
                    Command::Write(job) => jobs.push(job),
                    Command::Migrate(runtime) => self.migrate_to = Some(runtime),
                    Command::Stop(confirm) => {
                        self.queue.close();
                        self.confirm_stop = Some(confirm);
                    }
                }
            }
            if !jobs.is_empty() || self.migrate_to.is_some() {
                return Some(jobs);
            }
        }
    }

    /// Confirms that every write is applied and the connection is closed.
    pub(super) fn end(self) {
        if let Some(confirm) = self.confirm_stop {
            let _ = confirm.send(());
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A write without effect.
    pub(crate) struct EmptyJob(PendingWrite<(), ()>);

    impl WriteJob for EmptyJob {
        fn span(&self) -> &Span {
            self.0.span()
        }

        fn is_abandoned(&self) -> bool {
            self.0.is_abandoned()
        }

        fn fail(self, failure: DbError) {
            self.0.fail(failure);
        }
    }

    /// Submits one write at once, and another after one yield to the runtime.
    pub(crate) fn submit_two(queue: WriteQueue<EmptyJob>) {
        let first = queue.clone();
        tokio::spawn(async move { first.submit((), EmptyJob).await });
        tokio::spawn(async move {
            yield_now().await;
            queue.submit((), EmptyJob).await
        });
    }

    /// How many of the two writes are in the first batch.
    async fn first_batch_after(yields: u32) -> usize {
        let (sender, mut commands) = queue();
        submit_two(sender);
        commands.next_after(yields).await.unwrap().len()
    }

    #[tokio::test]
    async fn a_batch_holds_the_writes_that_are_queued_when_it_begins() {
        assert_eq!(first_batch_after(0).await, 1);
    }

    #[tokio::test]
    async fn a_write_that_other_tasks_queue_during_the_yields_joins_the_batch() {
        assert_eq!(first_batch_after(2).await, 2);
    }
}
