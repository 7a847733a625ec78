//! Signals from the writer of a SQLite database to its readers.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

/// Signals from the writer to the readers. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct WriterSignals(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    commits: AtomicU64,
    wal_pressure: AtomicBool,
}

impl WriterSignals {
    /// Counts a commit. The writer calls this before it answers any caller.
    pub(crate) fn record_commit(&self) {
        self.0.commits.fetch_add(1, Ordering::AcqRel);
    }

    /// Sets whether the write-ahead log is so long that readers must not keep it from being reset.
    pub(crate) fn set_wal_pressure(&self, wal_pressure: bool) {
        self.0.wal_pressure.store(wal_pressure, Ordering::Relaxed);
    }

    pub(super) fn commits(&self) -> u64 {
        self.0.commits.load(Ordering::Acquire)
    }

    pub(crate) fn has_wal_pressure(&self) -> bool {
        self.0.wal_pressure.load(Ordering::Relaxed)
    }
}
