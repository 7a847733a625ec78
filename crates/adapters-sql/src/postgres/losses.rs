//! Which pooled connections to PostgreSQL may still be used.
//!
//! A server that restarts or fails over ends all its connections, and a pool finds that out one connection at a time. All
//! pools of a database therefore share one record of losses: when one pool finds a connection lost, every pool replaces the
//! connections that it opened before that moment.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sea_orm::sqlx::{Connection, postgres::PgConnection};
use tokio::time::timeout;

/// How long a server may take to answer a check. A connection to a host that is gone gives no error, only silence.
const CHECK_TIMEOUT: Duration = Duration::from_millis(500);

/// After how much idle time a connection that writes is checked. No server restarts within less, and a connection in
/// frequent use never pays for a check.
pub(crate) const CHECK_WRITER_AFTER: Duration = Duration::from_millis(100);

/// After how much idle time a connection that only reads is checked. A read that finds its connection lost is tried again,
/// so that the check is needed only against a host that no longer answers.
pub(crate) const CHECK_READER_AFTER: Duration = Duration::from_secs(5);

/// The record of lost connections that all pools of one database share. Cloning shares it.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionLosses(Arc<Losses>);

#[derive(Debug)]
struct Losses {
    origin: Instant,
    /// When the last loss was found, in microseconds since `origin`; zero where there was none.
    last_micros: AtomicU64,
    count: AtomicU64,
}

impl Default for ConnectionLosses {
    fn default() -> Self {
        let (last_micros, count) = (AtomicU64::new(0), AtomicU64::new(0));
        Self(Arc::new(Losses { origin: Instant::now(), last_micros, count }))
    }
}

impl ConnectionLosses {
    /// Notes that a connection was found lost: every connection that was opened before is replaced before its next use.
    pub(crate) fn record(&self) {
        let now = micros(self.0.origin.elapsed()).max(1);
        self.0.last_micros.fetch_max(now, Ordering::AcqRel);
        self.0.count.fetch_add(1, Ordering::Relaxed);
    }

    /// How many connections were found lost.
    pub(crate) fn count(&self) -> u64 {
        self.0.count.load(Ordering::Relaxed)
    }

    /// Whether a loss was found since a connection was opened, `age` ago.
    fn follow(&self, age: Duration) -> bool {
        let opened = self.0.origin.elapsed().saturating_sub(age);
        let last = self.0.last_micros.load(Ordering::Acquire);
        last > 0 && micros(opened) <= last
    }

    /// Whether an idle connection may be used: no loss was found since it was opened, `age` ago, and where it was `idle`
    /// for as long as `check_after` or longer, the server answers on it. A connection that does not answer is a loss.
    pub(crate) async fn spare(
        &self,
        connection: &mut PgConnection,
        age: Duration,
        idle: Duration,
        check_after: Duration,
    ) -> bool {
        if self.follow(age) {
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
        assert!(!ConnectionLosses::default().follow(Duration::ZERO));
        assert!(!ConnectionLosses::default().follow(Duration::from_hours(1)));
    }

    #[test]
    fn a_loss_replaces_the_connections_that_were_opened_before_it_in_every_pool() {
        let losses = ConnectionLosses::default();
        let other_pool = losses.clone();
        losses.record();
        assert!(other_pool.follow(Duration::from_secs(1)));
        assert_eq!(other_pool.count(), 1);
    }

    #[test]
    fn a_connection_that_is_opened_after_a_loss_is_kept() {
        let losses = ConnectionLosses::default();
        losses.record();
        let found = losses.0.origin.elapsed();
        while losses.0.origin.elapsed() <= found + Duration::from_micros(1) {}
        assert!(!losses.follow(Duration::ZERO));
    }
}
