//! Metrics of webhooks.

use std::sync::{Arc, atomic::AtomicU64};

use parlance_domain::{
    time::Timestamp,
    webhook::{AttemptFailure, Backlog, DeliveryAttempt},
};
use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

use super::labels::Labels;

/// Counts the attempts of this process, and reports what is not delivered. Clones share the counters.
#[derive(Clone)]
pub(crate) struct WebhookMetrics {
    outcomes: Arc<[(&'static str, Counter)]>,
    pending: Gauge,
    oldest: Gauge<f64, AtomicU64>,
}

const OUTCOMES: [&str; 9] = [
    "delivered",
    "status",
    "unresolved",
    "address_not_allowed",
    "unreachable",
    "tls",
    "timed_out",
    "invalid_answer",
    "internal",
];

impl WebhookMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let family: Family<Labels<1>, Counter> = Family::default();
        let outcomes = OUTCOMES.map(|word| (word, family.get_or_create_owned(&[("outcome", word)]))).into();
        registry.register("webhook_attempts", "Attempts to send an event to a webhook, by outcome", family);
        let (pending, oldest) = (Gauge::default(), Gauge::default());
        let help = "Events that active webhooks have not accepted, as the replica that sends them knows";
        registry.register("webhook_pending", help, pending.clone());
        let help = "Seconds since the oldest of these events was queued; 0 without one";
        registry.register("webhook_oldest_pending_seconds", help, oldest.clone());
        Self { outcomes, pending, oldest }
    }

    /// Counts an attempt.
    pub(crate) fn record(&self, attempt: &DeliveryAttempt) {
        let word = attempt.outcome.map_or_else(AttemptFailure::as_str, |_| "delivered");
        if let Some((_, counter)) = self.outcomes.iter().find(|(counted, _)| *counted == word) {
            counter.inc();
        }
    }

    /// Reports what is not delivered at this time.
    pub(crate) fn set_backlog(&self, backlog: Backlog, now: Timestamp) {
        self.pending.set(i64::try_from(backlog.pending).unwrap_or(i64::MAX));
        self.oldest.set(backlog.oldest.map_or(0.0, |oldest| oldest.until(now).as_secs_f64()));
    }
}
