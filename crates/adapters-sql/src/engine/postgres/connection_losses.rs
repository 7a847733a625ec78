//! Lost connections to PostgreSQL, shared by all pools of a database.
//!
//! A server that restarts or fails over ends all of its connections, but a pool notices that one connection at a time.
//! So all pools of a database share one record of losses. When one pool finds a connection lost, every pool replaces
//! the connections that it opened earlier.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// The idle time after which a write connection is checked. No server restarts within less, and a connection in
/// frequent use never pays for a check.
pub(crate) const CHECK_WRITER_AFTER: Duration = Duration::from_millis(100);

/// The idle time after which a read connection is checked. A read that finds its connection lost is retried, so the
/// check is needed only for a host that no longer answers.
pub(crate) const CHECK_READER_AFTER: Duration = Duration::from_secs(5);

/// The lost connections of one database. Clones share the record.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionLosses(Arc<Losses>);

#[derive(Debug)]
struct Losses {
    origin: Instant,
    /// The time of the last loss, in microseconds since `origin`; zero if there was none.
    last_micros: AtomicU64,
    /// The time of the last call without an answer, in the same form.
    silence_micros: AtomicU64,
    count: AtomicU64,
    retries: AtomicU64,
}

impl Default for ConnectionLosses {
    fn default() -> Self {
        let [last_micros, silence_micros, count, retries] = [const { AtomicU64::new(0) }; 4];
        Self(Arc::new(Losses { origin: Instant::now(), last_micros, silence_micros, count, retries }))
    }
}

impl ConnectionLosses {
    /// Records a lost connection. Every connection that was opened before now is replaced before its next use.
    pub(crate) fn record(&self) {
        self.replace_all();
        self.0.count.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of lost connections.
    pub(crate) fn count(&self) -> u64 {
        self.0.count.load(Ordering::Relaxed)
    }

    /// Records that a statement runs again, because its connection is lost.
    pub(crate) fn record_retry(&self) {
        self.0.retries.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of statements that ran again.
    pub(crate) fn retries(&self) -> u64 {
        self.0.retries.load(Ordering::Relaxed)
    }

    /// Makes every pool replace the connections that it opened before now, before their next use.
    pub(crate) fn replace_all(&self) {
        self.0.mark(&self.0.last_micros);
    }

    /// Records that a call ended without an answer of the server. Every connection that was used before now is checked
    /// before its next use.
    pub(crate) fn record_silence(&self) {
        self.0.mark(&self.0.silence_micros);
    }

    /// Whether a loss was recorded within the last `age`.
    pub(super) fn has_loss_within(&self, age: Duration) -> bool {
        self.0.is_within(&self.0.last_micros, age)
    }

    /// Whether a silence was recorded within the last `idle`.
    pub(super) fn has_silence_within(&self, idle: Duration) -> bool {
        self.0.is_within(&self.0.silence_micros, idle)
    }
}

impl Losses {
    fn mark(&self, time: &AtomicU64) {
        time.fetch_max(micros(self.origin.elapsed()).max(1), Ordering::AcqRel);
    }

    fn is_within(&self, time: &AtomicU64, duration: Duration) -> bool {
        let time = time.load(Ordering::Acquire);
        time > 0 && micros(self.origin.elapsed().saturating_sub(duration)) <= time
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_loss_no_connection_is_replaced() {
        assert!(!ConnectionLosses::default().has_loss_within(Duration::ZERO));
        assert!(!ConnectionLosses::default().has_loss_within(Duration::from_hours(1)));
    }

    #[test]
    fn a_loss_replaces_the_connections_that_were_opened_before_it_in_every_pool() {
        let losses = ConnectionLosses::default();
        let other_pool = losses.clone();
        losses.record();
        assert!(other_pool.has_loss_within(Duration::from_secs(1)));
        assert_eq!(other_pool.count(), 1);
    }

    #[test]
    fn a_silence_is_no_loss_and_has_the_connections_checked_that_were_used_before_it() {
        let losses = ConnectionLosses::default();
        losses.record_silence();
        assert!(losses.has_silence_within(Duration::from_secs(1)));
        assert!(!losses.has_loss_within(Duration::from_secs(1)));
    }

    #[test]
    fn a_connection_that_is_opened_after_a_loss_is_kept() {
        let losses = ConnectionLosses::default();
        losses.record();
        let loss_at = losses.0.origin.elapsed();
        while losses.0.origin.elapsed() <= loss_at + Duration::from_micros(2) {}
        assert!(!losses.has_loss_within(Duration::ZERO));
    }
}
