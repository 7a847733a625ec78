//! Feed production: the service, the days that it produces, and the observer of its progress.

use std::sync::Arc;

use super::{Compression, Day, FeedPeriod, FeedSink, FeedSource, FeedStore};
use crate::{access::TenantId, error::StoreError, id::IdSource, message::ExportRedaction, time::Clock};

/// Produces feeds. A run can be killed at any time, and runs can overlap. Readers never see an incomplete period.
#[derive(Clone)]
pub struct FeedProduction {
    pub(super) source: Arc<dyn FeedSource>,
    pub(super) store: Arc<dyn FeedStore>,
    pub(super) sink: Arc<dyn FeedSink>,
    pub(super) redaction: ExportRedaction,
    pub(super) ids: Arc<dyn IdSource>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) compression: Compression,
}

/// The days to produce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DayRange {
    /// The first day; by default the first day on which the tenant has a record.
    pub from: Option<Day>,
    /// The last day; by default the last closed day.
    pub to: Option<Day>,
    /// Whether to write days that are not closed, with the records that exist so far. These days are not complete.
    pub include_open: bool,
}

/// The result of producing one period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayOutcome {
    /// The period was written.
    Written {
        /// The revision number.
        revision: u32,
        /// The number of rows.
        rows: u64,
        /// The total size of the files in bytes.
        bytes: u64,
        /// Whether the period is complete. A period that is written before its day closes is not.
        complete: bool,
    },
    /// The period was already written and is now marked as complete.
    Marked,
    /// The period was already up to date.
    Unchanged,
}

/// Observes the progress of a production run.
pub trait ProductionObserver: Send + Sync {
    /// Whether the number of rows is counted before they are written. Counting reads every row.
    fn wants_row_count(&self) -> bool;

    /// The export of a period starts. `total` is the number of rows, if it was counted.
    fn export_started(&self, tenant: &TenantId, period: &FeedPeriod, total: Option<u64>);

    /// This number of additional rows was written.
    fn rows_written(&self, count: u64);

    /// The period is finished.
    fn export_finished(&self, tenant: &TenantId, period: &FeedPeriod, outcome: DayOutcome);
}

impl FeedProduction {
    /// A producer that reads from `source` and writes through the read and write ports of one store.
    #[must_use]
    pub fn new(
        source: Arc<dyn FeedSource>,
        (store, sink): (Arc<dyn FeedStore>, Arc<dyn FeedSink>),
        redaction: ExportRedaction,
        (ids, clock): (Arc<dyn IdSource>, Arc<dyn Clock>),
        compression: Compression,
    ) -> Self {
        Self { source, store, sink, redaction, ids, clock, compression }
    }

    /// Every tenant whose feeds can be produced.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        self.source.tenants().await
    }
}
