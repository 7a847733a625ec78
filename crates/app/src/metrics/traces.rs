//! Metrics of the traces that are sent to a collector.

use prometheus_client::{metrics::counter::Counter, registry::Registry};

/// Counts spans that were lost and requests to the collector that failed. Clones share the counters.
#[derive(Debug, Clone, Default)]
pub(crate) struct TraceMetrics {
    dropped: Counter,
    failed_exports: Counter,
}

impl TraceMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        let help = "Spans that were dropped: the queue was full, or the collector did not accept them";
        registry.register("trace_spans_dropped", help, self.dropped.clone());
        let help = "Requests to the collector of traces that failed";
        registry.register("trace_exports_failed", help, self.failed_exports.clone());
    }

    /// Counts spans that were dropped.
    pub(crate) fn record_dropped(&self, spans: u64) {
        self.dropped.inc_by(spans);
    }

    /// Counts a request to the collector that failed, and its spans.
    pub(crate) fn record_failed_export(&self, spans: u64) {
        self.failed_exports.inc();
        self.record_dropped(spans);
    }

    /// The number of spans that were dropped.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.get()
    }
}
