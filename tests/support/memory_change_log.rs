//! The change log in memory.

use std::{
    collections::VecDeque,
    time::{SystemTime, UNIX_EPOCH},
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{
        Change, ChangeLog, FeedChange, LogBounds, LogEntry, LogPage, LogPosition, LogRead, LogStatus, PositionState,
    },
    time::Timestamp,
};

use crate::memory::MemoryStore;

/// The log of one tenant. Each row holds the changes of one commit.
#[derive(Default)]
pub(crate) struct MemoryLog {
    rows: VecDeque<Row>,
    last_dropped: Option<LogPosition>,
    feed_changes: Vec<FeedChange>,
}

struct Row {
    sequence: i64,
    tag: i64,
    occurred_at: Timestamp,
    changes: Vec<Change>,
}

impl MemoryLog {
    /// The number of rows, and of positions that are remembered without one.
    pub(crate) fn len(&self) -> usize {
        self.rows.len() + self.feed_changes.len() + usize::from(self.last_dropped.is_some())
    }
}

impl Row {
    fn position(&self, index: usize) -> LogPosition {
        LogPosition { sequence: self.sequence, index: u32::try_from(index).expect("a row is small"), tag: self.tag }
    }

    fn last(&self) -> LogPosition {
        self.position(self.changes.len() - 1)
    }
}

impl MemoryLog {
    /// Appends the changes of one commit. Without a change, there is no row.
    pub(crate) fn append(&mut self, changes: impl IntoIterator<Item = Change>) {
        let changes: Vec<_> = changes.into_iter().collect();
        if changes.is_empty() {
            return;
        }
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is after 1970").as_micros();
        let occurred_at = Timestamp::from_micros(i64::try_from(since_1970).expect("in range")).expect("in range");
        let sequence = self.newest().sequence + 1;
        // Unlike in SQL, the tag is derived from the number, so that tests are the same in each run.
        self.rows.push_back(Row { sequence, tag: sequence.wrapping_mul(0x9E37_79B9), occurred_at, changes });
    }

    fn oldest(&self) -> LogPosition {
        self.last_dropped.unwrap_or(LogPosition::START)
    }

    fn newest(&self) -> LogPosition {
        self.rows.back().map_or(self.oldest(), Row::last)
    }

    fn read(&self, after: LogPosition, limit: usize) -> LogRead {
        let row = self.rows.iter().find(|row| row.sequence == after.sequence);
        let bounds = LogBounds { last_dropped: self.last_dropped, tag_at_position: row.map(|row| row.tag) };
        match bounds.state_of(after) {
            PositionState::Expired => return LogRead::Expired,
            PositionState::Unknown => return LogRead::Unknown,
            PositionState::Valid => {}
        }
        let entries = self.rows.iter().flat_map(|row| {
            row.changes.iter().enumerate().map(|(index, change)| LogEntry {
                position: row.position(index),
                occurred_at: row.occurred_at,
                change: change.clone(),
            })
        });
        let is_after = |entry: &LogEntry| {
            (entry.position.sequence, entry.position.index) > (after.sequence, after.index)
                && (after != LogPosition::START || entry.position.sequence > 0)
        };
        let mut entries: Vec<_> = entries.filter(is_after).take(limit + 1).collect();
        let has_more = entries.len() > limit;
        entries.truncate(limit);
        LogRead::Page(LogPage { entries, has_more })
    }
}

impl MemoryStore {
    /// Appends the changes of one commit to the log of a tenant, for tests that need nothing but a log.
    pub fn append_changes(&self, tenant: &TenantId, changes: Vec<Change>) {
        self.with_tenant(tenant, |data| data.log.append(changes));
    }
}

#[async_trait]
impl ChangeLog for MemoryStore {
    async fn read(&self, tenant: &TenantId, after: LogPosition, limit: usize) -> Result<LogRead, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.log.read(after, limit)))
    }

    async fn oldest(&self, tenant: &TenantId) -> Result<LogPosition, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.log.oldest()))
    }

    async fn newest(&self, tenant: &TenantId) -> Result<LogPosition, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.log.newest()))
    }

    async fn has_entries(&self, positions: &[(TenantId, LogPosition)]) -> Result<Vec<bool>, StoreError> {
        let has_entry = |(tenant, position): &(TenantId, LogPosition)| {
            self.with_tenant(tenant, |data| data.log.newest() != *position)
        };
        Ok(positions.iter().map(has_entry).collect())
    }

    async fn append_feed_change(&self, tenant: &TenantId, change: &FeedChange) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            let is_known = |known: &FeedChange| {
                (&known.feed, known.day) == (&change.feed, change.day) && known.revision >= change.revision
            };
            if data.log.feed_changes.iter().any(is_known) {
                return;
            }
            let is_revised =
                data.log.feed_changes.iter().any(|known| (&known.feed, known.day) == (&change.feed, change.day));
            let event = if is_revised { Change::FeedDayRevised } else { Change::FeedDayCompleted };
            data.log.append([event(change.clone())]);
            data.log.feed_changes.push(change.clone());
        });
        Ok(())
    }

    async fn drop_before(&self, cutoff: Timestamp) -> Result<bool, StoreError> {
        for data in self.lock_tenants().values_mut() {
            while data.log.rows.front().is_some_and(|row| row.occurred_at < cutoff) {
                data.log.last_dropped = data.log.rows.pop_front().map(|row| row.last());
            }
        }
        Ok(false)
    }

    async fn status(&self) -> Result<LogStatus, StoreError> {
        let heads = self.lock_tenants().values().map(|data| data.log.newest().sequence).max();
        Ok(LogStatus { head: heads.unwrap_or_default(), ..LogStatus::default() })
    }
}
