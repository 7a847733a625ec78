//! The production of feeds: rows that were written, runs that failed, and when the last one succeeded.

use std::sync::{Arc, atomic::AtomicU64};

use parlance_domain::{
    feed::{Feed, FeedTable, Format},
    time::Timestamp,
};
use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

use super::Labels;

/// Counts what this process produces of feeds. Cloning shares it.
#[derive(Clone)]
pub(crate) struct FeedMetrics {
    rows: Arc<[(FeedTable, Counter)]>,
    failures: Counter,
    last_success: Gauge<f64, AtomicU64>,
}

impl FeedMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let family: Family<Labels<2>, Counter> = Family::default();
        let tables = Feed::ALL.into_iter().flat_map(|feed| Format::ALL.map(|format| (feed, format)));
        let counter = |feed: Feed, format: Format| {
            family.get_or_create_owned(&[("feed", feed.as_str()), ("format", format.as_str())])
        };
        let rows = tables.map(|(feed, format)| (feed.table(format), counter(feed, format))).collect();
        registry.register("feed_rows", "Rows of feeds that were written, by feed and format", family);
        let (failures, last_success) = (Counter::default(), Gauge::default());
        registry.register("feed_export_failures", "Daily exports of feeds that failed", failures.clone());
        let help = "When this process last exported all feeds, in seconds after 1970; 0 before the first time";
        registry.register("feed_export_last_success_timestamp_seconds", help, last_success.clone());
        Self { rows, failures, last_success }
    }

    /// So many rows of a day of this feed were written.
    pub(crate) fn written(&self, table: &FeedTable, rows: u64) {
        if let Some((_, counter)) = self.rows.iter().find(|(of, _)| of == table) {
            counter.inc_by(rows);
        }
    }

    /// All feeds were exported at this time.
    pub(crate) fn succeeded(&self, at: Timestamp) {
        #[expect(clippy::cast_precision_loss, reason = "microseconds after 1970 stay below 2^53 until the year 2255")]
        self.last_success.set(at.as_micros() as f64 / 1e6);
    }

    /// An export failed.
    pub(crate) fn failed(&self) {
        self.failures.inc();
    }
}
