//! What the program counts, in the form that Prometheus reads.
//!
//! Every label has a fixed set of values, made when the program starts: routes, methods, classes of statuses, entities,
//! outcomes. Nothing that a caller sends, no tenant and no identifier is ever one.

mod histogram;
mod listener;
mod requests;
mod scrub;

use std::sync::Arc;

use parlance_adapters_sql::{Database, PoolUse};
use parlance_domain::{
    redaction::{Entity, MaskingMeter},
    vocabulary::delivery::{Attempt, DeliveryFailure},
};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric, text::encode},
    metrics::{MetricType, counter::Counter, family::Family, gauge::ConstGauge, info::Info},
    registry::Registry,
};

use self::{histogram::Histogram, requests::Requests};

pub(crate) use listener::MetricsListener;
pub(crate) use scrub::ScrubMetrics;

/// Bounds of the seconds from a change of a vocabulary to its delivery.
const DELIVERY_BOUNDS: &[f64] = &[0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 600.0, 3_600.0];

type Labels<const COUNT: usize> = [(&'static str, &'static str); COUNT];

/// Everything that is counted. Cloning shares it.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    pub(crate) requests: Arc<Requests>,
    /// Requests whose rate was counted in the process, since the Redis that shares it was out of reach.
    pub(crate) rate_limit_fallbacks: Counter,
    pub(crate) scrub: ScrubMetrics,
    redactions: Arc<[Counter]>,
    delivered: Counter,
    failed: Arc<[(DeliveryFailure, Counter)]>,
    delivery_seconds: Histogram,
}

impl Metrics {
    /// Counts from nothing.
    pub(crate) fn new(database: Database) -> Self {
        let mut registry = Registry::with_prefix("parlance");
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program that runs", build);
        let requests = Arc::new(Requests::register(&mut registry));

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

        let scrub = ScrubMetrics::register(&mut registry);
        registry.register_collector(Box::new(Connections(database)));
        let registry = Arc::new(registry);
        Self { registry, requests, rate_limit_fallbacks, scrub, redactions, delivered, failed, delivery_seconds }
    }

    /// Counts an attempt to deliver a vocabulary.
    pub(crate) fn attempted(&self, attempt: &Attempt) {
        match attempt {
            Attempt::Delivered { took, .. } => {
                self.delivered.inc();
                self.delivery_seconds.observe(*took);
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

/// The connections to the database, looked at when they are asked for.
#[derive(Debug)]
struct Connections(Database);

impl Collector for Connections {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let pools = self.0.connections();
        for (name, help, read) in [
            ("database_connections_open", "Connections to the database", open as fn(PoolUse) -> i64),
            ("database_connections_in_use", "Connections to the database that are at work", in_use),
        ] {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (role, pool) in &pools {
                ConstGauge::new(read(*pool)).encode(family.encode_family(&[("pool", *role)])?)?;
            }
        }
        Ok(())
    }
}

fn open(pool: PoolUse) -> i64 {
    pool.open.into()
}

fn in_use(pool: PoolUse) -> i64 {
    pool.in_use.into()
}
