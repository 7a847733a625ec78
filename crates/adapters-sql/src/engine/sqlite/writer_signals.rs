//! Signals from the writer of a SQLite database to its readers, and counts of what was deleted.

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
    /// The deletions since the database was opened, without the one that an earlier process may have left.
    deletions: AtomicU64,
    /// The number of deletions, from 1 on, whose bytes are gone from the pages, and from all files.
    cleared_pages: AtomicU64,
    cleared_files: AtomicU64,
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

    /// Counts a committed deletion of content.
    pub(crate) fn record_deletion(&self) {
        self.0.deletions.fetch_add(1, Ordering::AcqRel);
    }

    /// The number of deletions, counted from 1 because an earlier process may have left one.
    pub(crate) fn deletions(&self) -> u64 {
        self.0.deletions.load(Ordering::Acquire).saturating_add(1)
    }

    /// Whether pages may still hold bytes of one of the first `deletions`.
    pub(crate) fn pages_need_clearing(&self, deletions: u64) -> bool {
        self.0.cleared_pages.load(Ordering::Acquire) < deletions
    }

    /// Whether any file may still hold bytes of one of the first `deletions`.
    pub(crate) fn files_need_clearing(&self, deletions: u64) -> bool {
        self.0.cleared_files.load(Ordering::Acquire) < deletions
    }

    /// Records that no page holds bytes of the first `deletions`.
    pub(crate) fn record_pages_cleared(&self, deletions: u64) {
        self.0.cleared_pages.fetch_max(deletions, Ordering::AcqRel);
    }

    /// Records that no file holds bytes of the first `deletions`.
    pub(crate) fn record_files_cleared(&self, deletions: u64) {
        self.0.cleared_files.fetch_max(deletions, Ordering::AcqRel);
    }

    pub(super) fn commits(&self) -> u64 {
        self.0.commits.load(Ordering::Acquire)
    }

    pub(crate) fn has_wal_pressure(&self) -> bool {
        self.0.wal_pressure.load(Ordering::Relaxed)
    }
}
