//! Requests by operation and class of status, and how long they took.

use std::{collections::HashMap, time::Duration};

use parlance_adapters_http::{RequestObserver, endpoints};
use prometheus_client::{
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};

use super::{Labels, histogram::Histogram};

/// Bounds of the seconds that requests take.
const DURATION_BOUNDS: &[f64] = &[0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Classes of statuses; the last counts what is in none of the others.
const CLASSES: [&str; 6] = ["1xx", "2xx", "3xx", "4xx", "5xx", "other"];

/// What stands for every route or method that is no operation of the interface.
const OTHER: &str = "other";

/// The counters of one operation.
struct Operation {
    method: &'static str,
    by_class: [Counter; CLASSES.len()],
    duration: Histogram,
}

/// Counts requests. All that is counted is made beforehand, so that a request costs one look-up and three additions.
pub(crate) struct Requests {
    by_route: HashMap<&'static str, Vec<Operation>>,
    other: Operation,
}

impl Requests {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let counters: Family<Labels<3>, Counter> = Family::default();
        let constructor: fn() -> Histogram = || Histogram::new(DURATION_BOUNDS);
        let durations: Family<Labels<2>, Histogram, fn() -> Histogram> = Family::new_with_constructor(constructor);
        let operation = |method, route| Operation {
            method,
            by_class: CLASSES
                .map(|class| counters.get_or_create_owned(&[("method", method), ("route", route), ("status", class)])),
            duration: durations.get_or_create_owned(&[("method", method), ("route", route)]),
        };
        let mut by_route: HashMap<_, Vec<_>> = HashMap::new();
        for (route, methods) in endpoints() {
            let of_route = methods.iter().map(|method| operation(word(method.as_str()), route));
            by_route.insert(route, of_route.collect());
        }
        let other = operation(OTHER, OTHER);
        registry.register("http_requests", "Requests answered, by operation and class of status", counters);
        registry.register("http_request_duration_seconds", "How long requests took, by operation", durations);
        Self { by_route, other }
    }
}

impl RequestObserver for Requests {
    fn answered(&self, method: &'static str, route: Option<&str>, status: u16, took: Duration) {
        let of_route = route.and_then(|route| self.by_route.get(route));
        let operation = of_route.and_then(|operations| operations.iter().find(|one| one.method == method));
        let operation = operation.unwrap_or(&self.other);
        let class = usize::from(status / 100).wrapping_sub(1).min(CLASSES.len() - 1);
        if let Some(counter) = operation.by_class.get(class) {
            counter.inc();
        }
        operation.duration.observe(took);
    }
}

/// The methods of the interface as words that last.
fn word(method: &str) -> &'static str {
    ["GET", "POST", "PUT", "PATCH", "DELETE"].into_iter().find(|word| *word == method).unwrap_or(OTHER)
}
