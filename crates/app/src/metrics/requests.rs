//! Requests by operation and status, and how long they took.

use std::{collections::HashMap, sync::OnceLock, time::Duration};

use parlance_adapters_http::{RequestObserver, endpoints};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};

/// Bounds of the seconds that requests take.
const DURATION_BOUNDS: [f64; 13] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// The statuses that each operation has a series for from the start, so that a rate sees the first of them.
const FROM_START: [u16; 4] = [200, 429, 500, 503];

/// What stands for every route or method that is no operation of the interface.
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

/// The series of all operations.
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
        let by_status = FROM_START.map(|status| (status, self.requests(labels, status)));
        Series { by_status, duration: self.durations.get_or_create_owned(labels) }
    }
}

/// One operation. Its series are made once, so that a request does not look for them among those of all operations.
struct Operation {
    labels: OperationLabels,
    series: OnceLock<Series>,
}

struct Series {
    by_status: [(u16, Counter); FROM_START.len()],
    duration: Histogram,
}

/// Counts requests.
pub(crate) struct Requests {
    by_route: HashMap<&'static str, Vec<Operation>>,
    other: Operation,
    families: Families,
}

impl Requests {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let constructor: fn() -> Histogram = || Histogram::new(DURATION_BOUNDS);
        let durations = Family::new_with_constructor(constructor);
        let families = Families { requests: Family::default(), durations };
        let operation = |method, route| Operation::new(OperationLabels { method, route }, &families);
        let mut by_route: HashMap<_, Vec<_>> = HashMap::new();
        for (route, methods) in endpoints() {
            let of_route = methods.iter().map(|method| operation(word(method.as_str()), route));
            by_route.insert(route, of_route.collect());
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
    /// The series of a `HEAD` are made by its first request: it is seldom used.
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

impl RequestObserver for Requests {
    fn answered(&self, method: &'static str, route: Option<&str>, status: u16, took: Duration) {
        let of_route = route.and_then(|route| self.by_route.get(route));
        let operation = of_route.and_then(|operations| operations.iter().find(|one| one.labels.method == method));
        let operation = operation.unwrap_or(&self.other);
        let series = operation.series(&self.families);
        match series.by_status.iter().find(|(of, _)| *of == status) {
            Some((_, counter)) => counter.inc(),
            None => self.families.requests(&operation.labels, status).inc(),
        };
        series.duration.observe(took.as_secs_f64());
    }
}

/// The methods of the interface as words that last.
fn word(method: &str) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].into_iter().find(|word| *word == method).unwrap_or(OTHER)
}
