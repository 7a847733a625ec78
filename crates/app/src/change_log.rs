//! The change log of a server: dropping old entries, its metrics, and a probe that finds a stalled log.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    event::ChangeLog,
    readiness::{ProbeFailure, ReadinessProbe},
    time::{Clock, SECONDS_PER_DAY},
};
use tokio::time::{MissedTickBehavior, interval};

use crate::{metrics::ChangeLogMetrics, system::SystemClock};

/// Time between two readings of the state of the log.
const OBSERVE_INTERVAL: Duration = Duration::from_secs(10);

/// The number of readings between two runs that drop old entries: an hour.
const READINGS_PER_DROP: u32 = 360;

/// The age of an open transaction from which the log counts as stalled. Readers wait for the transaction.
const STALLED_AFTER: Duration = Duration::from_secs(30);

/// Drops old entries and measures the log. Each process runs it: concurrent runs do no harm.
pub(crate) struct ChangeLogTask {
    log: Arc<dyn ChangeLog>,
    retention_days: i64,
    metrics: ChangeLogMetrics,
}

impl ChangeLogTask {
    pub(crate) fn new(log: Arc<dyn ChangeLog>, retention_days: i64, metrics: ChangeLogMetrics) -> Self {
        Self { log, retention_days, metrics }
    }

    /// Drops old entries at once and then every hour, and measures the log every ten seconds. Never returns.
    pub(crate) async fn run(self) {
        let mut ticks = interval(OBSERVE_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for reading in (0..READINGS_PER_DROP).cycle() {
            ticks.tick().await;
            if reading == 0 {
                self.drop_old().await;
            }
            match self.log.status().await {
                Ok(status) => self.metrics.record(&status),
                Err(error) => tracing::debug!(cause = error.to_string(), "failed to read the state of the change log"),
            }
        }
    }

    async fn drop_old(&self) {
        let cutoff = SystemClock.now().plus_seconds(-self.retention_days * SECONDS_PER_DAY);
        loop {
            match self.log.drop_before(cutoff).await {
                Ok(has_more) => {
                    self.metrics.record_drop();
                    if !has_more {
                        return;
                    }
                }
                Err(error) => {
                    let cause = error.to_string();
                    return tracing::warn!(cause, "failed to drop old events; retrying in an hour");
                }
            }
        }
    }
}

/// Fails while a transaction holds up the readers of the change log.
pub(crate) struct ChangeLogProbe(Arc<dyn ChangeLog>);

impl ChangeLogProbe {
    pub(crate) fn new(log: Arc<dyn ChangeLog>) -> Self {
        Self(log)
    }
}

#[async_trait]
impl ReadinessProbe for ChangeLogProbe {
    fn part(&self) -> &'static str {
        "change_log"
    }

    fn is_required(&self) -> bool {
        false
    }

    fn failure(&self) -> ProbeFailure {
        ProbeFailure {
            rule: "change_log_advances",
            message: "waits for an open transaction: see `parlance doctor`, and end its session in the database",
        }
    }

    async fn check(&self) -> Result<(), StoreError> {
        let oldest = self.0.status().await?.oldest_open_transaction;
        if oldest.is_some_and(|age| age >= STALLED_AFTER) {
            return Err(StoreError::new(StoreErrorKind::Unavailable, "an open transaction holds up the change log"));
        }
        Ok(())
    }
}
