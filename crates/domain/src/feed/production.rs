//! Feed production: the service that writes the feeds of the stored data.

use std::sync::Arc;

use super::{
    Compression, DayRange, FeedSink, FeedSource, FeedStore, FeedWriteError, FileFormat, IntervalLength,
    ProductionObserver, open_day_rewrite::OpenDayRewrite, production_context::ProductionContext,
    production_run::ProductionRun,
};
use crate::{
    access::TenantId, conversation::FieldRedaction, error::StoreError, id::IdSource, message::ExportRedaction,
    time::Clock,
};

/// Produces feeds. A run can be killed at any time, and runs can overlap. Readers never see an incomplete period.
#[derive(Clone)]
pub struct FeedProduction(ProductionContext);

impl FeedProduction {
    /// A producer that reads from `source` and writes through the read and write ports of one store. Texts of messages are
    /// masked by the first redaction, names and metadata values of conversations by the second.
    #[must_use]
    pub fn new(
        source: Arc<dyn FeedSource>,
        (store, sink): (Arc<dyn FeedStore>, Arc<dyn FeedSink>),
        (redaction, fields): (ExportRedaction, FieldRedaction),
        (ids, clock): (Arc<dyn IdSource>, Arc<dyn Clock>),
        compression: Compression,
    ) -> Self {
        Self(ProductionContext {
            source,
            store,
            sink,
            redaction,
            fields,
            ids,
            clock,
            compression,
            length: IntervalLength::Day,
        })
    }

    /// Writes days of which nothing exists yet in intervals of this length. Without this call, that is a day.
    #[must_use]
    pub fn with_intervals(self, length: IntervalLength) -> Self {
        Self(ProductionContext { length, ..self.0 })
    }

    /// Every tenant whose feeds can be produced.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn tenants(&self) -> Result<Vec<TenantId>, StoreError> {
        self.0.source.tenants().await
    }

    /// The number of files of a tenant, of every feed and format.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn count_files(&self, tenant: &TenantId) -> Result<u64, StoreError> {
        self.0.sink.count_files(tenant).await
    }

    /// Removes the files of a tenant that is erased, of every feed and format, and returns their number.
    ///
    /// # Errors
    /// [`StoreError`]. Files that were removed before the error stay removed.
    pub async fn remove_tenant(&self, tenant: &TenantId) -> Result<u64, StoreError> {
        self.0.sink.remove_tenant(tenant).await
    }

    /// Writes the missing and outdated periods of a tenant's feeds, earliest days first. Each day of a feed is read and
    /// masked once for all formats.
    ///
    /// The returned future yields to its runtime after each batch of records, so that the run can be ended there by
    /// dropping the future. A dropped run counts as killed.
    ///
    /// # Errors
    /// [`FeedWriteError`]. Periods that were written before the error remain, and the next run continues from there. If
    /// another run has written a period meanwhile, the run is given up, and what the other run wrote stays.
    pub async fn produce(
        &self,
        tenant: &TenantId,
        formats: &[FileFormat],
        range: DayRange,
        observer: &dyn ProductionObserver,
    ) -> Result<(), FeedWriteError> {
        ProductionRun { context: &self.0, tenant, formats, existing_formats: &[], observer }.produce(range).await
    }

    /// Does what [`produce`](Self::produce) does, and also writes again what exists in other formats and of days that are
    /// not closed. Afterwards no file has a row that was erased before the call, except in days that other programs wrote, and
    /// in days of other formats that were never complete.
    ///
    /// # Errors
    /// Those of [`produce`](Self::produce).
    pub async fn rewrite(
        &self,
        tenant: &TenantId,
        formats: &[FileFormat],
        observer: &dyn ProductionObserver,
    ) -> Result<(), FeedWriteError> {
        let other_formats: Vec<_> = FileFormat::ALL.into_iter().filter(|format| !formats.contains(format)).collect();
        let run = ProductionRun { context: &self.0, tenant, formats, existing_formats: &other_formats, observer };
        run.produce(DayRange::default()).await?;
        OpenDayRewrite { context: &self.0, tenant, observer }.run().await
    }
}
