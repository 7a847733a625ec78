//! Metrics of the external detector.

use std::{sync::Arc, time::Duration};

use parlance_adapters_detector::{BreakerState, CallOutcome, DetectorMeter, Rejection};
use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

use super::labels::Labels;

/// Histogram bounds of the seconds that a call takes.
const CALL_BOUNDS: [f64; 12] = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];

/// Counts calls of the external detector. Clones share the counters.
#[derive(Clone)]
pub(crate) struct DetectorMetrics {
    outcomes: Family<Labels<1>, Counter>,
    rejections: Family<Labels<1>, Counter>,
    calls: Arc<[(CallOutcome, Counter)]>,
    rejected: Arc<[(Rejection, Counter)]>,
    seconds: Histogram,
    breaker: Gauge,
}

impl Default for DetectorMetrics {
    fn default() -> Self {
        let (outcomes, rejections) = (Family::<Labels<1>, Counter>::default(), Family::<Labels<1>, Counter>::default());
        let call = |outcome: CallOutcome| (outcome, outcomes.get_or_create_owned(&[("outcome", outcome.as_str())]));
        let rejection = |reason: Rejection| (reason, rejections.get_or_create_owned(&[("reason", reason.as_str())]));
        let (calls, rejected) = (CallOutcome::ALL.map(call).into(), Rejection::ALL.map(rejection).into());
        Self { outcomes, rejections, calls, rejected, seconds: Histogram::new(CALL_BOUNDS), breaker: Gauge::default() }
    }
}

impl DetectorMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("detector_calls", "Calls of the external detector, by outcome", self.outcomes.clone());
        let help = "Texts for which the external detector was not called, by reason";
        registry.register("detector_rejections", help, self.rejections.clone());
        registry.register(
            "detector_seconds",
            "Seconds that a call of the external detector took",
            self.seconds.clone(),
        );
        let help = "Whether calls of the external detector have stopped after failures: 1 or 0";
        registry.register("detector_breaker_open", help, self.breaker.clone());
    }
}

impl DetectorMeter for DetectorMetrics {
    fn record_call(&self, outcome: CallOutcome, took: Duration) {
        self.seconds.observe(took.as_secs_f64());
        if let Some((_, counter)) = self.calls.iter().find(|(counted, _)| *counted == outcome) {
            counter.inc();
        }
    }

    fn record_rejection(&self, reason: Rejection) {
        if let Some((_, counter)) = self.rejected.iter().find(|(counted, _)| *counted == reason) {
            counter.inc();
        }
    }

    fn record_breaker(&self, state: BreakerState) {
        self.breaker.set(i64::from(state != BreakerState::Closed));
    }
}
