//! The observer of a production run, and the outcome of each period.

use async_trait::async_trait;

use super::{Feed, FeedPeriod, Interval};
use crate::{access::TenantId, error::StoreError};

/// The result of producing one period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeriodOutcome {
    /// The period was written.
    Written {
        /// The revision number.
        revision: u32,
        /// The number of rows.
        rows: u64,
        /// The total size of the files in bytes.
        bytes: u64,
        /// Whether the period is complete. A period that is written before it closes is not.
        complete: bool,
    },
    /// The day was put together from its hours. Its rows were written with them.
    Summed {
        /// The revision number.
        revision: u32,
    },
    /// The period was already written and is now marked as complete.
    Marked {
        /// The revision number.
        revision: u32,
    },
    /// The period was already up to date.
    Unchanged {
        /// The revision number; 1 if another producer wrote the period.
        revision: u32,
    },
}

/// Observes the progress of a production run.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ProductionObserver: Send + Sync {
    /// Whether the number of rows is counted before they are written. Counting reads every row.
    fn wants_row_count(&self) -> bool;

    /// The export of a day or an hour of a feed starts, in all formats that need it. `total` is the number of rows that
    /// [`rows_written`](Self::rows_written) reports in sum, if it was counted.
    fn export_started(&self, tenant: &TenantId, feed: Feed, interval: Interval, total: Option<u64>);

    /// This number of additional rows was written, or was kept from an interrupted run. A row counts once per format.
    fn rows_written(&self, count: u64);

    /// This revision of the period has all its rows, and is published next. A run that is killed before that publishes the same
    /// revision next time, and calls this again. If the call fails, the run ends, and the revision is not published.
    async fn before_publication(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        revision: u32,
    ) -> Result<(), StoreError> {
        // Most observers need nothing here.
        let _ = (tenant, period, revision);
        Ok(())
    }

    /// The period is finished.
    fn export_finished(&self, tenant: &TenantId, period: &FeedPeriod, outcome: PeriodOutcome);
}
