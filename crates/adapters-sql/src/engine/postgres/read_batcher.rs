//! Batches of reads: reads that wait together share one statement. Most of the cost of a short read is the round trip
//! to PostgreSQL, and a batch pays for it once.
//!
//! No read waits for others to come. A read runs as soon as the batch before it ends, together with the reads of the
//! same kind that this thread has queued meanwhile.

use std::{
    collections::VecDeque,
    fmt::Debug,
    sync::{Arc, Mutex},
    time::Duration,
};

use deadpool::managed::Pool;
use parlance_domain::{error::StoreError, sync};
use sea_orm::sqlx::{
    self, Postgres, Row as _,
    postgres::{PgArguments, PgRow},
    query::Query,
};
use tokio::{sync::oneshot, time::timeout};

use super::pooled_connection::{ConnectionManager, fold_rows};
use crate::{
    error::{CALL_TIMEOUT, DbError, ReadError},
    row::Row,
};

/// How long a read waits before more workers than usual are spawned. More workers share fewer statements, which pays
/// only when the server is slow, as when it reads from disk what it does not have in memory.
const SCALE_UP_AFTER: Duration = Duration::from_millis(20);

/// The largest number of workers of one batcher.
const MAX_WORKERS: usize = 4;

/// The limits of the batches of one batcher.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BatchLimits {
    /// The usual number of workers.
    workers: usize,
    /// The largest number of queries in one statement.
    max_queries: usize,
    /// The largest number of rows from one statement, unless a single query asks for more.
    max_rows: usize,
}

impl BatchLimits {
    /// With several request threads, the other threads use the processors while the server works, so a large batch is
    /// best. The values of 64 queries fit into one chunk (see
    /// [`chunk_by_size`](crate::engine::postgres::chunk_by_size)), unless their identifiers are unusually long.
    pub(super) const MULTI_WORKER: Self = Self { workers: 1, max_queries: 64, max_rows: 2_048 };

    /// With one thread that answers all requests, that thread and the server would wait for each other. With two
    /// workers and short batches, the thread reads the rows of one statement while the server runs the next.
    pub(super) const SINGLE_WORKER: Self = Self { workers: 2, max_queries: 16, max_rows: 320 };
}

/// A query that shares one statement with others of its type.
pub(crate) trait BatchQuery: Debug + Send + Sync + Sized + 'static {
    /// The value that the rows are folded into.
    type Output: Debug + Send;

    /// The batchers of a thread.
    type Batchers;

    /// The batcher of this query.
    fn batcher<'a>(&self, batchers: &'a Self::Batchers) -> &'a ReadBatcher<Self>;

    /// The largest number of rows that this query yields.
    fn max_rows(&self) -> usize;

    /// Binds the values of several queries, as arrays, to the shared statement.
    fn bind<'q>(query: Query<'q, Postgres, PgArguments>, queries: &'q [Self]) -> Query<'q, Postgres, PgArguments>;

    /// The statement for this query alone, at two thirds of the cost.
    fn single_query(&self) -> Query<'_, Postgres, PgArguments>;

    /// The output without any row.
    fn empty_output(&self) -> Self::Output;

    /// Adds a row to the output. A row of a shared statement has one more column, the last: the number of its query
    /// among the bound ones, from one.
    fn add_row(&self, row: &PgRow, output: &mut Self::Output) -> Result<(), ReadError>;
}

/// The queue of reads that share a statement, and the limits of their batches.
#[derive(Debug)]
pub(crate) struct ReadBatcher<Q: BatchQuery> {
    statement: &'static str,
    limits: BatchLimits,
    queue: Arc<Mutex<Queue<Q>>>,
}

#[derive(Debug)]
struct Queue<Q: BatchQuery> {
    pending: VecDeque<PendingRead<Q>>,
    /// The number of workers.
    workers: usize,
    /// Whether a worker was spawned that has not taken its first batch yet.
    worker_starting: bool,
}

#[derive(Debug)]
struct PendingRead<Q: BatchQuery> {
    query: Q,
    sender: oneshot::Sender<Result<Q::Output, StoreError>>,
}

impl<Q: BatchQuery> ReadBatcher<Q> {
    pub(crate) fn new(statement: &'static str, limits: BatchLimits) -> Self {
        let queue = Queue { pending: VecDeque::new(), workers: 0, worker_starting: false };
        Self { statement, limits, queue: Arc::new(Mutex::new(queue)) }
    }

    pub(super) fn statement(&self) -> &'static str {
        self.statement
    }

    /// Queues a query and waits for its output.
    pub(super) async fn load(&self, query: Q, pool: &Pool<ConnectionManager>) -> Result<Q::Output, StoreError> {
        let (sender, mut output) = oneshot::channel();
        sync::lock(&self.queue).pending.push_back(PendingRead { query, sender });
        self.spawn_worker(self.limits.workers, pool);
        let result = if let Ok(result) = timeout(SCALE_UP_AFTER, &mut output).await {
            result
        } else {
            self.spawn_worker(MAX_WORKERS, pool);
            timeout(CALL_TIMEOUT.saturating_sub(SCALE_UP_AFTER), output).await.map_err(DbError::from)?
        };
        result.unwrap_or_else(|_| Err(DbError::unavailable("the batch of a read was abandoned").into()))
    }

    /// Spawns a worker if reads are queued, the limit is not reached, and none is starting.
    fn spawn_worker(&self, max_workers: usize, pool: &Pool<ConnectionManager>) {
        let mut queue = sync::lock(&self.queue);
        if queue.worker_starting || queue.workers >= max_workers || queue.pending.is_empty() {
            return;
        }
        queue.worker_starting = true;
        queue.workers += 1;
        drop(queue);
        let (statement, limits, queue) = (self.statement, self.limits, Arc::clone(&self.queue));
        let worker =
            BatchWorker { statement, limits, queue, pool: pool.clone(), has_started: false, has_finished: false };
        tokio::spawn(worker.run());
    }
}

impl<Q: BatchQuery> Queue<Q> {
    /// Takes the next batch, in order, within the limits. Reads whose caller has given up are left out.
    fn next(&mut self, limits: BatchLimits) -> Vec<PendingRead<Q>> {
        let mut batch: Vec<PendingRead<Q>> = Vec::new();
        let mut remaining_rows = limits.max_rows;
        while let Some(read) =
            self.pending.pop_front_if(|read| batch.is_empty() || read.query.max_rows() <= remaining_rows)
        {
            if read.sender.is_closed() {
                continue;
            }
            remaining_rows = remaining_rows.saturating_sub(read.query.max_rows());
            batch.push(read);
            if batch.len() == limits.max_queries {
                break;
            }
        }
        batch
    }
}

/// Runs batches until the queue is empty.
struct BatchWorker<Q: BatchQuery> {
    statement: &'static str,
    limits: BatchLimits,
    queue: Arc<Mutex<Queue<Q>>>,
    pool: Pool<ConnectionManager>,
    has_started: bool,
    has_finished: bool,
}

impl<Q: BatchQuery> BatchWorker<Q> {
    async fn run(mut self) {
        while let Some(batch) = self.next() {
            let (queries, senders): (Vec<_>, Vec<_>) = batch.into_iter().map(|read| (read.query, read.sender)).unzip();
            // A caller that has given up has dropped its receiver.
            match run_queries(&self.pool, self.statement, &queries).await {
                Ok(results) => {
                    for (sender, result) in senders.into_iter().zip(results) {
                        let _ = sender.send(result);
                    }
                }
                Err(error) => {
                    for sender in senders {
                        let _ = sender.send(Err(error.clone().into()));
                    }
                }
            }
        }
    }

    /// The next batch. None once the queue is empty; the worker has then finished.
    fn next(&mut self) -> Option<Vec<PendingRead<Q>>> {
        let mut queue = sync::lock(&self.queue);
        if !self.has_started {
            self.has_started = true;
            queue.worker_starting = false;
        }
        let batch = queue.next(self.limits);
        if batch.is_empty() {
            self.has_finished = true;
            queue.workers -= 1;
            return None;
        }
        Some(batch)
    }
}

/// When a worker ends early, with its runtime or in a panic, and no other is left, the pending reads fail at once.
impl<Q: BatchQuery> Drop for BatchWorker<Q> {
    fn drop(&mut self) {
        if self.has_finished {
            return;
        }
        let mut queue = sync::lock(&self.queue);
        queue.workers -= 1;
        queue.worker_starting &= self.has_started;
        if queue.workers == 0 {
            queue.pending.clear();
        }
    }
}

/// Runs queries in one statement. Returns a result for each query, in order.
pub(super) async fn run_queries<Q: BatchQuery>(
    pool: &Pool<ConnectionManager>,
    statement: &'static str,
    queries: &[Q],
) -> Result<Vec<QueryResult<Q>>, DbError> {
    if let [query] = queries {
        let add = |row: &PgRow, result: &mut QueryResult<Q>| {
            add_row(query, row, result);
            Ok(())
        };
        let result = fold_rows(pool, || query.single_query(), || Ok(query.empty_output()), add);
        return Ok(vec![with_call_timeout(pool, result).await?]);
    }
    let initial = || queries.iter().map(|query| Ok(query.empty_output())).collect::<Vec<_>>();
    let add = |row: &PgRow, results: &mut Vec<QueryResult<Q>>| {
        let index = usize::try_from(row.integer(row.len() - 1)? - 1).ok();
        let target = index.and_then(|index| queries.get(index).zip(results.get_mut(index)));
        let (query, result) = target.ok_or_else(|| DbError::unexpected("a row has no matching query"))?;
        add_row(query, row, result);
        Ok(())
    };
    with_call_timeout(pool, fold_rows(pool, || Q::bind(sqlx::query(statement), queries), initial, add)).await
}

/// Runs a read with [`CALL_TIMEOUT`]. After it, the other connections are checked before their next use.
pub(super) async fn with_call_timeout<T>(
    pool: &Pool<ConnectionManager>,
    read: impl Future<Output = Result<T, DbError>>,
) -> Result<T, DbError> {
    let outcome = timeout(CALL_TIMEOUT, read).await;
    outcome.unwrap_or_else(|elapsed| {
        pool.manager().losses().record_silence();
        Err(elapsed.into())
    })
}

type QueryResult<Q> = Result<<Q as BatchQuery>::Output, StoreError>;

/// Adds a row to the result of a query. A row that cannot be read makes the result an error.
fn add_row<Q: BatchQuery>(query: &Q, row: &PgRow, result: &mut QueryResult<Q>) {
    if let Ok(output) = result
        && let Err(error) = query.add_row(row, output)
    {
        *result = Err(error.into());
    }
}
