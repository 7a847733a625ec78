//! The metrics of the program, in the formats that Prometheus reads.
//!
//! The program defines every label value itself: routes, methods, statuses, entities, outcomes. No label value contains
//! a tenant, an identifier or anything else that a caller sends.

mod change_log;
mod connections;
mod database;
mod detector;
mod feeds;
mod labels;
mod listener;
mod process;
mod prometheus_text;
mod redactions;
mod redis;
mod requests;
mod scrub;
mod traces;
mod webhooks;

use std::sync::Arc;

use parlance_adapters_http::ConnectionRegistry;
use parlance_adapters_redis::Redis;
use parlance_adapters_sql::Database;
use parlance_domain::{
    access::{AuthenticationFailure, AuthenticationMeter},
    vocabulary::delivery::{DeliveryErrorKind, DeliveryOutcome},
};
use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram, info::Info},
    registry::Registry,
};

use self::{
    connections::ConnectionCollector, database::DatabaseCollector, labels::Labels, process::ProcessCollector,
    redis::RedisCollector, requests::RequestMetrics,
};
use crate::build_info;

pub(crate) use change_log::ChangeLogMetrics;
pub(crate) use detector::DetectorMetrics;
pub(crate) use feeds::FeedMetrics;
pub(crate) use redactions::RedactionMetrics;
pub(crate) use scrub::ScrubMetrics;
pub(crate) use traces::TraceMetrics;
pub(crate) use webhooks::WebhookMetrics;

/// Histogram bounds of the seconds from a change of a vocabulary to its delivery.
const DELIVERY_BOUNDS: [f64; 14] = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 600.0, 3_600.0];

/// All metrics of the process. Clones share them.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    pub(crate) requests: Arc<RequestMetrics>,
    /// Requests whose rate this process checked alone, because Redis was out of reach.
    pub(crate) rate_limit_fallbacks: Counter,
    redis: RedisCollector,
    /// Metrics of feed production.
    pub(crate) feeds: FeedMetrics,
    authentication_failures: Arc<[(AuthenticationFailure, Counter)]>,
    pub(crate) scrub: ScrubMetrics,
    pub(crate) webhooks: WebhookMetrics,
    /// Metrics of redaction.
    pub(crate) redactions: RedactionMetrics,
    pub(crate) change_log: ChangeLogMetrics,
    deliveries: Counter,
    delivery_failures: Arc<[(DeliveryErrorKind, Counter)]>,
    delivery_seconds: Histogram,
    missing_ledger_objects: Gauge,
}

impl Metrics {
    /// Creates all metrics, with every counter at zero.
    pub(crate) fn new(
        database: Database,
        connections: ConnectionRegistry,
        traces: &TraceMetrics,
        detector: &DetectorMetrics,
    ) -> Self {
        let mut root = Registry::default();
        root.register_collector(Box::new(ProcessCollector));
        let registry = root.sub_registry_with_prefix("parlance");
        let build = Info::new([("version", build_info::VERSION), ("commit", build_info::commit())]);
        registry.register("build", "Version and commit of the program", build);
        let requests = Arc::new(RequestMetrics::register(registry));

        let feeds = FeedMetrics::register(registry);

        let reasons: Family<Labels<1>, Counter> = Family::default();
        let reason = |kind: AuthenticationFailure| (kind, reasons.get_or_create_owned(&[("reason", kind.as_str())]));
        let authentication_failures = AuthenticationFailure::ALL.map(reason).into();
        registry.register("authentication_failures", "Authentications that failed, by reason", reasons);

        let redactions = RedactionMetrics::register(registry);

        let rate_limit_fallbacks = Counter::default();
        let help = "Requests whose rate this process checked alone, because Redis was out of reach";
        registry.register("rate_limit_fallbacks", help, rate_limit_fallbacks.clone());

        let redis = RedisCollector::default();
        registry.register_collector(Box::new(redis.clone()));

        let outcomes: Family<Labels<1>, Counter> = Family::default();
        let outcome = |word| outcomes.get_or_create_owned(&[("outcome", word)]);
        let deliveries = outcome("delivered");
        let delivery_failures = DeliveryErrorKind::ALL.iter().map(|kind| (*kind, outcome(kind.as_str()))).collect();
        registry.register("vocabulary_deliveries", "Attempts to deliver a vocabulary, by outcome", outcomes);
        let delivery_seconds = Histogram::new(DELIVERY_BOUNDS);
        let help = "Seconds from the first undelivered change of a vocabulary to its delivery";
        registry.register("vocabulary_delivery_seconds", help, delivery_seconds.clone());

        let missing_ledger_objects = Gauge::default();
        let help =
            "Objects that were written to the ledger of erasures, and that the start of the process did not find there";
        registry.register("ledger_missing_objects", help, missing_ledger_objects.clone());

        let scrub = ScrubMetrics::register(registry);
        let change_log = ChangeLogMetrics::register(registry);
        let webhooks = WebhookMetrics::register(registry);
        traces.register(registry);
        detector.register(registry);
        registry.register_collector(Box::new(ConnectionCollector(connections)));
        registry.register_collector(Box::new(DatabaseCollector(database)));
        Self {
            registry: Arc::new(root),
            requests,
            rate_limit_fallbacks,
            redis,
            feeds,
            scrub,
            change_log,
            webhooks,
            authentication_failures,
            redactions,
            deliveries,
            delivery_failures,
            delivery_seconds,
            missing_ledger_objects,
        }
    }

    /// Reports how many objects the ledger of erasures had lost at the start of the process.
    pub(crate) fn record_missing_ledger_objects(&self, objects: usize) {
        self.missing_ledger_objects.set(i64::try_from(objects).unwrap_or(i64::MAX));
    }

    /// Reports the connection of this Redis from now on.
    pub(crate) fn observe_redis(&self, redis: Redis) {
        // A service has one Redis.
        let _ = self.redis.0.set(redis);
    }

    /// Counts an attempt to deliver a vocabulary.
    pub(crate) fn record_delivery(&self, attempt: &DeliveryOutcome) {
        match attempt {
            DeliveryOutcome::Delivered { latency, .. } => {
                self.deliveries.inc();
                self.delivery_seconds.observe(latency.as_secs_f64());
            }
            DeliveryOutcome::Failed { error, .. } => {
                let counter = self.delivery_failures.iter().find(|(kind, _)| *kind == error.kind());
                counter.inspect(|(_, counter)| {
                    counter.inc();
                });
            }
            DeliveryOutcome::Idle => {}
        }
    }

    /// Encodes all metrics as text in the `OpenMetrics` format.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

impl AuthenticationMeter for Metrics {
    fn record_failure(&self, reason: AuthenticationFailure) {
        if let Some((_, counter)) = self.authentication_failures.iter().find(|(counted, _)| *counted == reason) {
            counter.inc();
        }
    }
}
