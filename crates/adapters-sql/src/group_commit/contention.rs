//! Writes that another transaction is in the way of. They go on apart from the writer, so that those who share a batch with
//! them, mostly of other tenants, do not wait as long as they do.
//!
//! Which row of a batch waits, the server does not say. A search halves the batch until the row is found, and commits all
//! that does not wait. The writes of a row that was found wait for it on a connection of their own, with those that come
//! for it meanwhile, each until its caller gives up.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::sleep;

use super::{
    Pending,
    batch::{BatchRow, Key, Writes, commit},
    connection::{StatementLimits, WriterConnection},
};
use crate::{
    error::{CALL_TIMEOUT, Failure},
    messages::Trust,
};

/// How many connections writes wait or are searched on at most, for each kind of write.
const MAX_APART: usize = 16;

/// What the parts of a batch are held to while the row is searched that waits.
const SEARCH_LIMITS: StatementLimits =
    StatementLimits { lock: Duration::from_millis(10), statement: Duration::from_millis(50) };

/// What the writes of one row are held to. They are begun again each time, so that none outlives its caller by more.
const WAITING_LIMITS: StatementLimits = StatementLimits { lock: Duration::from_millis(500), statement: CALL_TIMEOUT };

/// How long writes rest before they are begun again: a conflict may be told at once.
const REST: Duration = Duration::from_millis(10);

/// The writes of one kind that go on apart from the writer. Cloning shares them.
pub(super) struct WaitingApart<Row: BatchRow>(Arc<Mutex<Apart<Row>>>);

struct Apart<Row: BatchRow> {
    /// The rows that are waited for, each with the writes that came since those before were begun.
    rows: HashMap<Key, Writes<Row>>,
    /// How many batches are searched.
    searches: usize,
}

impl<Row: BatchRow> Default for WaitingApart<Row> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Apart { rows: HashMap::new(), searches: 0 })))
    }
}

impl<Row: BatchRow> Clone for WaitingApart<Row> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Row: BatchRow> WaitingApart<Row> {
    fn apart(&self) -> MutexGuard<'_, Apart<Row>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has those of these writes wait whose row is waited for already, and gives the others.
    pub(super) fn divert(&self, writes: Writes<Row>) -> Writes<Row> {
        let mut apart = self.apart();
        if apart.rows.is_empty() {
            return writes;
        }
        let divert = |write: Pending<Row, Row::Outcome>| match apart.rows.get_mut(&write.entry.row.waits_for()) {
            Some(waiting) => {
                waiting.push(write);
                None
            }
            None => Some(write),
        };
        writes.into_iter().filter_map(divert).collect()
    }

    /// Searches groups of writes for the rows that wait, and commits all others, on a further connection. Where there are
    /// too many such connections, the writes fail.
    pub(super) fn search(&self, groups: Vec<Writes<Row>>, beside: &WriterConnection, trust: &Arc<Trust>) {
        {
            let mut apart = self.apart();
            if apart.is_full() {
                let failure = Failure::unavailable("other transactions hold locks that too many writes wait for");
                return groups.into_iter().flatten().for_each(|write| write.fail(failure.clone()));
            }
            apart.searches += 1;
        }
        let search = Search(self.clone());
        let (this, trust, mut connection) = (self.clone(), Arc::clone(trust), beside.another(SEARCH_LIMITS));
        tokio::spawn(async move {
            let _search = search;
            let mut groups = this.sort_out(groups, &connection, &trust);
            while !groups.is_empty() {
                let waiting = commit(groups, &mut connection, &trust).await;
                groups = this.sort_out(waiting, &connection, &trust);
                if !groups.is_empty() {
                    sleep(REST).await;
                }
            }
            connection.close().await;
        });
    }

    /// What to commit next of groups that wait: their halves. A write that is alone waits for its row from now on, where
    /// there is a connection for it.
    fn sort_out(&self, groups: Vec<Writes<Row>>, beside: &WriterConnection, trust: &Arc<Trust>) -> Vec<Writes<Row>> {
        let mut next = Vec::new();
        for group in groups {
            let before = group.len();
            let mut group = self.divert(still_wanted(group));
            match group.len() {
                0 => {}
                // What was in the way may be gone with those that went.
                rest if rest < before => next.push(group),
                1 => next.extend(self.wait(group, beside, trust)),
                several => {
                    let half = group.split_off(several / 2);
                    next.extend([half, group]);
                }
            }
        }
        next
    }

    /// Has the write of a row wait for it, and gives it back where there are too many connections that do.
    fn wait(&self, write: Writes<Row>, beside: &WriterConnection, trust: &Arc<Trust>) -> Option<Writes<Row>> {
        let key = write.first()?.entry.row.waits_for();
        {
            let mut apart = self.apart();
            if apart.is_full() {
                return Some(write);
            }
            apart.rows.insert(key.clone(), Vec::new());
        }
        let mut row = WaitedFor { apart: self.clone(), key: Some(key) };
        let (trust, mut connection) = (Arc::clone(trust), beside.another(WAITING_LIMITS));
        tokio::spawn(async move {
            let mut writes = write;
            while !writes.is_empty() {
                let waiting = commit(vec![writes], &mut connection, &trust).await;
                writes = row.joined_by_newcomers(waiting.into_iter().flatten().collect());
                if !writes.is_empty() {
                    sleep(REST).await;
                }
            }
            connection.close().await;
        });
        None
    }
}

/// A search that is counted until this is dropped.
struct Search<Row: BatchRow>(WaitingApart<Row>);

impl<Row: BatchRow> Drop for Search<Row> {
    fn drop(&mut self) {
        self.0.apart().searches -= 1;
    }
}

/// A row that is waited for until this is dropped, so that no write is kept for a task that has ended.
struct WaitedFor<Row: BatchRow> {
    apart: WaitingApart<Row>,
    key: Option<Key>,
}

impl<Row: BatchRow> WaitedFor<Row> {
    /// These writes of the row with those that came meanwhile. Where none is left, the row is waited for no more.
    fn joined_by_newcomers(&mut self, mut writes: Writes<Row>) -> Writes<Row> {
        let mut apart = self.apart.apart();
        if let Some(newcomers) = self.key.as_ref().and_then(|key| apart.rows.get_mut(key)) {
            writes.append(newcomers);
        }
        let writes = still_wanted(writes);
        if writes.is_empty()
            && let Some(key) = self.key.take()
        {
            apart.rows.remove(&key);
        }
        writes
    }
}

impl<Row: BatchRow> Drop for WaitedFor<Row> {
    fn drop(&mut self) {
        if let Some(key) = self.key.take() {
            self.apart.apart().rows.remove(&key);
        }
    }
}

impl<Row: BatchRow> Apart<Row> {
    fn is_full(&self) -> bool {
        self.rows.len() + self.searches >= MAX_APART
    }
}

/// Those of these writes whose caller has not given up.
fn still_wanted<Row: BatchRow>(mut writes: Writes<Row>) -> Writes<Row> {
    writes.retain(|write| !write.is_abandoned());
    writes
}
