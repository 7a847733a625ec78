//! Connections without a hand-over between threads: each thread has some of its own, which wait on its own sockets, and
//! are not checked after each use, as those of the general pool are.

use std::{
    num::NonZero,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::available_parallelism,
};

use deadpool::managed::{Manager, Metrics, Pool, PoolError, RecycleError, RecycleResult};
use futures_util::TryStreamExt;
use parlance_domain::error::StoreError;
use sea_orm::sqlx::{
    self, Either, Executor, Postgres,
    postgres::{PgArguments, PgConnection, PgRow},
    query::Query,
};
use thread_local::ThreadLocal;

use super::{
    by_keys,
    desk::{Desk, Question, Turns, answers},
    is_cut,
    losses::{CHECK_READER_AFTER, ConnectionLosses},
    servers::Servers,
};
use crate::{
    PoolUse, conversations,
    copied::{CopiedRow, CopiedRows},
    error::{Failure, Unread, bounded},
    messages,
};

/// How many connections all threads of a process that read have together; each has at least one.
const LANES: usize = 16;

/// How many connections a process has that copy.
const COPYING: usize = 2;

/// The connections that read, some for each thread. A connection belongs to the runtime of the thread that opened it;
/// in the server each worker thread has its own. Cloning shares them.
#[derive(Debug, Clone)]
pub(crate) struct Lanes(Arc<Threads>);

#[derive(Debug)]
struct Threads {
    opener: Opener,
    lanes: usize,
    own: ThreadLocal<Own>,
    /// Those that copy. What takes them runs long, on one runtime, and on whichever of its threads is free: a connection
    /// for each thread would be opened for nothing.
    copying: Pool<Opener>,
    /// Whether one thread answers all requests.
    alone: AtomicBool,
    closed: AtomicBool,
}

/// What a thread has of its own.
#[derive(Debug)]
struct Own {
    lanes: Pool<Opener>,
    desks: Desks,
}

/// Where the frequent reads of a thread wait for those of their kind.
#[derive(Debug)]
pub(crate) struct Desks {
    pub(crate) messages_after: Desk<messages::Run>,
    pub(crate) messages_before: Desk<messages::Run>,
    pub(crate) long_runs: Desk<messages::LongRun>,
    pub(crate) conversation_by_id: Desk<conversations::Key>,
    pub(crate) conversation_by_external_id: Desk<conversations::Key>,
}

impl Desks {
    fn new(turns: Turns) -> Self {
        Self {
            messages_after: Desk::new(messages::statement::ALL_AFTER_SHORT, turns),
            messages_before: Desk::new(messages::statement::ALL_BEFORE, turns),
            long_runs: Desk::new(messages::statement::ALL_AFTER_WITHIN, turns),
            conversation_by_id: Desk::new(conversations::statement::ALL_BY_ID, turns),
            conversation_by_external_id: Desk::new(conversations::statement::ALL_BY_EXTERNAL_ID, turns),
        }
    }
}

impl Lanes {
    /// They are opened when they are needed.
    pub(crate) fn new(servers: &Servers, losses: ConnectionLosses) -> Result<Self, Failure> {
        let threads = available_parallelism().map_or(1, NonZero::get);
        let lanes = (LANES / threads).max(1);
        let opener = Opener { servers: servers.with(by_keys), losses };
        let copying = pool(&opener, COPYING)?;
        let (own, alone, closed) = (ThreadLocal::new(), AtomicBool::new(false), AtomicBool::new(false));
        Ok(Self(Arc::new(Threads { opener, lanes, own, copying, alone, closed })))
    }

    /// Takes note that one thread answers all requests, for threads that have not read yet.
    pub(crate) fn serve_one_thread(&self) {
        self.0.alone.store(true, Ordering::Release);
    }

    /// The answer to a question, asked at its desk of this thread. Bounded in time.
    pub(crate) async fn ask<Q: Question>(&self, question: Q) -> Result<Q::Answer, StoreError> {
        let Own { desks, lanes } = self.own()?;
        question.desk(desks).ask(question, lanes).await
    }

    /// The answers to all these questions, by one statement. Bounded in time.
    pub(crate) async fn ask_all<Q: Question>(
        &self,
        statement: &'static str,
        questions: &[Q],
    ) -> Result<Vec<Q::Answer>, StoreError> {
        answers(&self.own()?.lanes, statement, questions).await?.into_iter().collect()
    }

    /// Opens a connection that copies before it is needed: over TLS that takes about 90 ms, nearly all of it waiting (see
    /// [`portions`](super::portions)). Where it cannot be opened, whatever needs it first is told.
    pub(crate) async fn open_copying(&self) {
        let _ = bounded(async { Ok(self.0.copying.get().await.map(drop).map_err(refused)?) }).await;
    }

    /// What `add` gathers of all rows that a statement gives, by way of `COPY`: many rows come for a fraction of what the
    /// rows of a bound statement cost. Bounded in time.
    pub(crate) async fn copy<T: Default>(
        &self,
        select: &str,
        add: impl Fn(&CopiedRow<'_>, &mut T) -> Result<(), Unread>,
    ) -> Result<T, StoreError> {
        let statement = format!("COPY ({select}) TO STDOUT (FORMAT binary)");
        let copied = bounded(async {
            let mut lane = self.0.copying.get().await.map_err(refused)?;
            match lane.copy(&statement, &add).await {
                Err(_) if lane.lost => {
                    drop(lane);
                    self.0.copying.get().await.map_err(refused)?.copy(&statement, &add).await
                }
                copied => copied,
            }
        });
        copied.await
    }

    /// The connections that read, those of all threads together, and those that copy.
    pub(crate) fn pool_uses(&self) -> [PoolUse; 2] {
        let reading = self.0.own.iter().map(|own| own.lanes.status());
        [PoolUse::of_all(reading), PoolUse::of_all([self.0.copying.status()])]
    }

    fn own(&self) -> Result<&Own, Failure> {
        let Threads { opener, lanes, own, alone, closed, .. } = &*self.0;
        if closed.load(Ordering::Acquire) {
            return Err(Failure::unavailable("the database is closed"));
        }
        own.get_or_try(|| {
            let turns = if alone.load(Ordering::Acquire) { Turns::ALONE } else { Turns::BESIDE_OTHERS };
            Ok(Own { lanes: pool(opener, *lanes)?, desks: Desks::new(turns) })
        })
    }

    /// Closes them all. Those in use are closed after their use.
    pub(crate) fn close(&self) {
        self.0.closed.store(true, Ordering::Release);
        for own in &self.0.own {
            own.lanes.close();
        }
        self.0.copying.close();
    }
}

fn pool(opener: &Opener, most: usize) -> Result<Pool<Opener>, Failure> {
    let built = Pool::builder(opener.clone()).max_size(most).build();
    built.map_err(|error| Failure::unavailable(error.to_string()))
}

/// What `add` gathers of all rows that a query gives, from what `begin` gives, on a connection that is free. Where that one
/// turns out to be lost, as all are that were open when the server was restarted, the query is asked once more on a new
/// one. Each row is let go before the next one comes.
pub(super) async fn gather<'q, T>(
    lanes: &Pool<Opener>,
    query: impl Fn() -> Query<'q, Postgres, PgArguments>,
    begin: impl Fn() -> T,
    add: impl Fn(&PgRow, &mut T) -> Result<(), Failure>,
) -> Result<T, Failure> {
    let mut lane = lanes.get().await.map_err(refused)?;
    match lane.gather(query(), begin(), &add).await {
        Err(_) if lane.lost => {
            drop(lane);
            lanes.get().await.map_err(refused)?.gather(query(), begin(), &add).await
        }
        gathered => gathered,
    }
}

fn refused(error: PoolError<sqlx::Error>) -> Failure {
    let reason = error.to_string();
    if let PoolError::Backend(error) = error { error.into() } else { Failure::unavailable(reason) }
}

/// A connection, and what became of its last use.
#[derive(Debug)]
pub(crate) struct Lane {
    connection: PgConnection,
    losses: ConnectionLosses,
    /// Whether it came to an end: a connection that was left midway is not used again.
    settled: bool,
    /// Whether the connection turned out to be lost.
    lost: bool,
}

impl Lane {
    /// Takes note of a failure of the driver, and tells whether the connection is still of use.
    fn survives(&mut self, error: &sqlx::Error) -> bool {
        if is_cut(error) {
            self.lost = true;
            self.losses.record();
        }
        !self.lost
    }

    async fn copy<T: Default>(
        &mut self,
        statement: &str,
        add: impl Fn(&CopiedRow<'_>, &mut T) -> Result<(), Unread>,
    ) -> Result<T, Unread> {
        self.settled = false;
        let (mut rows, mut gathered) = (CopiedRows::default(), T::default());
        let end = match self.connection.copy_out_raw(statement).await {
            Ok(mut parts) => loop {
                match parts.try_next().await {
                    Ok(Some(part)) => rows.read(&part, |row| add(row, &mut gathered))?,
                    Ok(None) => break Ok(()),
                    Err(error) => break Err(error),
                }
            },
            Err(error) => Err(error),
        };
        self.settled = end.as_ref().map_or_else(|error| self.survives(error), |()| true);
        end?;
        Ok(gathered)
    }

    async fn gather<T>(
        &mut self,
        query: Query<'_, Postgres, PgArguments>,
        mut gathered: T,
        add: impl Fn(&PgRow, &mut T) -> Result<(), Failure>,
    ) -> Result<T, Failure> {
        self.settled = false;
        let mut added = Ok(());
        let mut given = self.connection.fetch_many(query);
        let end = loop {
            match given.try_next().await {
                Ok(Some(Either::Right(row))) if added.is_ok() => added = add(&row, &mut gathered),
                Ok(Some(_)) => {}
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        drop(given);
        self.settled = end.as_ref().map_or_else(|error| self.survives(error), |()| true);
        end?;
        added.map(|()| gathered)
    }
}

/// Opens connections that read, and decides which of them are used again.
#[derive(Debug, Clone)]
pub(super) struct Opener {
    servers: Servers,
    losses: ConnectionLosses,
}

impl Manager for Opener {
    type Type = Lane;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<Lane, sqlx::Error> {
        let connection = self.servers.connect().await?;
        Ok(Lane { connection, losses: self.losses.clone(), settled: true, lost: false })
    }

    async fn recycle(&self, lane: &mut Lane, past: &Metrics) -> RecycleResult<sqlx::Error> {
        let (age, idle) = (past.age(), past.last_used());
        if lane.settled && self.losses.spare(&mut lane.connection, age, idle, CHECK_READER_AFTER).await {
            Ok(())
        } else {
            Err(RecycleError::message("it was left midway, or is lost"))
        }
    }
}
