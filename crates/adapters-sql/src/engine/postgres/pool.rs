//! PostgreSQL connections of each thread. A connection waits on the sockets of its own thread, and is not checked after
//! each use, unlike a connection of the general pool.

use std::{
    fmt::Debug,
    num::NonZero,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::available_parallelism,
};

use deadpool::managed::Pool;
use parlance_domain::error::StoreError;
use sea_orm::sqlx::{
    Postgres,
    postgres::{PgArguments, PgRow},
    query::Query,
};
use thread_local::ThreadLocal;

use crate::{
    engine::{
        pool_use::PoolUse,
        postgres::{
            connect::Servers,
            copy::CopyRow,
            options::with_index_plans,
            pooled_connection::{ConnectionManager, build_pool, fold_rows, pool_error},
            read_batcher::{BatchLimits, BatchQuery, run_queries, with_call_timeout},
        },
    },
    error::{DbError, ReadError, with_timeout},
};

/// The number of read connections of a process. Its threads share them out; each thread has at least one.
const READ_CONNECTIONS: usize = 16;

/// The largest number of connections of a process that copy.
const MAX_COPY_CONNECTIONS: usize = 2;

/// A pool of read connections for each thread. A connection stays with the runtime of the thread that opened it, since
/// the reactor of that runtime registered its socket. In the server, each worker thread has its own runtime. Clones
/// share the pools.
#[derive(Debug)]
pub(crate) struct PerThreadPools<B: Batchers>(Arc<Inner<B>>);

impl<B: Batchers> Clone for PerThreadPools<B> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

#[derive(Debug)]
struct Inner<B: Batchers> {
    manager: ConnectionManager,
    connections_per_thread: usize,
    threads: ThreadLocal<ThreadState<B>>,
    /// The pool that copies. A copy runs long, on one runtime, and on any of its threads: a connection for each thread
    /// would be of no use.
    copy_pool: Pool<ConnectionManager>,
    /// Whether one thread answers all requests.
    single_worker: AtomicBool,
    closed: AtomicBool,
}

/// The pool and the batchers of one thread.
#[derive(Debug)]
struct ThreadState<B> {
    pool: Pool<ConnectionManager>,
    batchers: B,
}

/// The read batchers of one thread.
pub(crate) trait Batchers: Debug + Send + Sync + 'static {
    fn new(limits: BatchLimits) -> Self;
}

impl<B: Batchers> PerThreadPools<B> {
    /// Pools that open their connections on first use.
    pub(crate) fn new(servers: &Servers) -> Result<Self, DbError> {
        let threads = available_parallelism().map_or(1, NonZero::get);
        let connections_per_thread = (READ_CONNECTIONS / threads).max(1);
        let manager = ConnectionManager { servers: with_index_plans(servers) };
        let copy_pool = build_pool(&manager, MAX_COPY_CONNECTIONS)?;
        let (threads, single_worker, closed) = (ThreadLocal::new(), AtomicBool::new(false), AtomicBool::new(false));
        Ok(Self(Arc::new(Inner { manager, connections_per_thread, threads, copy_pool, single_worker, closed })))
    }

    /// Sets the batch limits for one thread that answers all requests. A thread that has read already keeps its limits.
    pub(crate) fn enable_single_worker_mode(&self) {
        self.0.single_worker.store(true, Ordering::Release);
    }

    /// Runs a query in the next batch of its batcher on this thread, with a timeout.
    pub(crate) async fn load<Q: BatchQuery<Batchers = B>>(&self, query: Q) -> Result<Q::Output, StoreError> {
        let ThreadState { batchers, pool } = self.thread_state()?;
        query.batcher(batchers).load(query, pool).await
    }

    /// Runs all these queries, which have one batcher, in one statement, with a timeout.
    pub(crate) async fn load_many<Q: BatchQuery<Batchers = B>>(
        &self,
        queries: &[Q],
    ) -> Result<Vec<Q::Output>, StoreError> {
        let Some(first) = queries.first() else { return Ok(Vec::new()) };
        let ThreadState { batchers, pool } = self.thread_state()?;
        let statement = first.batcher(batchers).statement();
        run_queries(pool, statement, queries).await?.into_iter().collect()
    }

    /// Folds all rows of one query with `add`, with a timeout. The query shares no statement with others.
    pub(crate) async fn fold<'q, T: Default>(
        &self,
        query: impl Fn() -> Query<'q, Postgres, PgArguments>,
        add: impl Fn(&PgRow, &mut T) -> Result<(), ReadError>,
    ) -> Result<T, StoreError> {
        let ThreadState { pool, .. } = self.thread_state()?;
        let add = |row: &PgRow, value: &mut Result<T, ReadError>| {
            if let Ok(folded) = value
                && let Err(error) = add(row, folded)
            {
                *value = Err(error);
            }
            Ok(())
        };
        Ok(with_call_timeout(pool, fold_rows(pool, query, || Ok(T::default()), add)).await??)
    }

    /// Opens a connection that copies before its first use. Over TLS, that takes about 90 ms, nearly all of it waiting
    /// (see [`chunk_by_size`](crate::engine::postgres::chunk_by_size)). If it fails, the first use of the pool reports
    /// the error.
    pub(crate) async fn open_copy_connection(&self) {
        let _ = with_timeout(async { Ok(self.0.copy_pool.get().await.map(drop).map_err(pool_error)?) }).await;
    }

    /// Folds all rows of a statement with `add`, by way of `COPY`, with a timeout. Many rows cost a fraction of the
    /// rows of a bound statement.
    pub(crate) async fn copy<T: Default>(
        &self,
        select: &str,
        add: impl Fn(&CopyRow<'_>, &mut T) -> Result<(), ReadError>,
    ) -> Result<T, StoreError> {
        let statement = format!("COPY ({select}) TO STDOUT (FORMAT binary)");
        let outcome = with_timeout(async {
            let mut connection = self.0.copy_pool.get().await.map_err(pool_error)?;
            match connection.copy(&statement, &add).await {
                Err(_) if connection.lost => {
                    drop(connection);
                    self.0.manager.losses().record_retry();
                    self.0.copy_pool.get().await.map_err(pool_error)?.copy(&statement, &add).await
                }
                outcome => outcome,
            }
        });
        outcome.await
    }

    /// The use of the read pools of all threads together, and of the copy pool.
    pub(crate) fn pool_uses(&self) -> [PoolUse; 2] {
        let read_pools = self.0.threads.iter().map(|thread| thread.pool.status());
        [PoolUse::sum(read_pools), PoolUse::sum([self.0.copy_pool.status()])]
    }

    fn thread_state(&self) -> Result<&ThreadState<B>, DbError> {
        let Inner { manager, connections_per_thread, threads, single_worker, closed, .. } = &*self.0;
        if closed.load(Ordering::Acquire) {
            return Err(DbError::unavailable("the database is closed"));
        }
        threads.get_or_try(|| {
            let limits = if single_worker.load(Ordering::Acquire) {
                BatchLimits::SINGLE_WORKER
            } else {
                BatchLimits::MULTI_WORKER
            };
            Ok(ThreadState { pool: build_pool(manager, *connections_per_thread)?, batchers: B::new(limits) })
        })
    }

    /// Closes all pools. A connection in use is closed after its use.
    pub(crate) fn close(&self) {
        self.0.closed.store(true, Ordering::Release);
        for thread in &self.0.threads {
            thread.pool.close();
        }
        self.0.copy_pool.close();
    }
}
