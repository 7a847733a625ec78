//! What the scrub of the embedded database counts.

use parlance_adapters_sql::ScrubStep;
use prometheus_client::{
    metrics::{counter::Counter, gauge::Gauge},
    registry::Registry,
};

/// Rows, passes and faults of the scrub. Cloning shares them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScrubMetrics {
    rows: Counter,
    passes: Counter,
    faults: Gauge,
}

impl ScrubMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        let help = "Rows and entries of indexes that the scrub has read";
        registry.register("scrub_rows", help, metrics.rows.clone());
        registry.register("scrub_passes", "Whole passes of the scrub", metrics.passes.clone());
        let help = "Places that the last whole pass of the scrub found damaged, or this one where it has found more";
        registry.register("scrub_faults", help, metrics.faults.clone());
        metrics
    }

    /// Counts a step, after which so many faults are known.
    pub(crate) fn record(&self, step: &ScrubStep, faults: u64) {
        self.rows.inc_by(step.rows);
        self.passes.inc_by(u64::from(step.ends_pass));
        self.faults.set(i64::try_from(faults).unwrap_or(i64::MAX));
    }
}
