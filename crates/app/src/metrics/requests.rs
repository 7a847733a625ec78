//! Metrics of requests: counts by operation and status, and durations by operation.

use std::{collections::HashMap, sync::OnceLock, time::Duration};

use parlance_adapters_http::{RequestObserver, endpoints};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};

/// Histogram bounds of request durations, in seconds.
const DURATION_BOUNDS: [f64; 13] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Statuses whose series exist from the start for each operation, so that `rate()` counts their first request.
const INITIAL_STATUSES: [u16; 4] = [200, 429, 500, 503];

/// The label of every route or method that is not an operation of the interface.
const OTHER: &str = "other";

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OperationLabels {
    method: &'static str,
    route: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StatusLabels {
    method: &'static str,
    route: &'static str,
    status: u16,
}

/// The metric families that hold the series of all operations.
struct Families {
    requests: Family<StatusLabels, Counter>,
    durations: Family<OperationLabels, Histogram, fn() -> Histogram>,
}

impl Families {
    fn requests(&self, labels: &OperationLabels, status: u16) -> Counter {
        let OperationLabels { method, route } = *labels;
        self.requests.get_or_create_owned(&StatusLabels { method, route, status })
    }

    fn series(&self, labels: &OperationLabels) -> Series {
        let by_status = INITIAL_STATUSES.map(|status| (status, self.requests(labels, status)));
        Series { by_status, duration: self.durations.get_or_create_owned(labels) }
    }
}

/// One operation. It caches its series, so that a request need not look them up in the families.
struct Operation {
    labels: OperationLabels,
    series: OnceLock<Series>,
}

struct Series {
    by_status: [(u16, Counter); INITIAL_STATUSES.len()],
    duration: Histogram,
}

/// Counts requests and observes their durations.
pub(crate) struct RequestMetrics {
    by_route: HashMap<&'static str, Vec<Operation>>,
    other: Operation,
    families: Families,
}

impl RequestMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let new_histogram: fn() -> Histogram = || Histogram::new(DURATION_BOUNDS);
        let durations = Family::new_with_constructor(new_histogram);
        let families = Families { requests: Family::default(), durations };
        let operation = |method, route| Operation::new(OperationLabels { method, route }, &families);
        let mut by_route: HashMap<_, Vec<_>> = HashMap::new();
        for (route, methods) in endpoints() {
            let operations = methods.iter().map(|method| operation(static_method(method.as_str()), route));
            by_route.insert(route, operations.collect());
        }
        let other = operation(OTHER, OTHER);
        let (help, requests) = ("Requests answered, by operation and status", families.requests.clone());
        registry.register("http_requests", help, requests);
        let (help, durations) = ("How long requests took, by operation", families.durations.clone());
        registry.register("http_request_duration_seconds", help, durations);
        Self { by_route, other, families }
    }
}

impl Operation {
    /// Creates the series at once. Those of `HEAD`, which is rare, are created by its first request.
    fn new(labels: OperationLabels, families: &Families) -> Self {
        let operation = Self { labels, series: OnceLock::new() };
        if operation.labels.method != "HEAD" {
            operation.series(families);
        }
        operation
    }

    fn series(&self, families: &Families) -> &Series {
        self.series.get_or_init(|| families.series(&self.labels))
    }
}

impl RequestObserver for RequestMetrics {
    fn on_response(&self, method: &'static str, route: Option<&str>, status: u16, duration: Duration) {
        let operations = route.and_then(|route| self.by_route.get(route));
        let operation =
            operations.and_then(|operations| operations.iter().find(|operation| operation.labels.method == method));
        let operation = operation.unwrap_or(&self.other);
        let series = operation.series(&self.families);
        match series.by_status.iter().find(|(counted, _)| *counted == status) {
            Some((_, counter)) => counter.inc(),
            None => self.families.requests(&operation.labels, status).inc(),
        };
        series.duration.observe(duration.as_secs_f64());
    }
}

/// Returns the method as a static text, or [`OTHER`] if the interface does not use it.
fn static_method(method: &str) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].into_iter().find(|known| *known == method).unwrap_or(OTHER)
}
