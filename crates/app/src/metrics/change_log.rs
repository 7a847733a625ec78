//! Metrics of the change log.

use std::{sync::atomic::AtomicU64, time::Duration};

use parlance_domain::event::LogStatus;
use prometheus_client::{
    metrics::{counter::Counter, gauge::Gauge},
    registry::Registry,
};

/// The state of the change log as it was read last. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChangeLogMetrics {
    head: Gauge,
    watermark_lag: Gauge,
    oldest_transaction: Gauge<f64, AtomicU64>,
    drops: Counter,
}

impl ChangeLogMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        registry.register("change_log_head", "The greatest number of a row of the change log", metrics.head.clone());
        let help = "Numbers of the change log that readers wait for, because a transaction that writes is open";
        registry.register("change_log_watermark_lag", help, metrics.watermark_lag.clone());
        let help =
            "Age of the oldest open transaction that holds up readers of the change log, in seconds; 0 without one";
        registry.register("change_log_oldest_transaction_seconds", help, metrics.oldest_transaction.clone());
        registry.register("change_log_drops", "Steps that dropped old rows of the change log", metrics.drops.clone());
        metrics
    }

    pub(crate) fn record(&self, status: &LogStatus) {
        self.head.set(status.head);
        self.watermark_lag.set(status.watermark_lag);
        self.oldest_transaction.set(status.oldest_open_transaction.unwrap_or(Duration::ZERO).as_secs_f64());
    }

    /// Counts a step that dropped old rows, or found none.
    pub(crate) fn record_drop(&self) {
        self.drops.inc();
    }
}
