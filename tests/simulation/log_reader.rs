//! The change log as one replica reads it: in several steps, between which other transactions go on.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    event::{ChangeLog, FeedChange, LogBounds, LogEntry, LogPage, LogPosition, LogRead, LogStatus, PositionState},
    time::Timestamp,
};

use crate::{
    fault::Fault,
    log_state::{LogDatabase, LogRow, passes_open_transactions},
};

/// Reads the log of a database.
pub(crate) struct LogReader(pub(crate) LogDatabase);

/// The rows of a tenant from that of a position on.
struct Rows {
    tag_at_position: Option<i64>,
    entries: Vec<LogEntry>,
    has_more: bool,
}

impl LogReader {
    /// The greatest number up to which the rows are complete: the last number is read first, then the announced ones.
    async fn watermark(&self) -> i64 {
        let Self(database) = self;
        let world = &database.world;
        if passes_open_transactions(world) {
            return i64::MAX;
        }
        if world.has(Fault::KeysBeforeHead) {
            let announced = database.state().announced.values().flatten().copied().min();
            world.step().await;
            return announced.unwrap_or(database.state().head);
        }
        let head = database.state().head;
        world.step().await;
        let announced = database.state().announced.values().flatten().copied().min();
        announced.unwrap_or(head).min(head)
    }

    /// The visible rows after a position, up to the watermark. A reader that is at a position has read its row, so the
    /// row is complete even if a transaction has announced a smaller number since.
    fn rows(&self, tenant: &TenantId, after: LogPosition, watermark: i64, max_rows: usize) -> Rows {
        let state = self.0.state();
        let passed = if self.0.world.has(Fault::CursorAboveWatermark) { 0 } else { after.sequence };
        let watermark = watermark.max(passed);
        let is_readable = |number: i64, row: &LogRow| row.is_visible && row.tenant == *tenant && number <= watermark;
        let readable = state.rows.iter().filter(|(number, row)| is_readable(**number, row));
        let mut rows: Vec<_> = readable.collect();
        let row_at_position = state.rows.get(&after.sequence).filter(|row| is_readable(after.sequence, row));
        if let Some(last) = row_at_position.filter(|_| self.0.world.has(Fault::SkippingByTime)) {
            rows.retain(|(number, row)| row.occurred_at > last.occurred_at || **number == after.sequence);
            rows.sort_by_key(|(_, row)| row.occurred_at);
        } else {
            rows.retain(|(number, _)| **number >= after.sequence);
        }
        let has_more = rows.len() > max_rows;
        let entries = rows.into_iter().take(max_rows).flat_map(|(number, row)| {
            row.changes.iter().enumerate().map(|(index, change)| LogEntry {
                position: row.position(*number, index),
                occurred_at: row.occurred_at,
                change: change.clone(),
            })
        });
        let is_after = |at: LogPosition| at.sequence != after.sequence || at.index > after.index;
        let entries = entries.filter(|entry| is_after(entry.position)).collect();
        Rows { tag_at_position: row_at_position.map(|row| row.tag), entries, has_more }
    }

    fn last_dropped(&self, tenant: &TenantId) -> Option<LogPosition> {
        self.0.state().last_dropped.get(tenant).copied()
    }

    /// Fails if the store is refused or gives no answer.
    async fn connect(&self) -> Result<(), StoreError> {
        let world = &self.0.world;
        world.step().await;
        if world.happens(|chaos| chaos.refused) {
            return Err(StoreError::new(StoreErrorKind::Unavailable, "the simulated log gives no answer"));
        }
        Ok(())
    }
}

#[async_trait]
impl ChangeLog for LogReader {
    async fn read(&self, tenant: &TenantId, after: LogPosition, limit: usize) -> Result<LogRead, StoreError> {
        let world = &self.0.world;
        self.connect().await?;
        let max_rows = usize::try_from(2 + world.below(4)).unwrap();
        let (bounds_first, rows_first) = (world.has(Fault::BoundsBeforeRows), world.has(Fault::RowsBeforeWatermark));
        let mut last_dropped = self.last_dropped(tenant);
        world.step().await;
        let rows = if rows_first {
            let rows = self.rows(tenant, after, i64::MAX, max_rows);
            world.step().await;
            let watermark = self.watermark().await;
            let entries = rows.entries.into_iter().filter(|entry| entry.position.sequence <= watermark).collect();
            Rows { entries, ..rows }
        } else {
            let watermark = self.watermark().await;
            world.step().await;
            self.rows(tenant, after, watermark, max_rows)
        };
        world.step().await;
        if !bounds_first {
            last_dropped = self.last_dropped(tenant);
        }
        let bounds = LogBounds { last_dropped, tag_at_position: rows.tag_at_position };
        Ok(match bounds.state_of(after) {
            PositionState::Expired => LogRead::Expired,
            PositionState::Unknown => LogRead::Unknown,
            PositionState::Valid => {
                let Rows { mut entries, has_more, .. } = rows;
                let has_more = has_more || entries.len() > limit;
                entries.truncate(limit);
                LogRead::Page(LogPage { entries, has_more })
            }
        })
    }

    async fn oldest(&self, tenant: &TenantId) -> Result<LogPosition, StoreError> {
        self.connect().await?;
        Ok(self.last_dropped(tenant).unwrap_or(LogPosition::START))
    }

    async fn newest(&self, tenant: &TenantId) -> Result<LogPosition, StoreError> {
        self.connect().await?;
        let watermark = self.watermark().await;
        let newest = {
            let state = self.0.state();
            let readable = state.rows.iter().filter(|(_, row)| row.is_visible && row.tenant == *tenant);
            readable.rev().find(|(number, _)| **number <= watermark).map(|(number, row)| row.last(*number))
        };
        Ok(newest.or(self.last_dropped(tenant)).unwrap_or(LogPosition::START))
    }

    async fn has_entries(&self, positions: &[(TenantId, LogPosition)]) -> Result<Vec<bool>, StoreError> {
        self.connect().await?;
        let watermark = self.watermark().await;
        let has_entry =
            |(tenant, after): &(TenantId, LogPosition)| !self.rows(tenant, *after, watermark, 2).entries.is_empty();
        Ok(positions.iter().map(has_entry).collect())
    }

    async fn append_feed_change(&self, _: &TenantId, _: &FeedChange) -> Result<(), StoreError> {
        Ok(())
    }

    async fn drop_before(&self, cutoff: Timestamp) -> Result<bool, StoreError> {
        self.0.drop_before(cutoff);
        Ok(false)
    }

    async fn status(&self) -> Result<LogStatus, StoreError> {
        Ok(LogStatus::default())
    }
}
