//! PostgreSQL without a hand-over between threads: each thread has connections of its own, which wait on its own
//! sockets, and are not asked whether they live before or after each use, as those of the general pool are.

use std::{
    net::IpAddr,
    num::NonZero,
    str::FromStr,
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
    self, ConnectOptions, Connection, Postgres,
    postgres::{PgArguments, PgConnectOptions, PgConnection, PgRow, PgSslMode},
    query::Query,
};

use thread_local::ThreadLocal;

use crate::{
    copied::{CopiedRow, CopiedRows},
    error::{CALL_TIMEOUT, Failure, Unread, bounded},
};

/// How many connections all threads of a process that read have together; each has at least one.
const LANES: usize = 16;

/// How many connections a process has that copy.
const COPYING: usize = 2;

/// What every connection to a PostgreSQL is opened with: an acknowledged write is on the server's disk and a statement
/// sees all that was committed before it, whatever the server does by default, and no statement outlives its caller.
pub(crate) fn connect_options(url: &str) -> Result<PgConnectOptions, sqlx::Error> {
    let timeout = CALL_TIMEOUT.as_millis().to_string();
    let options = [
        ("synchronous_commit", "on"),
        ("default_transaction_isolation", "read committed"),
        ("statement_timeout", timeout.as_str()),
    ];
    let named = PgConnectOptions::from_str(url)?.application_name("parlance").options(options);
    Ok(plain_at_home(named).disable_statement_logging())
}

/// Between two programs of one machine nothing is enciphered, unless the address asks for it: nobody is in between, each
/// side would spend some 7 % of its time on it, and opening a connection would take a tenth of a second.
fn plain_at_home(options: PgConnectOptions) -> PgConnectOptions {
    let host = options.get_host();
    let home =
        host == "localhost" || host.trim_matches(['[', ']']).parse().is_ok_and(|address: IpAddr| address.is_loopback());
    // What the driver does where the address says nothing.
    let unsaid = matches!(options.get_ssl_mode(), PgSslMode::Prefer);
    if home && unsaid { options.ssl_mode(PgSslMode::Disable) } else { options }
}

/// For connections whose every statement finds its rows by their keys, and in the order of their keys: the planner may
/// not think that it reads all of a table instead, or all of a conversation to put it in order, which it does while a
/// table is nearly empty, and then keeps on doing until statistics are gathered. No value changes how such a statement is
/// best run, so it is planned once a connection and not for each use.
pub(crate) fn by_keys(options: PgConnectOptions) -> PgConnectOptions {
    const OTHER_WAYS: [&str; 5] =
        ["enable_seqscan", "enable_bitmapscan", "enable_sort", "enable_hashjoin", "enable_mergejoin"];
    options.options(OTHER_WAYS.map(|way| (way, "off"))).options([("plan_cache_mode", "force_generic_plan")])
}

/// How many bytes of a statement's values go to the server at once.
///
/// What is longer leaves by more than one record of TLS, which holds 16,384 bytes, and the driver does not set
/// `TCP_NODELAY` (sqlx 0.9.0, see its issue 4335): the second record then waits until the server has acknowledged the
/// first, which Linux puts off for 40 ms.
const AT_ONCE: usize = 15_000;

/// Rows in their order, in portions whose bytes go to the server at once. A row that is larger goes by itself.
pub(crate) fn portions<Row>(rows: impl IntoIterator<Item = Row>, bytes: impl Fn(&Row) -> usize) -> Vec<Vec<Row>> {
    let mut portions: Vec<Vec<Row>> = Vec::new();
    let mut room = 0;
    for row in rows {
        let bytes = bytes(&row);
        match portions.last_mut() {
            Some(portion) if bytes <= room => {
                room -= bytes;
                portion.push(row);
            }
            _ => {
                room = AT_ONCE.saturating_sub(bytes);
                portions.push(vec![row]);
            }
        }
    }
    portions
}

/// The connections that read, some for each thread. A connection belongs to the runtime of the thread that opened it;
/// in the server each worker thread has its own. Cloning shares them.
#[derive(Debug, Clone)]
pub(crate) struct Lanes(Arc<Threads>);

#[derive(Debug)]
struct Threads {
    options: PgConnectOptions,
    lanes: usize,
    pools: ThreadLocal<Pool<Opener>>,
    /// Those that copy. What takes them runs long, on one runtime, and on whichever of its threads is free: a connection
    /// for each thread would be opened for nothing.
    copying: Pool<Opener>,
    closed: AtomicBool,
}

impl Lanes {
    /// They are opened when they are needed.
    pub(crate) fn new(options: PgConnectOptions) -> Result<Self, Failure> {
        let threads = available_parallelism().map_or(1, NonZero::get);
        let lanes = (LANES / threads).max(1);
        let options = by_keys(options);
        let copying = pool(&options, COPYING)?;
        let (pools, closed) = (ThreadLocal::new(), AtomicBool::new(false));
        Ok(Self(Arc::new(Threads { options, lanes, pools, copying, closed })))
    }

    /// All rows that a query gives, each restored. Bounded in time.
    pub(crate) async fn read<T>(
        &self,
        query: Query<'_, Postgres, PgArguments>,
        restore: impl Fn(&PgRow) -> Result<T, Unread>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = bounded(async {
            let mut lane = self.own()?.get().await.map_err(refused)?;
            lane.settled = false;
            let rows = query.fetch_all(&mut lane.connection).await;
            lane.settled = !matches!(rows, Err(sqlx::Error::Io(_) | sqlx::Error::Protocol(_)));
            Ok(rows?)
        });
        Ok(rows.await?.iter().map(restore).collect::<Result<_, _>>()?)
    }

    /// Opens a connection that copies before it is needed: over TLS that takes about 90 ms, nearly all of it waiting (see
    /// [`AT_ONCE`]). Where it cannot be opened, whatever needs it first is told.
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
        let gathered = bounded(async {
            let mut lane = self.0.copying.get().await.map_err(refused)?;
            lane.settled = false;
            let (mut rows, mut gathered) = (CopiedRows::default(), T::default());
            let mut parts = lane.connection.copy_out_raw(&statement).await?;
            while let Some(part) = parts.try_next().await? {
                rows.read(&part, |row| add(row, &mut gathered))?;
            }
            drop(parts);
            lane.settled = true;
            Ok(gathered)
        });
        gathered.await
    }

    /// The connections of this thread.
    fn own(&self) -> Result<&Pool<Opener>, Failure> {
        let Threads { options, lanes, pools, closed, .. } = &*self.0;
        if closed.load(Ordering::Acquire) {
            return Err(Failure::unavailable("the database is closed"));
        }
        pools.get_or_try(|| pool(options, *lanes))
    }

    /// Closes them all. Those in use are closed after their use.
    pub(crate) fn close(&self) {
        self.0.closed.store(true, Ordering::Release);
        for pool in &self.0.pools {
            pool.close();
        }
        self.0.copying.close();
    }
}

fn pool(options: &PgConnectOptions, most: usize) -> Result<Pool<Opener>, Failure> {
    let built = Pool::builder(Opener(options.clone())).max_size(most).build();
    built.map_err(|error| Failure::unavailable(error.to_string()))
}

fn refused(error: PoolError<sqlx::Error>) -> Failure {
    let reason = error.to_string();
    if let PoolError::Backend(error) = error { error.into() } else { Failure::unavailable(reason) }
}

/// A connection, and whether its last use came to an end: one that was left midway is not used again.
#[derive(Debug)]
pub(crate) struct Lane {
    connection: PgConnection,
    settled: bool,
}

#[derive(Debug)]
struct Opener(PgConnectOptions);

impl Manager for Opener {
    type Type = Lane;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<Lane, sqlx::Error> {
        Ok(Lane { connection: PgConnection::connect_with(&self.0).await?, settled: true })
    }

    async fn recycle(&self, lane: &mut Lane, _: &Metrics) -> RecycleResult<sqlx::Error> {
        if lane.settled { Ok(()) } else { Err(RecycleError::message("was left midway")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether connections to this address are left plain.
    fn plain(url: &str) -> bool {
        matches!(connect_options(url).unwrap().get_ssl_mode(), PgSslMode::Disable)
    }

    #[test]
    fn a_server_on_this_machine_is_spoken_to_plainly() {
        for host in ["127.0.0.1", "localhost", "[::1]", "127.9.9.9:5433"] {
            assert!(plain(&format!("postgres://parlance@{host}/parlance")), "{host}");
        }
    }

    #[test]
    fn a_server_elsewhere_is_spoken_to_as_the_driver_does() {
        for host in ["db.internal", "10.0.0.1", "localhost.example"] {
            assert!(!plain(&format!("postgres://parlance@{host}/parlance")), "{host}");
        }
    }

    #[test]
    fn an_address_that_asks_for_encryption_gets_it() {
        for mode in ["require", "verify-ca", "verify-full"] {
            assert!(!plain(&format!("postgres://parlance@127.0.0.1/parlance?sslmode={mode}")), "{mode}");
        }
    }
}
