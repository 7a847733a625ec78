//! What the program counts, in the form that Prometheus reads.
//!
//! Every label has a fixed set of values, which the program itself has: routes, methods, statuses, entities,
//! outcomes. Nothing that a caller sends, no tenant and no identifier is ever one.

mod connections;
mod database;
mod feeds;
mod listener;
mod plain_text;
mod process;
mod requests;
mod scrub;

use std::sync::Arc;

use parlance_adapters_http::ConnectionRegistry;
use parlance_adapters_sql::Database;
use parlance_domain::{
    access::{AuthenticationFailure, AuthenticationMeter},
    redaction::{Entity, MaskingMeter},
    vocabulary::delivery::{Attempt, DeliveryFailure},
};
use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, histogram::Histogram, info::Info},
    registry::Registry,
};

use self::{
    connections::ConnectionCollector, database::DatabaseCollector, process::ProcessCollector, requests::Requests,
};

pub(crate) use feeds::FeedMetrics;
pub(crate) use scrub::ScrubMetrics;

/// Bounds of the seconds from a change of a vocabulary to its delivery.
const DELIVERY_BOUNDS: [f64; 14] = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 600.0, 3_600.0];

type Labels<const COUNT: usize> = [(&'static str, &'static str); COUNT];

/// Everything that is counted. Cloning shares it.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    pub(crate) requests: Arc<Requests>,
    /// Requests whose rate was counted in the process, since the Redis that shares it was out of reach.
    pub(crate) rate_limit_fallbacks: Counter,
    /// The production of feeds.
    pub(crate) feeds: FeedMetrics,
    authentication_failures: Arc<[(AuthenticationFailure, Counter)]>,
    pub(crate) scrub: ScrubMetrics,
    redactions: Arc<[Counter]>,
    delivered: Counter,
    failed: Arc<[(DeliveryFailure, Counter)]>,
    delivery_seconds: Histogram,
}

impl Metrics {
    /// Counts from nothing.
    pub(crate) fn new(database: Database, connections: ConnectionRegistry) -> Self {
        let mut root = Registry::default();
        root.register_collector(Box::new(ProcessCollector));
        let registry = root.sub_registry_with_prefix("parlance");
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program that runs", build);
        let requests = Arc::new(Requests::register(registry));

        let feeds = FeedMetrics::register(registry);

        let reasons: Family<Labels<1>, Counter> = Family::default();
        let reason = |kind: AuthenticationFailure| (kind, reasons.get_or_create_owned(&[("reason", kind.word())]));
        let authentication_failures = AuthenticationFailure::ALL.map(reason).into();
        registry.register("authentication_failures", "Authentications that failed, by reason", reasons);

        let entities: Family<Labels<1>, Counter> = Family::default();
        let redactions = Entity::ALL.iter().map(|entity| entities.get_or_create_owned(&[("entity", entity.label())]));
        let redactions = redactions.collect();
        registry.register("redactions", "Places masked in messages that were stored, by entity", entities);

        let rate_limit_fallbacks = Counter::default();
        let help = "Requests counted against the rate of this process, since Redis was out of reach";
        registry.register("rate_limit_fallbacks", help, rate_limit_fallbacks.clone());

        let outcomes: Family<Labels<1>, Counter> = Family::default();
        let outcome = |word| outcomes.get_or_create_owned(&[("outcome", word)]);
        let delivered = outcome("delivered");
        let failed = DeliveryFailure::ALL.iter().map(|kind| (*kind, outcome(kind.word()))).collect();
        registry.register("vocabulary_deliveries", "Attempts to deliver a vocabulary, by outcome", outcomes);
        let delivery_seconds = Histogram::new(DELIVERY_BOUNDS);
        let help = "From the first change that was not delivered to the delivery";
        registry.register("vocabulary_delivery_seconds", help, delivery_seconds.clone());

        let scrub = ScrubMetrics::register(registry);
        registry.register_collector(Box::new(ConnectionCollector(connections)));
        registry.register_collector(Box::new(DatabaseCollector(database)));
        Self {
            registry: Arc::new(root),
            requests,
            rate_limit_fallbacks,
            feeds,
            scrub,
            authentication_failures,
            redactions,
            delivered,
            failed,
            delivery_seconds,
        }
    }

    /// Counts an attempt to deliver a vocabulary.
    pub(crate) fn attempted(&self, attempt: &Attempt) {
        match attempt {
            Attempt::Delivered { took, .. } => {
                self.delivered.inc();
                self.delivery_seconds.observe(took.as_secs_f64());
            }
            Attempt::Failed { error, .. } => {
                let counter = self.failed.iter().find(|(kind, _)| *kind == error.kind());
                counter.inspect(|(_, counter)| {
                    counter.inc();
                });
            }
            Attempt::Idle => {}
        }
    }

    /// All of it, as text in the `OpenMetrics` format.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

impl MaskingMeter for Metrics {
    fn masked(&self, entity: Entity) {
        if let Some(counter) = Entity::ALL.binary_search(&entity).ok().and_then(|place| self.redactions.get(place)) {
            counter.inc();
        }
    }
}

impl AuthenticationMeter for Metrics {
    fn failed(&self, reason: AuthenticationFailure) {
        if let Some((_, counter)) = self.authentication_failures.iter().find(|(of, _)| *of == reason) {
            counter.inc();
        }
    }
}
