//! What a store has read of the log from a position on, and whether the log can be read on from there.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{LogBounds, LogPage, LogPosition, LogRead, PositionState},
};

use super::rows::LogRow;

/// The rows of a tenant from that of a position on, and the last dropped event, which was read after them.
pub(super) struct RowsRead {
    pub(super) rows: Vec<LogRow>,
    pub(super) last_dropped: Option<LogPosition>,
}

impl RowsRead {
    /// The outcome of a read after `after`. The store has read one row more than `limit`.
    pub(super) fn into_read(self, tenant: &TenantId, after: LogPosition, limit: usize) -> Result<LogRead, StoreError> {
        let Self { rows, last_dropped } = self;
        let row_of_position = rows.first().filter(|row| row.sequence == after.sequence);
        let bounds = LogBounds { last_dropped, tag_at_position: row_of_position.map(|row| row.tag) };
        match bounds.state_of(after) {
            PositionState::Expired => return Ok(LogRead::Expired),
            PositionState::Unknown => return Ok(LogRead::Unknown),
            PositionState::Valid => {}
        }
        let may_have_more = rows.len() > limit;
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows {
            let first = if row.sequence == after.sequence { after.index.saturating_add(1) } else { 0 };
            entries.extend(row.entries_from(first, tenant)?);
        }
        let has_more = may_have_more || entries.len() > limit;
        entries.truncate(limit);
        Ok(LogRead::Page(LogPage { entries, has_more }))
    }
}
