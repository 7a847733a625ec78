//! Metrics of the scrub of the embedded database.

use parlance_adapters_sql::ScrubStep;
use prometheus_client::{
    metrics::{counter::Counter, gauge::Gauge},
    registry::Registry,
};

/// Counts rows, passes and faults of the scrub. Clones share the counters.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScrubMetrics {
    rows: Counter,
    passes: Counter,
    faults: Gauge,
}

impl ScrubMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        let help = "Table rows and index entries that the scrub has read";
        registry.register("scrub_rows", help, metrics.rows.clone());
        registry.register("scrub_passes", "Complete passes of the scrub", metrics.passes.clone());
        let help = "Faults found by the last complete pass of the scrub, or by the current pass if it found more";
        registry.register("scrub_faults", help, metrics.faults.clone());
        metrics
    }

    /// Counts a step. `faults` is the number of known faults after it.
    pub(crate) fn record(&self, step: &ScrubStep, faults: u64) {
        self.rows.inc_by(step.rows);
        self.passes.inc_by(u64::from(step.ends_pass));
        self.faults.set(i64::try_from(faults).unwrap_or(i64::MAX));
    }
}
