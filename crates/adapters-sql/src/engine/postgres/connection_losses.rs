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

use sea_orm::sqlx::{Connection, postgres::PgConnection};
use tokio::time::timeout;

/// Timeout of a check. A connection to a host that is gone gives no error, only silence.
const CHECK_TIMEOUT: Duration = Duration::from_millis(500);

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
    count: AtomicU64,
    retries: AtomicU64,
}

impl Default for ConnectionLosses {
    fn default() -> Self {
        let (last_micros, count, retries) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        Self(Arc::new(Losses { origin: Instant::now(), last_micros, count, retries }))
    }
}

impl ConnectionLosses {
    /// Records a lost connection. Every connection that was opened before now is replaced before its next use.
    pub(crate) fn record(&self) {
        let now = micros(self.0.origin.elapsed()).max(1);
        self.0.last_micros.fetch_max(now, Ordering::AcqRel);
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

    /// Whether a loss was recorded since a connection was opened, `age` ago.
    fn has_loss_since_open(&self, age: Duration) -> bool {
        let opened = self.0.origin.elapsed().saturating_sub(age);
        let last = self.0.last_micros.load(Ordering::Acquire);
        last > 0 && micros(opened) <= last
    }

    /// Whether an idle connection may be used. No loss may have been recorded since it was opened, `age` ago. If it was
    /// `idle` for `check_after` or longer, the server must also answer on it; if the server does not, that is a loss.
    pub(crate) async fn is_usable(
        &self,
        connection: &mut PgConnection,
        age: Duration,
        idle: Duration,
        check_after: Duration,
    ) -> bool {
        if self.has_loss_since_open(age) {
            return false;
        }
        if idle < check_after {
            return true;
        }
        let answers = matches!(timeout(CHECK_TIMEOUT, connection.ping()).await, Ok(Ok(())));
        if !answers {
            self.record();
        }
        answers
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
        assert!(!ConnectionLosses::default().has_loss_since_open(Duration::ZERO));
        assert!(!ConnectionLosses::default().has_loss_since_open(Duration::from_hours(1)));
    }

    #[test]
    fn a_loss_replaces_the_connections_that_were_opened_before_it_in_every_pool() {
        let losses = ConnectionLosses::default();
        let other_pool = losses.clone();
        losses.record();
        assert!(other_pool.has_loss_since_open(Duration::from_secs(1)));
        assert_eq!(other_pool.count(), 1);
    }

    #[test]
    fn a_connection_that_is_opened_after_a_loss_is_kept() {
        let losses = ConnectionLosses::default();
        losses.record();
        let loss_at = losses.0.origin.elapsed();
        while losses.0.origin.elapsed() <= loss_at + Duration::from_micros(1) {}
        assert!(!losses.has_loss_since_open(Duration::ZERO));
    }
}
