//! Numbers of the PostgreSQL writer, for metrics: its connections, and rare events of its batches.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use crate::engine::pool_use::PoolUse;

/// The numbers of one writer. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct WriterStats(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// Each open connection holds one more reference.
    open: Arc<()>,
    /// Each connection in use holds one more reference.
    in_use: Arc<()>,
    splits: AtomicU64,
    fallbacks: AtomicU64,
    blocked: AtomicU64,
}

impl WriterStats {
    /// Counts a connection as open, until the value is dropped.
    pub(super) fn count_open(&self) -> Arc<()> {
        Arc::clone(&self.0.open)
    }

    /// Counts a connection as in use, until the value is dropped.
    pub(super) fn count_in_use(&self) -> Arc<()> {
        Arc::clone(&self.0.in_use)
    }

    /// Records that a batch was halved.
    pub(super) fn record_split(&self) {
        self.0.splits.fetch_add(1, Ordering::Relaxed);
    }

    /// Records that a batch is written again in a slower way.
    pub(crate) fn record_fallback(&self) {
        self.0.fallbacks.fetch_add(1, Ordering::Relaxed);
    }

    /// Records that a batch left the writer, because a row of it was locked.
    pub(super) fn record_blocked(&self) {
        self.0.blocked.fetch_add(1, Ordering::Relaxed);
    }

    /// The use of the write connections, of which there are at most `max`.
    pub(crate) fn pool_use(&self, max: u32) -> PoolUse {
        let count = |references: &Arc<()>| Arc::strong_count(references) - 1;
        let (open, in_use) = (count(&self.0.open), count(&self.0.in_use));
        PoolUse::new(open, open.saturating_sub(in_use)).with_max(max)
    }

    pub(crate) fn splits(&self) -> u64 {
        self.0.splits.load(Ordering::Relaxed)
    }

    pub(crate) fn fallbacks(&self) -> u64 {
        self.0.fallbacks.load(Ordering::Relaxed)
    }

    pub(crate) fn blocked(&self) -> u64 {
        self.0.blocked.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_counted_until_its_references_are_dropped() {
        let stats = WriterStats::default();
        let (open, in_use) = (stats.count_open(), stats.count_in_use());
        assert_eq!(stats.pool_use(3), PoolUse { open: 1, in_use: 1, waiting: None, max: Some(3) });
        drop(in_use);
        assert_eq!(stats.pool_use(3), PoolUse { open: 1, in_use: 0, waiting: None, max: Some(3) });
        drop(open);
        assert_eq!(stats.pool_use(3), PoolUse { open: 0, in_use: 0, waiting: None, max: Some(3) });
    }
}
