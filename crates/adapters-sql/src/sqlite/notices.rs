//! Signals from the writer of a SQLite database to its readers.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

/// Signals from the writer to the readers. Cloning shares them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notices(Arc<Notice>);

#[derive(Debug, Default)]
struct Notice {
    commits: AtomicU64,
    give_way: AtomicBool,
}

impl Notices {
    /// Says that something was committed, before anybody else is told of it.
    pub(crate) fn committed(&self) {
        self.0.commits.fetch_add(1, Ordering::AcqRel);
    }

    /// Says whether the log is so long that nobody may keep it from beginning anew.
    pub(crate) fn give_way(&self, give_way: bool) {
        self.0.give_way.store(give_way, Ordering::Relaxed);
    }

    pub(super) fn commits(&self) -> u64 {
        self.0.commits.load(Ordering::Acquire)
    }

    pub(crate) fn must_give_way(&self) -> bool {
        self.0.give_way.load(Ordering::Relaxed)
    }
}
