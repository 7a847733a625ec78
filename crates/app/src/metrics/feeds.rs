//! Metrics of feed production: rows written, exports failed, and the times of the last successes.

use std::sync::{Arc, atomic::AtomicU64};

use parlance_domain::{
    feed::{Dataset, Feed, FileFormat},
    time::Timestamp,
};
use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

use super::labels::Labels;

/// Counts the feed production of this process. Clones share the counters.
#[derive(Clone)]
pub(crate) struct FeedMetrics {
    rows: Arc<[(Dataset, Counter)]>,
    failures: Counter,
    last_success: Gauge<f64, AtomicU64>,
    hours_last_success: Gauge<f64, AtomicU64>,
}

impl FeedMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let family: Family<Labels<2>, Counter> = Family::default();
        let datasets = Feed::ALL.into_iter().flat_map(|feed| FileFormat::ALL.map(|format| (feed, format)));
        let counter = |feed: Feed, format: FileFormat| {
            family.get_or_create_owned(&[("feed", feed.as_str()), ("format", format.as_str())])
        };
        let rows = datasets.map(|(feed, format)| (feed.dataset(format), counter(feed, format))).collect();
        registry.register("feed_rows", "Rows of feeds written, by feed and format", family);
        let (failures, last_success, hours_last_success) = (Counter::default(), Gauge::default(), Gauge::default());
        registry.register("feed_export_failures", "Exports of feeds that failed", failures.clone());
        let help = "When this process last exported all feeds, in seconds after 1970; 0 before the first time";
        registry.register("feed_export_last_success_timestamp_seconds", help, last_success.clone());
        let help =
            "When this process last exported all closed hours of feeds, in seconds after 1970; 0 before the first time";
        registry.register("hourly_feed_export_last_success_timestamp_seconds", help, hours_last_success.clone());
        Self { rows, failures, last_success, hours_last_success }
    }

    /// Adds the rows that were written for a day of this feed.
    pub(crate) fn add_rows(&self, dataset: &Dataset, rows: u64) {
        if let Some((_, counter)) = self.rows.iter().find(|(counted, _)| counted == dataset) {
            counter.inc_by(rows);
        }
    }

    /// Records that all feeds were exported at this time.
    pub(crate) fn record_success(&self, timestamp: Timestamp) {
        self.last_success.set(seconds(timestamp));
    }

    /// Records that all closed hours were exported at this time.
    pub(crate) fn record_hours(&self, timestamp: Timestamp) {
        self.hours_last_success.set(seconds(timestamp));
    }

    /// Counts an export that failed.
    pub(crate) fn record_failure(&self) {
        self.failures.inc();
    }
}

#[expect(clippy::cast_precision_loss, reason = "microseconds after 1970 stay below 2^53 until the year 2255")]
fn seconds(timestamp: Timestamp) -> f64 {
    timestamp.as_micros() as f64 / 1e6
}
