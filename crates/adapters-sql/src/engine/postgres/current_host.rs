//! The host that all pools of a database use, and the search for it.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
};

use sea_orm::sqlx::PgPool;
use tokio::sync::watch;

/// The current host, shared by all pools.
#[derive(Default)]
pub(super) struct CurrentHost {
    /// The index of the current host: the one that accepted a connection last.
    pub(super) index: AtomicUsize,
    /// How often the current host has changed.
    pub(super) host_changes: AtomicU64,
    /// How many connections have been opened, by all pools.
    pub(super) opened_connections: AtomicU64,
    is_searching: AtomicBool,
    /// Changes after each attempt of a search, to wake those who wait for it.
    pub(super) attempts: watch::Sender<u64>,
    /// The general pool, which opens its own connections and must be told the host.
    pub(super) pool: OnceLock<PgPool>,
}

/// A running search for a server. There is one at a time.
pub(super) struct Search(Arc<CurrentHost>);

impl Search {
    pub(super) fn begin(current: &Arc<CurrentHost>) -> Option<Self> {
        let is_searching = current.is_searching.swap(true, Ordering::AcqRel);
        (!is_searching).then(|| Self(Arc::clone(current)))
    }

    /// Wakes the calls that wait for an attempt.
    pub(super) fn wake_waiters(&self) {
        self.0.attempts.send_modify(|attempts| *attempts += 1);
    }
}

/// The runtime can drop a search before its end. Waiting calls must then wake, and the next one starts another search.
impl Drop for Search {
    fn drop(&mut self) {
        self.0.is_searching.store(false, Ordering::Release);
        self.wake_waiters();
    }
}
