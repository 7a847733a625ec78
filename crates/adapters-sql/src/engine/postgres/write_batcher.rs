//! Commits batches of writes. Writes that wait for a lock of another transaction go on in tasks of their own, so that the
//! other writes of their batch, mostly of other tenants, do not wait as long.
//!
//! The server does not say which row of a batch is locked. A bisection halves the batch until the row is found, and
//! commits all writes that are not blocked. The writes of the locked row wait on a connection of their own, together
//! with later writes of that row, each until its caller gives up.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use parlance_domain::sync;
use tokio::time::sleep;

use super::{
    batch::{BatchRow, Writes, commit},
    writer_connection::{StatementLimits, WriterConnection},
};
use crate::{
    engine::write_queue::PendingWrite,
    error::{CALL_TIMEOUT, DbError},
};

/// The largest number of connections for bisections and locked rows, for each kind of write.
pub(crate) const MAX_CONNECTIONS: u32 = 16;

/// The timeouts of a group during a bisection.
const BISECTION_LIMITS: StatementLimits =
    StatementLimits { lock: Duration::from_millis(10), statement: Duration::from_millis(50) };

/// The timeouts of the writes of one locked row. The writes are retried after each timeout, so that no write outlives
/// its caller by more than that.
const ROW_LIMITS: StatementLimits = StatementLimits { lock: Duration::from_millis(500), statement: CALL_TIMEOUT };

/// The delay before blocked writes are retried, since a conflict may be reported at once.
const RETRY_DELAY: Duration = Duration::from_millis(10);

/// Commits writes of one kind, and keeps those that are contended. Clones share them.
pub(crate) struct WriteBatcher<Row: BatchRow> {
    contended: Arc<Mutex<ContentionState<Row>>>,
    state: Arc<Row::State>,
}

struct ContentionState<Row: BatchRow> {
    /// The locked rows. Each has the writes that were queued since its last try began.
    rows: HashMap<Row::Key, Writes<Row>>,
    /// The number of running bisections.
    bisections: usize,
}

impl<Row: BatchRow> Default for WriteBatcher<Row> {
    fn default() -> Self {
        Self {
            contended: Arc::new(Mutex::new(ContentionState { rows: HashMap::new(), bisections: 0 })),
            state: Arc::default(),
        }
    }
}

impl<Row: BatchRow> Clone for WriteBatcher<Row> {
    fn clone(&self) -> Self {
        Self { contended: Arc::clone(&self.contended), state: Arc::clone(&self.state) }
    }
}

impl<Row: BatchRow> WriteBatcher<Row> {
    fn lock(&self) -> MutexGuard<'_, ContentionState<Row>> {
        sync::lock(&self.contended)
    }

    /// Commits writes and answers each caller. Writes that wait for a lock longer than [`BATCH_LIMITS`](super::batch::BATCH_LIMITS) go on in tasks
    /// of their own, so that the next batch can begin.
    pub(crate) async fn commit(&self, writes: Writes<Row>, connection: &mut WriterConnection) {
        let blocked = commit(vec![self.divert(writes)], connection, &self.state).await;
        if !blocked.is_empty() {
            connection.stats().record_blocked();
            self.bisect(blocked, connection);
        }
    }

    /// Queues each write whose row is already known to be locked. Returns the other writes.
    fn divert(&self, writes: Writes<Row>) -> Writes<Row> {
        let mut contended = self.lock();
        if contended.rows.is_empty() {
            return writes;
        }
        let divert = |write: PendingWrite<Row, Row::Outcome>| match contended.rows.get_mut(&write.row.key()) {
            Some(queued) => {
                queued.push(write);
                None
            }
            None => Some(write),
        };
        writes.into_iter().filter_map(divert).collect()
    }

    /// Finds the locked rows of groups of writes, and commits all other writes, on another connection. If too many such
    /// connections are open, the writes fail.
    fn bisect(&self, groups: Vec<Writes<Row>>, template: &WriterConnection) {
        {
            let mut contended = self.lock();
            if contended.is_at_limit() {
                let failure = DbError::unavailable("too many writes wait for locks of other transactions");
                return groups.into_iter().flatten().for_each(|write| write.fail(failure.clone()));
            }
            contended.bisections += 1;
        }
        let guard = BisectionGuard(self.clone());
        let (this, mut connection) = (self.clone(), template.with_limits(BISECTION_LIMITS));
        tokio::spawn(async move {
            let _guard = guard;
            let mut groups = this.split_groups(groups, &connection);
            while !groups.is_empty() {
                let blocked = commit(groups, &mut connection, &this.state).await;
                groups = this.split_groups(blocked, &connection);
                if !groups.is_empty() {
                    sleep(RETRY_DELAY).await;
                }
            }
            connection.close().await;
        });
    }

    /// The groups to commit next: the halves of each blocked group. A single write waits for its row from now on, if
    /// there is a connection for it.
    fn split_groups(&self, groups: Vec<Writes<Row>>, template: &WriterConnection) -> Vec<Writes<Row>> {
        let mut next = Vec::new();
        for group in groups {
            let before = group.len();
            let mut group = self.divert(without_abandoned(group));
            match group.len() {
                0 => {}
                // The locked row may have been among the writes that left the group.
                rest if rest < before => next.push(group),
                1 => next.extend(self.wait_for_row(group, template)),
                count => {
                    let half = group.split_off(count / 2);
                    next.extend([half, group]);
                }
            }
        }
        next
    }

    /// Spawns a task that retries the write of a locked row. Returns the write if too many connections are open.
    fn wait_for_row(&self, write: Writes<Row>, template: &WriterConnection) -> Option<Writes<Row>> {
        let key = write.first()?.row.key();
        {
            let mut contended = self.lock();
            if contended.is_at_limit() {
                return Some(write);
            }
            contended.rows.insert(key.clone(), Vec::new());
        }
        let mut guard = RowGuard { batcher: self.clone(), key: Some(key) };
        let (state, mut connection) = (Arc::clone(&self.state), template.with_limits(ROW_LIMITS));
        tokio::spawn(async move {
            let mut writes = write;
            while !writes.is_empty() {
                let blocked = commit(vec![writes], &mut connection, &state).await;
                writes = guard.with_queued_writes(blocked.into_iter().flatten().collect());
                if !writes.is_empty() {
                    sleep(RETRY_DELAY).await;
                }
            }
            connection.close().await;
        });
        None
    }
}

/// Counts a bisection until dropped.
struct BisectionGuard<Row: BatchRow>(WriteBatcher<Row>);

impl<Row: BatchRow> Drop for BisectionGuard<Row> {
    fn drop(&mut self) {
        self.0.lock().bisections -= 1;
    }
}

/// Keeps a row listed as locked until dropped, so that no write is queued for a task that has ended.
struct RowGuard<Row: BatchRow> {
    batcher: WriteBatcher<Row>,
    key: Option<Row::Key>,
}

impl<Row: BatchRow> RowGuard<Row> {
    /// Adds the queued writes of the row to these writes. If none is left, the row is no longer listed.
    fn with_queued_writes(&mut self, mut writes: Writes<Row>) -> Writes<Row> {
        let mut contended = self.batcher.lock();
        if let Some(queued) = self.key.as_ref().and_then(|key| contended.rows.get_mut(key)) {
            writes.append(queued);
        }
        let writes = without_abandoned(writes);
        if writes.is_empty()
            && let Some(key) = self.key.take()
        {
            contended.rows.remove(&key);
        }
        writes
    }
}

impl<Row: BatchRow> Drop for RowGuard<Row> {
    fn drop(&mut self) {
        if let Some(key) = self.key.take() {
            self.batcher.lock().rows.remove(&key);
        }
    }
}

impl<Row: BatchRow> ContentionState<Row> {
    fn is_at_limit(&self) -> bool {
        self.rows.len() + self.bisections >= MAX_CONNECTIONS as usize
    }
}

/// The writes whose caller has not given up.
fn without_abandoned<Row: BatchRow>(mut writes: Writes<Row>) -> Writes<Row> {
    writes.retain(|write| !write.is_abandoned());
    writes
}
