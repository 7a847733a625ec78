//! The PostgreSQL writer: one task, one connection.
//!
//! Where one thread answers all requests, the task runs on that thread, so that no write crosses threads. Two writers
//! were slower than one: each has smaller batches, and the server flushes as often as before.

use std::future::Future;

use sea_orm::sqlx::query_scalar;
use tokio::runtime::Handle;

use super::{
    Servers, WriterStats,
    batch::BATCH_LIMITS,
    cpu_pressure::CpuPressure,
    options::with_index_plans,
    peer_writes::{self, PeerWriteDetector},
    writer_connection::WriterConnection,
};
use crate::engine::write_queue::{Commands, WriteJob, WriteQueue, queue};

/// How often a request thread runs its other tasks before a batch, while peers write and CPU pressure is high. Fewer,
/// larger batches then cost the server and the program less. Without CPU pressure, the server would idle meanwhile.
const YIELDS: u32 = 2;

/// A write that the PostgreSQL writer applies.
pub(crate) trait PostgresJob: WriteJob + Sized {
    /// A batcher for each kind of write, kept between commits.
    type Batchers: Default + Send + Sync + 'static;

    /// Commits writes and answers their callers. Returns the number of transactions.
    fn commit(
        jobs: Vec<Self>,
        batchers: &Self::Batchers,
        connection: &mut WriterConnection,
    ) -> impl Future<Output = u32> + Send;
}

/// Starts the writer of a database in the caller's runtime. The writer ends when the queue is stopped or dropped.
pub(crate) fn start_writer<Job: PostgresJob>(servers: &Servers, stats: WriterStats) -> WriteQueue<Job> {
    let (sender, commands) = queue();
    let connection = WriterConnection::new(&with_index_plans(servers), stats, BATCH_LIMITS);
    Writer::new(connection, commands).spawn_on(&Handle::current());
    sender
}

struct Writer<Job: PostgresJob> {
    connection: WriterConnection,
    batchers: Job::Batchers,
    /// None once the queue has ended, or another writer has taken it over.
    commands: Option<Commands<Job>>,
    /// The runtime in which the writer began, once it has moved to another.
    origin_runtime: Option<Handle>,
    peers: PeerWriteDetector,
    cpu: CpuPressure,
}

/// When the thread of a moved writer ends, a new writer goes on in the original runtime. For writes that the old writer
/// has already taken from the queue, the callers get an error: the outcome is unknown.
impl<Job: PostgresJob> Drop for Writer<Job> {
    fn drop(&mut self) {
        if let (Some(runtime), Some(commands)) = (self.origin_runtime.take(), self.commands.take()) {
            Self::new(self.connection.with_limits(BATCH_LIMITS), commands).spawn_on(&runtime);
        }
    }
}

impl<Job: PostgresJob> Writer<Job> {
    fn new(connection: WriterConnection, commands: Commands<Job>) -> Self {
        Self {
            connection,
            batchers: Job::Batchers::default(),
            commands: Some(commands),
            origin_runtime: None,
            peers: PeerWriteDetector::default(),
            cpu: CpuPressure::default(),
        }
    }

    fn spawn_on(self, runtime: &Handle) {
        runtime.spawn(self.run());
    }

    async fn run(mut self) {
        while let Some((jobs, runtime)) = self.next().await {
            if !jobs.is_empty() {
                let transactions = Job::commit(jobs, &self.batchers, &mut self.connection).await;
                self.peers.count_own(transactions);
            }
            self.sample_load().await;
            if let Some(runtime) = runtime {
                return self.move_to(&runtime).await;
            }
        }
        self.connection.close().await;
        if let Some(commands) = self.commands.take() {
            commands.end();
        }
    }

    /// The next writes, and the runtime to move to after them, if any.
    async fn next(&mut self) -> Option<(Vec<Job>, Option<Handle>)> {
        let yields = self.yields();
        let commands = self.commands.as_mut()?;
        let jobs = commands.next_after(yields).await?;
        Some((jobs, commands.migrate_to.take()))
    }

    fn yields(&self) -> u32 {
        if self.origin_runtime.is_some() && self.peers.peers_write() && self.cpu.is_high() { YIELDS } else { 0 }
    }

    /// Samples peer writes and CPU pressure if the writer runs on a request thread and a sample is due. The callers of
    /// the last batch have been answered.
    async fn sample_load(&mut self) {
        if self.origin_runtime.is_none() || !self.peers.is_sample_due() {
            return;
        }
        self.cpu.sample();
        if self.connection.is_open() {
            let next = self
                .connection
                .run(&(), |connection, ()| Box::pin(query_scalar(peer_writes::NEXT_XID).fetch_one(connection)));
            self.peers.record_sample(next.await.ok());
        }
    }

    /// A connection stays with the runtime whose reactor registered its socket, so the moved writer opens another.
    async fn move_to(mut self, runtime: &Handle) {
        self.connection.close().await;
        self.origin_runtime.get_or_insert_with(Handle::current);
        self.spawn_on(runtime);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{
        postgres,
        write_queue::tests::{EmptyJob, submit_two},
    };

    impl PostgresJob for EmptyJob {
        type Batchers = ();

        async fn commit(jobs: Vec<Self>, (): &(), _: &mut WriterConnection) -> u32 {
            u32::try_from(jobs.len()).unwrap()
        }
    }

    /// A writer on a request thread, with peers that write and high CPU pressure, and its queue.
    fn writer_that_yields() -> (WriteQueue<EmptyJob>, Writer<EmptyJob>) {
        let (sender, commands) = queue();
        let servers = postgres::parse_servers("postgres://127.0.0.1/parlance").unwrap();
        let connection = WriterConnection::new(&servers, WriterStats::default(), BATCH_LIMITS);
        let mut writer = Writer::new(connection, commands);
        writer.origin_runtime = Some(Handle::current());
        (writer.peers, writer.cpu) = (PeerWriteDetector::with_writing_peers(), CpuPressure::with_high_pressure());
        (sender, writer)
    }

    #[tokio::test]
    async fn a_write_that_is_queued_during_the_yields_joins_the_batch() {
        let (sender, mut writer) = writer_that_yields();
        submit_two(sender);
        assert_eq!(writer.next().await.unwrap().0.len(), 2);
    }

    #[tokio::test]
    async fn cpu_pressure_is_sampled_once_in_256_transactions() {
        let (_, mut writer) = writer_that_yields();
        writer.peers.count_own(256);
        writer.cpu = CpuPressure::default();
        writer.sample_load().await;
        assert_eq!(writer.cpu.has_sample(), CpuPressure::is_supported());
    }

    #[tokio::test]
    async fn the_writer_yields_where_peers_write_and_cpu_pressure_is_high() {
        assert_eq!(writer_that_yields().1.yields(), YIELDS);
    }

    #[tokio::test]
    async fn the_writer_does_not_yield_where_no_peer_writes() {
        let (_, mut writer) = writer_that_yields();
        writer.peers = PeerWriteDetector::default();
        assert_eq!(writer.yields(), 0);
    }

    #[tokio::test]
    async fn the_writer_does_not_yield_without_cpu_pressure() {
        let (_, mut writer) = writer_that_yields();
        writer.cpu = CpuPressure::default();
        assert_eq!(writer.yields(), 0);
    }

    #[tokio::test]
    async fn the_writer_does_not_yield_on_a_thread_that_answers_no_requests() {
        let (_, mut writer) = writer_that_yields();
        writer.origin_runtime = None;
        assert_eq!(writer.yields(), 0);
    }
}
