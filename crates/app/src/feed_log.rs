//! The log lines of feed production.

use parlance_domain::{
    access::TenantId,
    feed::{Feed, FeedPeriod, Hour, Interval, PeriodOutcome, ProductionObserver},
};

use crate::metrics::FeedMetrics;

/// Logs each exported day or hour and, given metrics, counts its rows.
pub(crate) struct ProductionLogger(pub(crate) Option<FeedMetrics>);

impl ProductionObserver for ProductionLogger {
    fn wants_row_count(&self) -> bool {
        false
    }

    fn export_started(&self, _: &TenantId, _: Feed, _: Interval, _: Option<u64>) {}

    fn rows_written(&self, _: u64) {}

    fn export_finished(&self, tenant: &TenantId, period: &FeedPeriod, outcome: PeriodOutcome) {
        let (tenant, dataset, Interval { day, hour }) = (tenant.as_str(), &period.dataset, period.interval);
        let (feed, format, day) = (dataset.feed.as_str(), dataset.format.as_str(), day.to_string());
        let hour = hour.map(Hour::number);
        if let PeriodOutcome::Written { revision, rows, bytes, complete: _ } = outcome {
            if let Some(metrics) = &self.0 {
                metrics.add_rows(dataset, rows);
            }
            tracing::info!(
                tenant,
                feed,
                format,
                day,
                hour,
                revision,
                rows,
                bytes,
                "exported a day or an hour of a feed"
            );
        }
    }
}
